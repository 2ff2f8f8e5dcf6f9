#!/bin/sh
# The figures of README.md and of the guide. usage: readme_figures.sh METAPATH OUTPUT_FOLDER
set -eu
metapath=$1 out=$2
mkdir -p "$out"
"$metapath" stats torus:8x8,torus:16x16,torus:32x32,torus:64x64,torus:128x128,torus:256x256 \
    --supernode static,sga:1,sga:4,sga:16,dga:4,random --plot "$out/metapaths.svg" > /dev/null
"$metapath" topo torus:8x8 --highlight metapath:sga:1:1.1-4.5 --highlight route:1.1-4.5 --plot "$out/network.svg" > /dev/null
"$metapath" bcast mesh:4x4 torus:4x4 ring:16 star:16 complete:16 hypercube:4 --ports 1 --processes 8..16 \
    --algorithm sequential,binary,binomial,chain -o "$out/trees.csv"
"$metapath" plot "$out/trees.csv" -k decision -x processes -y topology -z makespan_steps -g algorithm -o "$out/decision.svg"
hotspot="--loop open --queue 1 --allocator channel --switching wormhole --terminals free --deadlock drain:4 --cycles 10000"
"$metapath" simulate torus:8x8 --traffic drb-hotspot,bit-reversal --interval 10,15,20,30,40,60,100 $hotspot \
    --routing dor,adaptive,select=first,drb:static+best:3,threshold=12,tolerance=8 -o "$out/turning.csv"
"$metapath" plot "$out/turning.csv" -k path -x accepted_load -y packet_latency_cycles -g routing --facet traffic \
    --x-range 0.. --y-range 0.. --size 174x90 -o "$out/turning.svg"
"$metapath" tune allreduce fattree:8 --processes 8,12,16,24,32,48,64,96,128 --bytes 8..2M..x4 --plot "$out/tuning.svg" > /dev/null
"$metapath" fit "$(dirname "$0")/logs/osu-7.5-latency-cxi.txt" --plot "$out/fit.svg" -o "$out/cxi.cost" > /dev/null
"$metapath" tune allreduce fattree:4 --processes 4,8,16 --bytes 64..4M..x8 --cost "@$out/cxi.cost" --plot "$out/fit_tuning.svg" > /dev/null
rm "$out/cxi.cost"
"$metapath" protocol --bytes 8..4M..x2 --size column --plot "$out/protocol.svg" > /dev/null
"$metapath" protocol --show connections --processes 4..4096..x2 --pattern allreduce:ring,allreduce:recursive-doubling --size column \
    --plot "$out/connections.svg" > /dev/null
"$metapath" simulate torus:8x8 --traffic uniform --then 3000:transpose --then 6000:uniform --load 0.3 --cycles 12000 \
    --routing dor,adaptive,drb:static+best:3 --show windows --plot "$out/change.svg" > /dev/null
"$metapath" bcast mesh:4x4 --packet 10 --ports 1 --algorithm binary,binomial --show messages --plot "$out/messages.svg" > /dev/null
"$metapath" bcast mesh:8x8 --ports 1 --packet 25 --algorithm binary,binomial,chain,sequential --interval 60..1000..x1.6 \
    --plot "$out/broadcast-load.svg" > /dev/null
"$metapath" latency torus:8x8 --traffic transpose --routing dor,o1turn,ecmp --load 5%..95%..5% --size column \
    --plot "$out/tutorial.svg" > /dev/null
here=$(dirname "$0")
sites="file:$here/published/wan_site_latency_ms.csv,weight=latency,sites=4 --root 12"
"$metapath" tree $sites --algorithm binomial,magpie,minimum-spanning --show links --size 174x70 --plot "$out/tree-sites.svg" > /dev/null
"$metapath" tree $sites --scenario "$here/published/wan_scenarios.csv:4.7" --broadcasts 16 --algorithm magpie,minimum-spanning,adaptive \
    --show course --plot "$out/tree-course.svg" > /dev/null
"$metapath" latency torus:8x8 --traffic "file:$here/traffic/six_channels.csv" --packet 25 --model drb \
    --routing "dor,order=1+2,table:$here/traffic/six_channels_paths.csv,order=1+2" --interval 5..1000..x1.3 \
    --plot "$out/latency.svg" -o "$out/latency.csv"
"$metapath" latency torus:8x8 --traffic butterfly,bit-reversal,perfect-shuffle,transpose --model drb --interval 40 \
    --routing dor,ecmp,adaptive,metapath:best:3 -o "$out/patterns.csv"
"$metapath" plot "$out/patterns.csv" -k bar -x traffic -y packet_latency_cycles -g routing -o "$out/patterns.svg"
"$metapath" latency dragonfly,a=4,p=2,h=2 --traffic group-shift --routing lgl,valiant,by=group,ugal,ugal,queue=global,adaptive \
    --load 0.01..0.43..0.02 --plot "$out/group-shift.svg" > /dev/null 2>&1 || [ $? -eq 1 ]    # rows beyond saturation are refused
"$metapath" latency mesh:8x8 --traffic transpose --routing dor,ecmp --validate --plot "$out/validation.svg" > /dev/null
"$metapath" compare torus:8x8 hypercube:6 random:64,degree=4 --supernode sga:1 --routing ecmp --plot "$out/compare.svg" > /dev/null
"$metapath" compare torus:8x8 fattree:6 dragonfly,a=4,p=2,h=2 --supernode sga:2 --plot "$out/networks.svg" > /dev/null
"$metapath" fabric "$(dirname "$0")/networks/fabric.csv,terminals=leaves" --show load --size 174x90 --plot "$out/fabric.svg" > /dev/null
"$metapath" deadlock torus:4x4 --show cycle --plot "$out/deadlock.svg" > /dev/null
"$metapath" bound throughput mesh:8x8 random:32,degree=3 --show prices --plot "$out/prices.svg" > /dev/null
fidelity=$here/../tests/fidelity/results.csv            # tests/fidelity/README.md says how it is made
"$metapath" plot "$fidelity" -x load -y simulated,model --facet case --where 'source=BookSim2,flit level' \
    --where 'case=A1 mesh:8x8 uniform,V1 mesh:8x8 uniform,W1 mesh:8x8 uniform,A7 torus:8x8 tornado,P4 mesh:8x8 transpose,'\
'M4 mesh:16x16 uniform,T16 torus:8x8 uniform,F4 fattree:8 uniform,R4 random64 uniform' \
    --y-range 0.. --y-title 'Network latency [cycles]' --x-title 'Load [flits per node and cycle]' --panel-columns 3 \
    --size 174x130 -o "$out/fidelity.svg"
"$metapath" plot "$fidelity" -k scatter -x part -y error_percent -g mode --where 'part<=0.9' --x-range 0..1 \
    --x-title 'Part of the simulated saturation' --y-title 'Error of network latency [%]' --size 127x80 \
    -o "$out/fidelity-errors.svg"
