#!/bin/sh
# Table 6-1 (figures 6-4 to 6-6): what acknowledgements cost that go back over the same links.
. "$(dirname "$0")/common.sh"
for ack in ideal in-band; do
    simulate torus:4x4 hypercube:4 --traffic $patterns --routing $drb --interval 10..120..10 --ack $ack |
        tag ack $ack > "$out/6-1-$ack.csv"
    simulate torus:8x8 --traffic drb-hotspot --routing $drb --interval 10..120..10 --ack $ack |
        tag ack $ack > "$out/6-1-hot-$ack.csv"
done
join "$out/6-1-ideal.csv" "$out/6-1-in-band.csv" "$out/6-1-hot-ideal.csv" "$out/6-1-hot-in-band.csv" > "$out/6-1.csv"
latency "$out/6-1.csv" -g ack --facet topology,traffic --panel-columns 3 --size 174x150 -o "$out/figure-6-4.svg"
deviation "$out/6-1.csv" -g ack --facet topology,traffic --panel-columns 3 --size 174x150 -o "$out/figure-6-4b.svg"
