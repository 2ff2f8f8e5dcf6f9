#!/bin/sh
# Six channels on an 8x8 torus, four of which share a link (D. Franco, thesis on Distributed Routing Balancing, section
# 4.7.3): how long their messages wait, and what spreading them over three multistep paths each buys.
# usage: worked_example.sh METAPATH OUTPUT_FOLDER
set -eu
metapath=$1 out=$2
here=$(dirname "$0")
mkdir -p "$out"
channels=$here/traffic/six_channels.csv paths=$here/traffic/six_channels_paths.csv
# messages of 25 flits; along the first dimension first
study() { "$metapath" latency torus:8x8 --traffic "file:$channels" --packet 25 --model drb "$@"; }

echo "Without metapaths and with three paths in equal shares, all six channels:"
study --routing "dor,order=1+2,table:$paths,order=1+2" --interval 10,25,50,100,150,200,250,500,1000 --compare

echo
echo "Channel by channel at an interval of 10 cycles:"
study --routing "dor,order=1+2,table:$paths,order=1+2" --interval 10 --show channels

echo
echo "Mean of C1 to C4, which share the link:"
study --routing "dor,order=1+2,table:$paths,order=1+2,table:$paths,shares=bandwidth,order=1+2" --interval 10,25,50,100 \
    --show channels --columns routing,interval_cycles,channel,latency_cycles |
    awk '$3 ~ /^C[1-4]$/ { if (!($1 in seen)) { seen[$1]; name[++n] = $1 } sum[$1, $2] += $4 / 4 }
    END { for (i = 1; i <= n; i++) printf "%6.1f %6.1f %6.1f %6.1f  %s\n", sum[name[i], 10], sum[name[i], 25], sum[name[i], 50],
          sum[name[i], 100], name[i] }'

echo
echo "Four paths laid down beforehand (4.7.2.4.6) beside the three:"
study --routing "table:$paths,order=1+2,table:$here/traffic/six_channels_four.csv,order=1+2" --interval 10,100 \
    --columns routing,interval_cycles,packet_latency_cycles,max_latency_cycles,busy

echo
echo "What the thesis says of its figure, and what holds:"
"$metapath" reproduce drb:4-29
