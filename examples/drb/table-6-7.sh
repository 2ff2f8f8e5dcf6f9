#!/bin/sh
# Table 6-7 (figures 6-19 to 6-22): packets of 10, 20 and 64 flits.
. "$(dirname "$0")/common.sh"
for flits in 10 20 64; do
    simulate torus:4x4 --traffic $patterns --routing "$all" --interval 10..120..10 --packet $flits > "$out/6-7-$flits.csv"
done
join "$out/6-7-10.csv" "$out/6-7-20.csv" "$out/6-7-64.csv" > "$out/6-7.csv"
figure=19
for pattern in $(echo $patterns | tr , ' '); do
    latency "$out/6-7.csv" --where traffic=$pattern -g routing --facet packet_flits --panel-columns 3 --size 174x70 \
        -o "$out/figure-6-$figure.svg"
    figure=$((figure + 1))
done
