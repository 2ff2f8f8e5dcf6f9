#!/bin/sh
# Mean metapath length against network size, as figures 5-2 to 5-18 of the thesis on Distributed Routing Balancing
# show it: rows, planes, subcubes, single and double gravity areas of every size, and how they scale, on toruses and
# midimews of 9 to 65,536 nodes, 3-D toruses and hypercubes of 8 to 65,536.
# usage: metapath_figures.sh METAPATH OUTPUT_FOLDER [svg|pdf|png]
set -eu
metapath=$1 out=$2 type=${3:-svg}
mkdir -p "$out"

# A row of the table for each network and supernode; the heading only once.
stats() { "$metapath" stats "$1" --supernode "$2" --format csv; }
once() { awk 'NR == 1 || !/^topology,/'; }
# static,random,KIND:1OPTIONS,KIND:2OPTIONS,KIND:4OPTIONS... up to the limit
sizes() {
    list=static,random n=$2
    while [ "$n" -le "$3" ]; do list=$list,$1:$n${4:-}; n=$((n * 2)); done
    echo "$list"
}
# The thesis's rows: on toruses from the source on, the whole line left out; on midimews centred on the source.
torus_row=,exclude=line
midimew_row=,origin=centre
plain_names() { sed 's/"\([a-z]*:[0-9]*\),origin=centre"/\1/; s/"\([a-z]*:[0-9]*\),exclude=line"/\1/'; }
draw() {
    "$metapath" plot "$out/$1.csv" --x nodes --y mean_length_hops --group "${2:-supernode}" -o "$out/$1.$type"
}

torus2="3 4 8 16 32 64 128 256"
torus3="2x2x2 4x4x4 8x8x8 16x16x16 32x32x32 64x32x32"
cubes="3 4 5 6 7 8 9 10 11 12 13 14 15 16"
last() { echo "${1##*x}"; }
half_diameter() { echo "$1" | awk -Fx '{ for (i = 1; i <= NF; i++) d += int($i / 2); print (d < 2 ? 1 : int(d / 2)) }'; }

# 5-2 to 5-6: subtopologies
for k in $torus2; do stats "torus:${k}x$k" "$(sizes row 2 "$k" $torus_row)"; done | once | plain_names > "$out/5-2.csv"
for k in $torus2; do stats "midimew:$((k * k))" "$(sizes row 2 "$k" $midimew_row)"; done | once | plain_names > "$out/5-3.csv"
for k in $torus3; do stats "torus:$k" "$(sizes row 2 "$(last "$k")" $torus_row)"; done | once | plain_names > "$out/5-4.csv"
for k in $torus3; do
    list=static,random n=2
    while [ "$n" -le "$(last "$k")" ]; do list=$list,plane:${n}x$n; n=$((n * 2)); done
    stats "torus:$k" "$list"
done | once > "$out/5-5.csv"
for k in $cubes; do
    list=static,random n=1
    while [ "$n" -le $((k / 2)) ]; do list=$list,subcube:$n; n=$((n + 1)); done
    stats "hypercube:$k" "$list"
done | once > "$out/5-6.csv"

# 5-7 to 5-14: single and double gravity areas, of radius 1 to half of the diameter
figure=7
for kind in sga dga; do
    for k in $torus2; do stats "torus:${k}x$k" "$(sizes $kind 1 "$(half_diameter "${k}x$k")")"; done | once > "$out/5-$figure.csv"
    for k in $torus2; do stats "midimew:$((k * k))" "$(sizes $kind 1 $(((k * 7 / 10 + 1) / 2)))"; done |
        once > "$out/5-$((figure + 1)).csv"
    for k in $cubes; do
        list=static,random n=1
        while [ "$n" -le $((k / 2)) ]; do list=$list,$kind:$n; n=$((n + 1)); done
        stats "hypercube:$k" "$list"
    done | once > "$out/5-$((figure + 2)).csv"
    for k in $torus3; do stats "torus:$k" "$(sizes $kind 1 "$(half_diameter "$k")")"; done | once > "$out/5-$((figure + 3)).csv"
    figure=11
done

# 5-15 to 5-18: how they scale; the supernode grows with the network, so its size leaves its name
for k in $torus2; do stats "midimew:$((k * k))" "static,random,row:$k$midimew_row,row:$k,dim=2$midimew_row"; done |
    once | sed 's/"row:[0-9]*,dim=2,origin=centre"/column/; s/"row:[0-9]*,origin=centre"/row/' > "$out/5-15.csv"
for k in $torus2; do stats "torus:${k}x$k" "static,random,row:$k,row:$k,dim=1"; done | once |
    sed 's/"row:[0-9]*,dim=1"/column/; s/,row:[0-9]*,/,row,/' > "$out/5-16.csv"
for k in $torus3; do n=$(last "$k"); stats "torus:$k" "static,random,row:$n,plane:${n}x$n"; done | once |
    sed 's/,row:[0-9]*,/,row,/; s/,plane:[0-9x]*,/,plane,/' > "$out/5-17.csv"
for k in $cubes; do stats "hypercube:$k" "static,random,subcube:$((k / 2))"; done | once |
    sed 's/,subcube:[0-9]*,/,subcube of half the dimension,/' > "$out/5-18.csv"

for f in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do draw "5-$f"; done
echo "$out: figures 5-2 to 5-18 and their data"
