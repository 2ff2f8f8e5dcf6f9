#!/bin/sh
# Table 6-4 (figures 6-11 to 6-14): four patterns on toruses and hypercubes of 16 and 64 nodes.
. "$(dirname "$0")/common.sh"
figure=11
for net in torus:4x4 torus:8x8 hypercube:4 hypercube:6; do
    simulate $net --traffic $patterns --routing "$all" --interval 10..120..10 > "$out/6-4-$(echo $net | tr : -).csv"
    latency "$out/6-4-$(echo $net | tr : -).csv" -g routing --facet traffic --panel-columns 2 --size 174x130 \
        -o "$out/figure-6-$figure.svg"
    deviation "$out/6-4-$(echo $net | tr : -).csv" -g routing --facet traffic --panel-columns 2 --size 174x130 \
        -o "$out/figure-6-${figure}b.svg"
    figure=$((figure + 1))
done
