#!/bin/sh
# Table 6-2 (figures 6-7 and 6-8): acknowledgements as soon as a message has waited 8 cycles. A narrower band than that of
# the other scripts, in which paths close again, is drawn too: there it makes a difference.
. "$(dirname "$0")/common.sh"
narrow=drb:static+best:3,threshold=12,tolerance=4
for ack in ideal ideal,early=8; do
    for policy in $drb $narrow; do
        name="$(echo "$policy" | sed 's/.*tolerance=/tolerance /'), $(echo "$ack" | sed -e 's/ideal,early=8/early/' -e 's/ideal/at the end/')"
        file=$(echo "$name" | tr -d ' ,')
        simulate torus:8x8 --traffic drb-hotspot --routing $policy --interval 10..120..10 --ack $ack |
            tag ack "$name" > "$out/6-2-$file.csv"
        simulate torus:8x8 --traffic drb-hotspot --routing $policy --interval 10 --ack $ack --warmup 0 --cycles 6000 \
            --replications 40 --show windows | tag ack "$name" > "$out/6-2-start-$file.csv"
    done
done
join "$out"/6-2-tolerance*.csv > "$out/6-2.csv"
join "$out"/6-2-start-*.csv > "$out/6-2-start.csv"
latency "$out/6-2.csv" -g ack -o "$out/figure-6-7.svg"
for y in latency_cycles sd_latency_cycles accepted_load; do
    "$metapath" plot "$out/6-2-start.csv" -k line -x start_cycles -y $y -g ack --x-title 'Time [cycles]' --y-range 0.. \
        -o "$out/figure-6-8-$y.svg"
done
