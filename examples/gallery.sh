#!/bin/sh
# Every kind of figure on real results, on one page that stands alone, with the command under each.
# usage: gallery.sh METAPATH OUTPUT_FOLDER [OPTION...]     writes OUTPUT_FOLDER/gallery.html; options as --palette grey
#                                                          are given to every figure
# Each stands beside the same at the width of a column of text, 84 mm. SIZES="84 60" draws NAME-84.svg, NAME-60.svg.
set -eu
case $1 in /*) metapath=$1 ;; */*) metapath=$(pwd)/$1 ;; *) metapath=$(command -v "$1") ;; esac
mkdir -p "$2/gallery"
here=$(cd "$(dirname "$0")" && pwd) page=$(cd "$2" && pwd)/gallery.html work=$(cd "$2/gallery" && pwd)
shift 2
options=$*
sizes=${SIZES:-84}
cd "$work"
rm -rf examples ./*-[0-9]*.svg
ln -s "$here" examples

metapath() { "$metapath" "$@"; }
escape() { printf '%s' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }
# A command that makes data for the figures after it.
data() { eval "$1"; commands="$commands$1
"; }
section() { printf '<h2>%s</h2>\n' "$1" >> "$page.new"; }
image() {       # FILE CAPTION
    printf '<img alt="%s" src="data:image/svg+xml;base64,' "$(escape "$2")"
    base64 -w 0 "$1"
    printf '">\n'
}
# figure NAME CAPTION COMMAND: the command writes NAME.svg
figure() {
    for size in $sizes; do
        if eval "$3 $options --size $size" > "$1-$size.txt" 2>&1; then mv "$1.svg" "$1-$size.svg"; else
            echo "gallery: no figure $1 of size $size: $(tail -n 1 "$1-$size.txt")" >&2; fi
    done
    eval "$3 $options" > "$1.txt" 2>&1 || { cat "$1.txt" >&2; echo "gallery: $3" >&2; exit 1; }
    {
        printf '<figure>\n'
        image "$1.svg" "$2"
        [ ! -f "$1-84.svg" ] || cmp -s "$1.svg" "$1-84.svg" || image "$1-84.svg" "$2 (84 mm wide)"
        printf '<figcaption>%s</figcaption>\n<pre>%s</pre>\n</figure>\n' "$(escape "$2")" "$(escape "$commands$3")"
    } >> "$page.new"
    commands=
}

commands=
cat > "$page.new" << 'END'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>metapath: figures</title>
<style>
body { font: 16px/1.5 "DejaVu Sans", Verdana, sans-serif; color: #262626; max-width: 1000px; margin: 2em auto; padding: 0 1em }
figure { margin: 2em 0 3em }
img { max-width: 100%; border: 1px solid #ddd; vertical-align: top; margin: 0 .5em .5em 0 }
figcaption { margin: .5em 0 }
pre { background: #f5f5f5; padding: .7em 1em; white-space: pre-wrap; font: 13px/1.4 "DejaVu Sans Mono", monospace }
</style>
</head>
<body>
<h1>Figures by metapath</h1>
<p>Every kind of figure on real results, with the commands that made it, and beside it the same at the width of a column
of text (<code>--size 84</code>). Each can be written as .svg, .pdf or .png.</p>
END

section 'Lines'
data 'metapath stats torus:8x8,torus:16x16,torus:32x32,torus:64x64,torus:128x128,torus:256x256 --supernode static,sga:1,sga:4,sga:16,random -o lengths.csv'
figure lines 'Mean length of metapaths on square toruses: what spreading over a gravity area of radius 1 to 16 costs, between the shortest path and Valiant routing over a random node.' \
    'metapath plot lengths.csv -x nodes -y mean_length_hops -g supernode -o lines.svg'
figure band 'The same lengths, and a standard deviation to each side over all pairs.' \
    'metapath plot lengths.csv -x nodes -y mean_length_hops -g supernode --where "supernode=static,sga:16" --band sd_hops -o band.svg'
figure error 'Another way to show it.' \
    'metapath plot lengths.csv -x nodes -y mean_length_hops -g supernode --where "supernode=static,sga:4,random" --error sd_hops -o error.svg'
data 'metapath bcast star:16 --routing minimal --processes 2..16 --ports all --algorithm sequential,binary,binomial,chain -o star.csv'
data "awk -F, '/^#/ { next } \$1 == \"network\" { print \"processes,algorithm,makespan_steps\" } \$1 == \"star\" && \$4 == \"optimal\" && \$3 != \"rmbcast\" { print \$2 \",\" \$3 \",\" \$5 }' examples/published/broadcast_hops.csv > published.csv"
figure over 'Steps of a broadcast on a star of 16 nodes: our simulation (lines) and published counts laid over (rings).' \
    'metapath plot star.csv -x processes -y makespan_steps -g algorithm --over published.csv -o over.svg'
figure validity 'Mean latency on an 8x8 mesh of sources that send at random, by three routings: dashed where the model is not to be believed, a line across where each saturates; the axis ends at five times the latency without load.' \
    'metapath latency mesh:8x8 --routing dor,ecmp,valiant --load 4%..94%..6% -o validity.csv --plot validity.svg'
data 'metapath simulate torus:8x8 --traffic bit-reversal --routing dor,adaptive --load 0.05..0.75..0.05 --queue 1 --vcs 4 --cycles 5000 --replications 2 -o accepted.csv'
figure path 'What a torus accepts of a bit reversal, one message waiting at each source, and how long that takes: points in the order of what is offered, so that a curve turns back where more offered is less accepted.' \
    'metapath plot accepted.csv -k path -x accepted_load -y packet_latency_cycles -g routing -o path.svg'

section 'Bars'
data 'metapath stats torus:16x16,midimew:256,hypercube:8 --supernode static,sga:1,sga:2,dga:1,random -o families.csv'
figure bars 'Mean length of metapaths on three networks of 256 nodes.' \
    'metapath plot families.csv -k bar -x supernode -y mean_length_hops -g topology -o bars.svg'
figure stack 'Messages of 4, 16 and 20 broadcasts over a spanning tree on a wide-area network, as published.' \
    'metapath plot examples/published/wan_message_counts.csv -k bar --stack -x broadcasts -y count -g message --where algorithm=mst --where "message=Bcast,Initiate,Test,Accept,Connect,Reject,Report" --y-title Messages -o stack.svg'

section 'Distributions'
data 'metapath topo torus:32x32,midimew:1024,hypercube:10 --show distribution -o distances.csv'
figure histogram 'Ordered pairs of nodes by distance, on three networks of 1024 nodes.' \
    'metapath plot distances.csv -k histogram -x distance_hops -y pairs -g topology -o histogram.svg'
figure cumulative 'The share of pairs up to each distance.' \
    'metapath plot distances.csv -k cumulative -x distance_hops -y pairs -g topology -o cumulative.svg'

figure complement 'The share of pairs further apart than each distance, on a logarithmic axis: how a tail falls.' \
    'metapath plot distances.csv -k cumulative --complement -x distance_hops -y pairs -g topology -o complement.svg'
data 'metapath latency torus:8x8 --traffic transpose --routing dor,ecmp,valiant --show channels --load 0.02..0.18..0.04 -o channels.csv'
figure box 'Latencies of the 56 streams of a transpose on a torus, by load and routing: boxes of the middle half, points far out.' \
    'metapath plot channels.csv -k box -x load -y latency_cycles -g routing -o box.svg'
figure percentiles 'The same streams as bands of percentiles.' \
    'metapath plot channels.csv -k percentiles -x load -y latency_cycles -g routing --where "routing=dor,ecmp" -o percentiles.svg'

section 'Scatter, fit and residuals'
data 'for i in 1 2 3 4 5 6 7 8 9 10; do for n in 64 128 256 512 1024; do metapath topo "random:$n,degree=4,seed=$i" --bisection none -f csv; done; done | awk '"'NR == 1 || !/^topology/'"' > random.csv'
figure scatter 'Mean distance of fifty random networks of degree 4 against their size: it grows with the logarithm.' \
    'metapath plot random.csv -k scatter -x nodes -y mean_distance_hops --fit logarithmic --residuals --x-scale log -o scatter.svg'

data 'metapath topo torus:8x8 torus:4x4x4 mesh:2x32 mesh:8x8 mesh:4x4x4 hypercube:6 midimew:64 hyperx:8x8 random:64,degree=3 random:64,degree=4 random:64,degree=5 random:64,degree=6 --bisection none -o choice.csv'
figure pareto 'Networks of 64 nodes: what fewer cables cost in distance. None on the stairs is beaten in both.' \
    'metapath plot choice.csv -k pareto -x cables -y mean_distance_hops -g topology -o pareto.svg'
data 'metapath latency random:512,degree=4 --routing minimal --show links --load 2%..77%..5% -o waits.csv'
figure hexagons 'How long messages wait at the links of a random network of 512 nodes, against how long these are held, at many loads: too many points to be told apart, counted in hexagons.' \
    'metapath plot waits.csv -k scatter -x utilisation -y wait_cycles -o hexagons.svg'

section 'Maps'
data 'for a in 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32; do for b in 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32; do echo "$a $b $(metapath stats torus:${a}x$b --supernode sga:2 -f csv | tail -n 1)"; done; done | awk '"'BEGIN { print \"rows,columns,lengthening_percent\" } { split(\$3, f, \",\"); print \$1 \",\" \$2 \",\" f[6] }'"' > sizes.csv'
figure heat 'What spreading over a gravity area of radius 2 lengthens paths by, on toruses of every shape.' \
    'metapath plot sizes.csv -k heat -x rows -y columns -z lengthening_percent -o heat.svg'
data "awk -F, '{ sub(/\r$/, \"\") } /^#/ { next } \$1 == \"site\" { for (i = 2; i <= NF; i++) to[i] = \$i; print \"from,to,latency_ms\"; next } { for (i = 2; i <= NF; i++) print \$1 \",\" to[i] \",\" (\$i > 0 ? \$i : \"\") }' examples/published/wan_site_latency_ms.csv > sites.csv"
figure cells 'Latency between the sites of a wide-area network, as published.' \
    'metapath plot sites.csv -k heat -x to -y from -z latency_ms --size 110x80 -o cells.svg'
data 'for k in 8 12 16 20 24 28 32 36 40 44 48; do metapath bcast ring:$k --processes 4..$k..2 --ports 1 --algorithm sequential,binary,binomial,chain -f csv | sed "s/^topology/nodes,&/; s/^ring/$k,&/"; done | awk '"'NR == 1 || !/^nodes/'"' > rings.csv'
data 'metapath bcast mesh:4x4 torus:4x4 ring:16 star:16 complete:16 hypercube:4 --algorithm best --ports 1 --processes 8..16 -f csv | sed "s/+[a-z+-]*//g" > best.csv'
figure categories 'The process tree that takes the fewest steps to broadcast, of several the first by name.' \
    'metapath plot best.csv -k heat -x processes -y topology -z winner -o categories.svg'
