#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Stands in for kscope: notes what it was asked for in $FAKE_LOG, says the lines of $FAKE_LINES or what a bench of two
# kernels says, and ends with $FAKE_CODE and the line $FAKE_ERROR. With $FAKE_WAIT each kernel, and each line WAIT,
# takes until that file exists.
echo "$@" >> "$FAKE_LOG"
hold() {
    if [ -n "$FAKE_WAIT" ]; then while ! [ -e "$FAKE_WAIT" ]; do sleep 0.02; done; fi
}
finish() {
    echo "kscope: $FAKE_ERROR" >&2
    exit ${FAKE_CODE:-0}
}
item() {
    echo "{\"name\":\"$2\",\"key\":\"$1\",\"category\":\"pointwise\",\"gb\":0.1,\"reason\":$3,\"series\":[$4]}"
}
kernel() {
    echo "{\"event\":\"start\",\"item\":$1}"
    hold
    echo "{\"event\":\"result\",\"item\":$1,\"result\":$2}"
}
config() {
    echo "{\"name\":\"XBLOCK: $1, num_warps: 4, num_ctas: 1, num_stages: 1, maxnreg: None\",\"autotuned\":false,\"registers\":32,\"spills\":0,\"shared_bytes\":0,\"occupancy\":0.5,\"samples_ns\":[$2,$2,$2,$2,$2,$2,$2],\"samples_clock_mhz\":[1980],\"samples_throttled\":[]}"
}
if [ -n "$FAKE_LINES" ]; then
    while IFS= read -r line; do
        if [ "$line" = WAIT ]; then hold; else printf '%s\n' "$line"; fi
    done < "$FAKE_LINES"
    finish
fi
first="c2bhmxwytl3ofj4p6ipllxz7hb7hkp7vm5vrx35k2572t64ysadi triton_poi_fused_add_clone_sin_t_0"
second="cxcp4pnedbs5dzj2bqkt4iqxwr6uysc4nc5q3ywdvgf5nba4r6xd triton_for_fused_0"
echo "{\"event\":\"plan\",\"document\":{\"schema\":\"kinetoscope.result/2\",\"kind\":\"kernels\",\"items\":[$(item $first null ''),$(item $second null '')]}}"
echo "{\"event\":\"device\",\"gpu\":{\"name\":\"Test GPU\",\"copy_gb_per_s\":4000}}"
kernel 0 "$(item $first null "$(config 64 50000),$(config 32 80000)")"
kernel 1 "$(item $second '"the GPU burnt down"' '')"
finish
