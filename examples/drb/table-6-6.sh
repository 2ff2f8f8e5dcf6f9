#!/bin/sh
# Table 6-6: the hot spot at intervals of 10 cycles, some million messages by each routing, beside what is printed.
. "$(dirname "$0")/common.sh"
simulate torus:8x8 --traffic drb-hotspot --routing "$all" --interval 10 --cycles 500000 --replications 5 > "$out/6-6.csv"
"$metapath" reproduce drb:6-6