figure decision 'Which tree broadcasts in the fewest steps on a ring: binomial trees for powers of two, chains else.' \
    'metapath plot rings.csv -k decision -x nodes -y processes -z makespan_steps -g algorithm -o decision.svg'
figure bounds 'What each node of a torus may inject at most, by any paths, by shortest ones, and by three routings.' \
    'metapath bound throughput torus:8x8 --traffic uniform,transpose,tornado,farthest --paths any,shortest --routing dor,ecmp,valiant --plot bounds.svg'
figure prices 'What the throughput of uniform traffic gains by a unit more of capacity, link by link.' \
    'metapath bound throughput random:32,degree=3 --show prices --plot prices.svg'
figure worst 'What each link of a mesh has to bear in its worst case, by two routings.' \
    'metapath bound worst mesh:6x6 --routing dor,ecmp --show links --plot worst.svg'
figure split 'Loads of links when six channels share metapaths: over their first ways, evenly, by bandwidth, by the policy, and at best.' \
    'metapath bound split torus:8x8 --traffic file:examples/traffic/six_channels.csv --table examples/traffic/six_channels_paths.csv --routing dor,order=1+2 --packet 25 --model drb --interval 50 --show links --plot split.svg --size 250x170'
figure compare 'Four quantities of three networks, in parts of the first.' \
    'metapath compare torus:8x8 hypercube:6 random:64,degree=4 --routing ecmp --plot compare.svg'
