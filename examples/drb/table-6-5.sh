#!/bin/sh
# Table 6-5 (figures 6-15 to 6-18): the hot spot, and how long messages wait for the links of each node at the shortest
# interval.
. "$(dirname "$0")/common.sh"
simulate torus:8x8 --traffic drb-hotspot --routing "$all" --interval 10..120..10 > "$out/6-5.csv"
latency "$out/6-5.csv" -g routing -o "$out/figure-6-15.svg"
deviation "$out/6-5.csv" -g routing -o "$out/figure-6-15b.svg"
simulate torus:8x8 --traffic drb-hotspot --routing "$all" --interval 10 --show links > "$out/6-5-links.csv"
# mean over the four links that leave a node
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "routing,row,column,wait_cycles"; next }
    $at["from"] ~ /^[0-7]\.[0-7]$/ {
        key = $at["routing"] "," $at["from"]; split($at["from"], d, "."); name[key] = $at["routing"] "," d[1] "," d[2]
        sum[key] += $at["wait_cycles"]; n[key] += $at["wait_cycles"] != "" }
    END { for (k in name) print name[k] "," (n[k] ? sum[k] / n[k] : 0) }' "$out/6-5-links.csv" |
    { read -r heading; echo "$heading"; sort -r; } > "$out/6-5-map.csv"
"$metapath" plot "$out/6-5-map.csv" -k heat -x column -y row -z wait_cycles --facet routing \
    --z-title 'Wait for a link [cycles]' --panel-columns 3 --size 174x80 -o "$out/figure-6-16.svg"
