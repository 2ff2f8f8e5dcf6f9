# What the scripts of this folder share: the runs of chapter 6 of the thesis of D. Franco on Distributed Routing Balancing,
# anew. Each script takes METAPATH and OUTPUT_FOLDER, and leaves tables (.csv) and figures (.svg) there.
#
# Printed: messages of 10 flits, exponential intervals of 10 to 120 cycles, wormhole, deadlocks found and a message taken
# out, latencies that count the wait at the source; dor, adaptive by the first free link of a shortest path, and DRB with
# the dimension-order path and two that carry little. Not printed: what one waiting message at a source and equal turns
# for sources stand for here (table 6-6 follows from them), threshold and tolerance of DRB, and how fast deadlocks are found.
set -eu
metapath=$1 out=$2
mkdir -p "$out"
drb=drb:static+best:3,threshold=12,tolerance=8
all="dor,adaptive,select=first,$drb"
patterns=butterfly,bit-reversal,perfect-shuffle,transpose

simulate() {
    "$metapath" simulate "$@" --loop open --queue 1 --allocator channel --switching wormhole --terminals free \
        --deadlock drain:4 --format csv > "$out/simulated.csv"      # not in a pipe, which would hide its failing
    sed -e 's/"drb:static[^"]*"/DRB/' -e 's/"adaptive,select=first"/adaptive/' -e 's/,dor,/,static,/' "$out/simulated.csv"
}
# A column of one value, so that tables can be put together: tag NAME VALUE < table
tag() { awk -v name="$1" -v value="$2" '{ print (NR == 1 ? name : "\"" value "\"") "," $0 }'; }
# Tables with the same heading as one.
join() { awk 'FNR > 1 || NR == 1' "$@"; }
# Curves by accepted load may turn back: points are joined in the order of what is applied.
latency() {
    file=$1
    shift
    "$metapath" plot "$file" -k path -x accepted_load -y packet_latency_cycles \
        --x-title 'Accepted load [flits per node and cycle]' --x-range 0.. --y-range 0.. --y-title 'Packet latency [cycles]' "$@"
}
deviation() {
    file=$1
    shift
    "$metapath" plot "$file" -k line -x interval_cycles -y sd_latency_cycles "$@" --y-range 0.. \
        --x-title 'Applied interval [cycles]' --y-title 'Deviation of latency [cycles]'
}