data 'metapath latency torus:8x8 --model drb --traffic drb-hotspot,lone=yes --interval 10 --show nodes -o nodes.csv'
figure latency_map 'Mean wait at the links of each node of a torus, four channels of which share a link: a latency map.' \
    'metapath plot nodes.csv -k heat -x column -y row -z wait_cycles -o latency_map.svg'
figure links 'How long the links of that torus are held, without and with metapaths.' \
    'metapath latency torus:8x8 --model drb --traffic drb-hotspot,lone=yes --routing dor,metapath:dga:1 --interval 10 --show links -o links.csv --plot links.svg'

data 'metapath latency torus:8x8 --routing dor,ecmp --traffic uniform,transpose,tornado,complement,bit-reversal,perfect-shuffle --load 0.02..0.18..0.02 -o two.csv; awk -F, '"'NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; print \"traffic,load,more_percent\"; next } { k = \$at[\"traffic\"] \",\" \$at[\"load\"]; v = \$at[\"packet_latency_cycles\"]; if (\$at[\"routing\"] == \"dor\") dor[k] = v; else if (dor[k] > 0 && v > 0) printf \"%s,%.4f\\n\", k, 100 * (v / dor[k] - 1) }'"' two.csv > more.csv'
figure signs 'What choosing among all shortest paths adds to the latency of dimension order, or saves, by traffic and load: no colour, no difference.' \
    'metapath plot more.csv -k heat -x load -y traffic -z more_percent --z-title "Latency added [%]" -o signs.svg'

