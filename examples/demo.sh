#!/bin/sh
# The main job on the examples: topologies, metapath statistics, latency, broadcast comparison, figures.
# usage: demo.sh METAPATH OUTPUT_FOLDER
set -eu
metapath=$1 out=$2
here=$(dirname "$0")
mkdir -p "$out"
began=$(date +%s)
stage() { echo; echo "== $1 (after $(($(date +%s) - began)) s)"; }
run() { echo; echo "\$ metapath $*"; "$metapath" "$@"; }

stage "Networks: sizes, distances, bisection"
run topo torus:32x32 midimew:1024 hypercube:10 --plot "$out/networks.svg"
run topo torus:32x32 midimew:1024 hypercube:10 --show distribution -o "$out/distances.csv" --plot "$out/distances.svg"
run topo "$here/networks/campus.graphml" --plot "$out/campus.svg"

stage "Metapaths: what spreading traffic costs in hops and buys in width"
run stats torus:32x32 --supernode static,row:8,sga:1,sga:2,sga:4,dga:1,dga:2,random --plot "$out/metapaths.svg"
run stats torus:32x32,midimew:1024,hypercube:10 --supernode static,sga:1,sga:2,dga:1 --plot "$out/three-networks.svg"

stage "Latency under load: where messages collide, and what spreading them buys"
run latency torus:8x8 --model drb --traffic drb-hotspot --routing dor,metapath:sga:1,metapath:dga:1 --interval 10,20,40,80,160 --compare \
    --plot "$out/latency.svg"
run latency torus:8x8 --model drb --traffic drb-hotspot --routing dor,metapath:dga:1 --interval 10 --show links -o "$out/links.csv" \
    --plot "$out/links.svg"
run guide torus:8x8 --model drb --traffic drb-hotspot --interval 10 --latency 14

stage "Bounds: how far from the best, and where another cable would help"
run bound throughput torus:8x8 --traffic uniform,transpose,farthest --paths any,shortest --routing dor,ecmp,valiant --plot "$out/bounds.svg"
run bound throughput mesh:8x8 --show prices -o "$out/prices.csv" --plot "$out/prices.svg"
run bound worst torus:8x8
run compare torus:8x8 hypercube:6 random:64,degree=4 --routing ecmp --plot "$out/compare.svg"

stage "Broadcasts: steps, hops and cycles of every pattern, the best, and what a background does to them"
run bcast mesh:4x4 --processes 8..16 --ports 1 --algorithm sequential,binary,binomial,chain,flooding,best \
    --plot "$out/broadcasts.svg" -o "$out/broadcasts.csv"
run bcast mesh:4x4 torus:4x4 star:16 --algorithm sequential,binary,binomial,chain,best --ports 1 --plot "$out/broadcast-networks.svg"

run bcast mesh:8x8 --ports 1 --packet 25 --algorithm binary,binomial,chain,sequential --interval 60..1000..x1.6 \
    --plot "$out/broadcasts-load.svg" --columns algorithm,interval_cycles,completion_cycles,p95_cycles,slowdown,validity
run bcast mesh:4x4 --ports 1 --packet 25 --algorithm binary,binomial --show messages -o "$out/messages.csv" --plot "$out/messages.svg"

stage "Communication processors: from which size on a circuit is worth its request"
run primitive send,circuit torus:8x8 --bytes 1K..4M..x4 --plot "$out/crossover.svg"
run primitive --traffic uniform torus:8x8 --routing dor --messages 30 --bytes 64 --node-buffers 8,12,16,32,64 \
    --buffer-classes inversions,remaining --plot "$out/buffers.svg"

stage "Figures of metapath length against network size (as in chapter 5 of the thesis on DRB)"
sh "$here/metapath_figures.sh" "$metapath" "$out/chapter5"

stage "Published tables, computed anew"
run reproduce

echo; echo "Tables and figures are in $out:"
ls "$out" "$out/chapter5" | sed 's/^/  /'
