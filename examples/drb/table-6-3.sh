#!/bin/sh
# Table 6-3 (figures 6-9 and 6-10): acknowledgements that come 0 to 20 cycles late.
. "$(dirname "$0")/common.sh"
for delay in 00 05 10 15 20; do
    simulate torus:8x8 --traffic drb-hotspot --routing $drb --interval 10..120..10 --ack ideal,delay=$delay |
        tag delay w$delay > "$out/6-3-w$delay.csv"
    simulate torus:8x8 --traffic drb-hotspot --routing $drb --interval 10 --ack ideal,delay=$delay --warmup 0 --cycles 6000 \
        --replications 40 --show windows | tag delay w$delay > "$out/6-3-start-w$delay.csv"
done
join "$out"/6-3-w*.csv > "$out/6-3.csv"
join "$out"/6-3-start-*.csv > "$out/6-3-start.csv"
latency "$out/6-3.csv" -g delay -o "$out/figure-6-9.svg"
for y in latency_cycles sd_latency_cycles accepted_load; do
    "$metapath" plot "$out/6-3-start.csv" -k line -x start_cycles -y $y -g delay --x-title 'Time [cycles]' --y-range 0.. \
        -o "$out/figure-6-10-$y.svg"
done