section 'Small multiples'
data 'metapath bcast mesh:4x4 torus:4x4 ring:16 star:16 hypercube:4 complete:16 --processes 2..16 --ports 1 --algorithm sequential,binary,binomial,chain -o all.csv'
figure multiples 'Steps of broadcasts on six networks of 16 nodes.' \
    'metapath plot all.csv -x processes -y makespan_steps -g algorithm --facet topology --size two-columns -o multiples.svg'

section 'Timelines'
figure timeline 'A broadcast to eight processes by two trees: each message from its sender to its receiver, hollow while it waits for links.' \
    'metapath plot examples/schedules/broadcast-8.csv -k timeline -x started_cycles,delivered_cycles -y from_process,to_process -z waited_cycles --facet algorithm --size column -o timeline.svg'

section 'Networks'
figure families 'Six networks, each laid out as its family asks.' \
    'metapath topo torus:6x6 hypercube:5 midimew:32 fattree:4 dragonfly,a=4,p=2,h=2 examples/networks/campus.graphml --size 174x130 --plot families.svg'
figure metapaths 'The multistep paths from node 1.1 to node 4.5 over a gravity area of radius 1, and the shortest one, by dimension order.' \
    'metapath topo torus:8x8 --highlight metapath:sga:1:1.1-4.5 --highlight route:1.1-4.5 --plot metapaths.svg'
figure tree 'A binomial tree of 32 processes on a hypercube.' \
    'metapath topo hypercube:5 --highlight tree:binomial --plot tree.svg'
data "metapath bcast mesh:6x6 --algorithm binomial --ports 1 --show schedule -f csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; print \"from,to,messages\"; next } { n[\$at[\"link_from\"] \",\" \$at[\"link_to\"]]++ } END { for (l in n) print l \",\" n[l] }' | sort -r > use.csv"
figure loads 'How often a binomial broadcast on the 6 x 6 mesh uses each link.' \
    'metapath topo mesh:6x6 --links use.csv --link-colour messages --link-width messages --plot loads.svg'
figure community 'A dragonfly by its communities, which are its groups.' \
    'metapath topo dragonfly,a=4,p=2,h=2 --node-colour community --plot community.svg'
figure matrix 'The same network as a matrix in the order of these communities.' \
    'metapath topo dragonfly,a=4,p=2,h=2 --layout matrix --plot matrix.svg'
figure large 'A torus of 65,536 nodes: too many to show each, and the figure says so.' \
    'metapath topo torus:256x256 --plot large.svg'

printf '</body>\n</html>\n' >> "$page.new"
mv "$page.new" "$page"
echo "$page"
