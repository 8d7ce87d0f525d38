#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Starts the window. Libraries that every desktop has come from the system; those that it lacks, as servers and containers
# do, from lib/kinetoscope/fallback.
program=$0
while [ -L "$program" ]; do
    link=$(readlink "$program")
    case $link in /*) program=$link ;; *) program=${program%/*}/$link ;; esac
done
case $program in */*) folder=${program%/*} ;; *) folder=. ;; esac
root=$(cd "$folder/.." && pwd -P) || exit 1
own=$root/lib/kinetoscope
loader=/lib64/ld-linux-x86-64.so.2

# The libraries that nobody has found, one a line.
unfound() {
    for file in "$root/bin/kinetoscope-window" "$own"/qt/plugins/platforms/libq*.so; do
        LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH=$1 "$loader" "$file" 2>/dev/null
    done | while read -r name arrow found rest; do
        [ "$arrow $found $rest" = "=> not found" ] && echo "$name"
    done
}

path=$LD_LIBRARY_PATH
while :; do
    more=
    for name in $(unfound "$path"); do
        place=$own/fallback/$name
        case ":$path:$more:" in *":$place:"*) continue ;; esac
        [ -d "$place" ] && more=${more:+$more:}$place
    done
    [ -n "$more" ] || break
    path=${path:+$path:}$more
done
[ -z "$path" ] || export LD_LIBRARY_PATH="$path"
# Neither a language nor fonts are set up in an empty system.
[ -n "$LC_ALL$LC_CTYPE$LANG" ] || export LC_CTYPE=C.UTF-8
[ -n "$FONTCONFIG_FILE" ] || [ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$root/share/kinetoscope/fonts/fonts.conf"
exec "$root/bin/kinetoscope-window" "$@"
