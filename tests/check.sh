# SPDX-License-Identifier: Apache-2.0
# What ./dev check does, part by part; read by dev, whose functions it uses.

export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-16

check_parts="tests load large lint asan tsan fuzz docs headless packages"

# Every part runs, whatever failed before it; at the end each with its time. What has passed on this commit without
# a change in the working tree is not run again, unless it is named: a check that was cut short goes on.
cmd_check() {
    local part status commit seconds passed failed="" rows="" total=0
    for part in "$@"; do
        case " $check_parts " in *" $part "*) ;; *) die "check has no part $part; it has: $check_parts" ;; esac
    done
    install_packages "$core_packages $window_packages $check_packages $bench_packages $engine_packages"
    install_linker
    install_torch
    commit=$(git rev-parse HEAD)
    [ -z "$(git status --porcelain)" ] || commit=""
    mkdir -p build/check
    for part in ${*:-$check_parts}; do
        passed=build/check/$part-$commit
        if [ $# -eq 0 ] && [ -n "$commit" ] && [ -f "$passed" ]; then
            say "check: $part has passed"
            status=0
            seconds=$(<"$passed")
        else
            say "check: $part"
            SECONDS=0
            set +e
            (set -e; "check_$part")
            status=$?
            set -e
            seconds=$SECONDS
            [ $status != 0 ] || [ -z "$commit" ] || echo "$seconds" >"$passed"
        fi
        [ $status = 0 ] || failed+=" $part"
        total=$((total + seconds))
        rows+=$(check_row "$part" "$seconds" "$([ $status = 0 ] && echo passed || echo failed)")$'\n'
    done
    printf '%s' "$rows"
    check_row all "$total" "${commit:-with changes that are not committed}"
    [ -z "$failed" ] || die "failed:$failed; once mended: ./dev check$failed"
    say "all checks passed"
}

check_row() { printf '%-9s %4d:%02d  %s\n' "$1" $(($2 / 60)) $(($2 % 60)) "$3"; } # PART SECONDS WORDS

# At most $jobs at once, the output of each as a whole: side_by_side COMMAND ITEM…, an exported function.
side_by_side() {
    local command=$1; shift
    printf '%s\0' "$@" | xargs -0 -P "$jobs" -I{} bash -c 'set -o pipefail
        output=$("$0" "$1" 2>&1); status=$?; printf "%s: exit code %d\n%s\n" "$1" $status "$output"; exit $status' \
        "$command" {}
}

# --- parts ----------------------------------------------------------------------------------

check_tests() {
    make_venv numpy tabulate || say "no numpy and tabulate in .venv: what needs them is skipped"
    make_venv ray || say "no Ray in .venv: what needs it is skipped"
    make_venv mcp || say "no client of the Model Context Protocol in .venv: what needs it is skipped"
    build dev "" -DKINETOSCOPE_WERROR=ON -DKINETOSCOPE_BENCHMARKS=ON
    KINETOSCOPE_PLANTED="8x10 64x10 256x10" KINETOSCOPE_SUITES="huggingface timm torchbench" run_tests dev
}

endurance() { # TEST
    KINETOSCOPE_TABS=64 KINETOSCOPE_TAB_ROUNDS=100 KINETOSCOPE_LIVE_SECONDS=60 QTEST_FUNCTION_TIMEOUT=3600000 \
        QT_QPA_PLATFORM=offscreen build/dev/bin/endurance_test "$1"
}

sweep_faults() {
    python3 tests/faults/sweep.py --full build/dev/bin/kscope build/dev/lib/fake/libfaults.so \
        build/dev/bin/recorded_program build/dev/lib/libkinetoscope-inject.so
}

check_load() {
    build dev
    say "64 files opened and closed a hundred times, and every call into the system failing once"
    export -f endurance sweep_faults
    side_by_side eval "endurance tabsLeaveNothing" sweep_faults
    say "a minute of a program that launches ten times as much as others"
    endurance aLoadedProgramIsFollowed
}

check_large() {
    build dev
    say "a gigabyte in the window"
    KINETOSCOPE_LARGE_MB=1000 QTEST_FUNCTION_TIMEOUT=1800000 QT_QPA_PLATFORM=offscreen \
        build/dev/bin/large_tasks_test aLargeFileOpensFindsAndCounts
    say "a gigabyte asked by an assistant"
    [ -e build/dev/big-1G.json ] ||
        python3 tests/bench/grow_trace.py --size 1G resources/sample.json.gz build/dev/big-1G.json
    python3 tests/golden/mcp_large.py build/dev/bin/kscope build/dev/big-1G.json
}

check_lint() { cmd_lint all; }

damage() { # TEST
    KINETOSCOPE_MUTATIONS=2000 QTEST_FUNCTION_TIMEOUT=3600000 "build/asan/bin/$1" anyBytesEndInATraceOrAMessage
}

check_asan() {
    build asan
    local failed=""
    # bench_cli is not among them: it loads our library into Python, which lacks the run time.
    run_tests asan || failed=yes
    run_tests asan-widgets || failed=yes
    say "2,000 damaged files of each kind"
    export -f damage
    side_by_side damage import_{nsys,perfetto,rocm,tools,xplane}_test || failed=yes
    [ -z "$failed" ]
}

check_tsan() {
    build tsan
    run_tests tsan
}

fuzz() { # NAME_fuzzer; of the same build as asan
    mkdir -p "build/fuzz/corpus/$1"
    "build/asan/bin/$1" -max_total_time="$FUZZ_SECONDS" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
        -artifact_prefix=build/fuzz/ "build/fuzz/corpus/$1" "tests/fuzz/corpus/$1" 2>&1 | tail -n 12
}

check_fuzz() {
    build asan fuzzers
    mkdir -p build/fuzz
    export FUZZ_SECONDS=${FUZZ_SECONDS:-60}
    say "each fuzzer for $FUZZ_SECONDS seconds"
    export -f fuzz
    (cd build/asan/bin && printf '%s\n' *_fuzzer) >build/fuzz/fuzzers
    # shellcheck disable=SC2046
    side_by_side fuzz $(<build/fuzz/fuzzers)
}

check_docs() { cmd_docs; }

check_headless() {
    build headless
    ! ldd build/headless/bin/kscope | grep -qi qt || die "the headless kscope links Qt"
    build/headless/bin/kscope report "$sample" >/dev/null
    run_tests headless
}

check_packages() {
    cmd_package
    say "kscope-torch, built as users do"
    build/archive/tree/bin/kscope torch build --libtorch /usr -j "$jobs" -o build/archive/kscope-torch
}
