#!/bin/sh
# Table 6-8 (figures 6-23 to 6-26): networks of 8, 16 and 64 nodes, loads in parts of 2B/N (B: links of the bisection).
. "$(dirname "$0")/common.sh"
toruses="torus:4x4 torus:8x8 torus:2x2x2 torus:4x4x4" cubes="hypercube:3 hypercube:4 hypercube:6"
for net in $toruses $cubes; do
    simulate $net --traffic drb-hotspot,butterfly --routing "dor,$drb" --load 4%b..50%b..x1.4 > "$out/6-8-$(echo $net | tr : -).csv"
done
# 2B/N is 1 flit a node and cycle on torus:8x8, and 2 on the others
join "$out"/6-8-*.csv | awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { $at["accepted_load"] /= $1 == "torus:8x8" ? 1 : 2 } { print }' > "$out/6-8.csv"
# figure NUMBER TRAFFIC NETWORK...
figure() {
    number=$1 traffic=$2
    shift 2
    latency "$out/6-8.csv" --where "traffic=$traffic" --where "topology=$(echo "$*" | tr ' ' ,)" -g topology,routing \
        --x-title 'Accepted load [parts of 2B/N]' -o "$out/figure-6-$number.svg"
}
figure 23 drb-hotspot $toruses
figure 24 drb-hotspot $cubes
figure 25 butterfly $cubes
figure 26 butterfly $toruses
