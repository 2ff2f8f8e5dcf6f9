/* The words that tables, options and notes use: a kind like others (`metapath list term`, `metapath help WORD`), but
 * one table, for an entry is nothing but text: a definition (summary), what else matters, with the unit (notes, which
 * may end in "See also: NAME, NAME."), who defined it (source) and a command that shows it (example). Names have
 * hyphens between words and stand in the order of the alphabet. */
#include "analysis/collective/cost.h"
#include "cli/help/catalogue.h"
#include "graph/net.h"

#define TERM(...) &(const struct entry){ __VA_ARGS__ }
static const struct entry *const term[] = {
    TERM(.name = "accepted-load",
        .summary = "the flits that arrive, per node and cycle",
        .notes = "Below saturation it is the load that is offered; beyond it, what the network can carry. Closed "
          "sources offer no more than is accepted.\n\nSee also: load, saturation, steady-state.",
        .source = "Dally and Towles 2004, chapter 23",
        .example = "metapath simulate mesh:4x4 --load 40%b,80%b"),
    TERM(.name = "adaptive-routing",
        .summary = "routing that chooses among several next hops by what is free, or little used, there",
        .notes = "Fully adaptive and minimal: among all next hops on shortest paths. What looks at the load is called "
          "a policy here: `metapath help adaptive`.\n\nSee also: escape-channel, ecmp, deadlock.",
        .source = "Duato 1993",
        .example = "metapath deadlock mesh:4x4 --routing adaptive,ecmp"),
    TERM(.name = "allocator",
        .summary = "what decides in a router which of those who ask get a channel and cross in this cycle",
        .notes = "`simulate --allocator` names them: in turn (islip, so many times a cycle), the oldest message first "
          "(age), or the pair of source and destination that was served the longest ago (channel). The models have "
          "messages served as they come.\n\nSee also: virtual-channel.",
        .source = "McKeown 1999; Dally and Towles 2004, chapter 19",
        .example = "metapath simulate mesh:4x4 --load 0.3 --allocator islip:1"),
    TERM(.name = "bandwidth",
        .summary = "what a link carries, in unit links: 2 transmits a flit in half a cycle",
        .notes = "Said by the key bandwidth= of a topology, the column of a file, or --line-rate for the unit link. A "
          "message goes no faster than the slowest link of its way. Tables of throughput and load are in parts of a "
          "unit link.\n\nSee also: topology, cable, capacity.",
        .example = "metapath latency hyperx:4x4 hyperx:4x4,bandwidth=4+1 --load 0.5"),
    TERM(.name = "bisection",
        .summary = "the fewest cables whose removal cuts the terminals into two equal halves",
        .notes = "Counted in cables; where links have bandwidths of their own, in these too. It limits how much "
          "traffic can cross the middle of a network: under uniform traffic half of all messages cross it. Where "
          "the exact number is not known, `topo` shows a proved lower and upper bound. A load of 100%b fills it.\n\n"
          "See also: load, throughput, edge-connectivity.",
        .source = "Leighton 1992; Dally and Towles 2004, section 3.1",
        .example = "metapath topo torus:8x8 fattree:4"),
    TERM(.name = "blocking",
        .summary = "in a broadcast: a process waits until its message has been delivered before it sends the next one",
        .notes = "`--blocking no` lets it start the next message as soon as a port is free, like MPI_Isend. A "
          "`non-blocking network` is another thing: one in which all hosts can send at full rate at the same time, "
          "like a fat tree.\n\nSee also: ports, steps, fat-tree.",
        .example = "metapath bcast mesh:4x4 --ports 1 --blocking no"),
    TERM(.name = "bottleneck",
        .summary = "the link that transmits for the largest part of the time",
        .notes = "It is the first link to become full when the load grows. Tables name it by its two nodes, as in "
          "0.0>1.0.\n\nSee also: busy, capacity, saturation.",
        .example = "metapath latency torus:8x8 --traffic transpose --load 50%"),
    TERM(.name = "break-even",
        .summary = "the broadcast from which on a tree has taken less in all than another",
        .notes = "What it takes: to build the tree, to adapt it, and every broadcast since. Beyond the broadcasts that were "
          "played it goes on as in the end.\n\nSee also: scenario, process-tree.",
        .source = "collectives over wide areas (V. A. C. Thome 2006), chapter 4",
        .example = "metapath tree torus:4x4 --broadcasts 40 --every 4"),
    TERM(.name = "busy",
        .summary = "the part of the time in which a link transmits flits, from 0 to 1",
        .notes = "Time in which a message holds the link but waits for the next one does not count; with it, the "
          "figure is called utilisation.\n\nSee also: utilisation, bottleneck.",
        .example = "metapath latency mesh:4x4 --load 50% --show links"),
    TERM(.name = "cable",
        .summary = "what joins two nodes: a link each way",
        .notes = "Two nodes may be joined by several cables in parallel, each with links and waits of its own; "
          "together they are a trunk. Tables name one of several by its port, as in leaf0>spine0:2.\n\nSee also: link, "
          "bandwidth, failure.",
        .example = "metapath topo examples/networks/leaf-spine.csv,terminals=leaves"),
    TERM(.name = "capacity",
        .summary = "the load at which the fullest link transmits all the time",
        .notes = "It follows from the traffic and the routing alone: no switching and no buffer can carry more over "
          "these routes. Of one link, capacity is what it carries: its bandwidth, unless --capacity says "
          "otherwise.\n\nSee also: saturation, load, bandwidth, bottleneck.",
        .source = "Dally and Towles 2004, section 3.3",
        .example = "metapath latency torus:8x8 --traffic tornado"),
    TERM(.name = "channel",
        .summary = "a source and a destination to which it sends messages",
        .notes = "A traffic file has one channel per row, each with a source of its own unless a column source_group "
          "says which share one. Other authors call a link, or a part of its buffers (a "
          "virtual channel), a channel.\n\nSee also: traffic, link.",
        .source = "Franco, Garces and Luque 1999",
        .example = "metapath latency torus:8x8 --traffic drb-hotspot --interval 50 --show channels"),
    TERM(.name = "channel-class",
        .summary = "those virtual channels of a link that a message may take, by what it has done so far",
        .notes = "Schemes against deadlock say which: `metapath list classes`. Several classes may share a channel "
          "where that closes no cycle.\n\nSee also: virtual-channel, dependency, deadlock, dateline.",
        .source = "Dally and Seitz 1987",
        .example = "metapath deadlock torus:8x8 --classes dateline --show classes"),
    TERM(.name = "circuit",
        .summary = "circuit switching: a message reserves all links of its path before it sends its first flit",
        .notes = "Latency is in cycles: the time for the reservation, then one cycle per flit.\n\nSee also: wormhole, "
          "cut-through, store-and-forward.",
        .source = "Dally and Towles 2004, chapter 12",
        .example = "metapath latency torus:4x4 --switching circuit"),
    TERM(.name = "closed-sources",
        .summary = "sources that wait until their message has arrived, compute for an interval, and only then send "
          "the next one",
        .notes = "They slow down when the network is busy, so that latency stays finite at every load. Parallel "
          "programs that wait for their messages behave like this.\n\nSee also: open-sources, interval.",
        .source = "Schroeder, Wierman and Harchol-Balter 2006",
        .example = "metapath latency torus:8x8 --interval 100,50 --loop closed"),
    TERM(.name = "closure",
        .summary = "the rule that estimates the wait behind several others from the waits behind one",
        .notes = "The wait between two closed sources is known exactly; for more, the model has to combine such "
          "waits. `metapath list closure` names the rules.\n\nSee also: contention, closed-sources.",
        .example = "metapath latency torus:4x4 --interval 50 --closure resistor"),
    TERM(.name = "completion",
        .summary = "when the last process has the message of a broadcast, in cycles",
        .notes = "Counted from the instant 0, on an idle network exactly. Unlike the makespan, in steps, it knows the "
          "length of messages, the links they hold by their switching, and the lengths of links.\n\n"
          "See also: makespan, contention, deadlock.",
        .example = "metapath bcast torus:8x8 --packet 10 --ports 1"),
    TERM(.name = "configuration",
        .summary = "of a collective: its algorithm, the length of segments and the radix that it is told",
        .notes = "`metapath tune` tries all of them for each size and number of processes. Its loss of one is how much "
          "longer the best single configuration takes than the best of that row; its margin, how much longer the best "
          "of another algorithm.\n\nSee also: decision-map, placement.",
        .example = "metapath tune allreduce torus:4x4 --bytes 64..1M..x16"),
    TERM(.name = "contention",
        .summary = "two or more messages want the same link at the same time, so that all but one wait",
        .notes = "Waits are means, in cycles.\n\nSee also: closure, saturation.",
        .source = "Min and Mutka 1993",
        .example = "metapath contention --interval 100,400 --packet 10,50"),
    TERM(.name = "cost",
        .summary = "a model of what messages of a collective operation take; every one has the keys below",
        .synopsis = "COST[,errors=RATE][,combining=no]",
        .keys = cost_keys,
        .notes = "`metapath list cost` names them. A message in which a byte is wrong is sent again, whole: 1/(1 - "
          "e)^bytes times on average, headers counted; answers to it take nothing. Models of steps have no errors. A "
          "piece is a segment, or a block of one process or pair.\n\nSee also: makespan, completion.",
        .example = "metapath collective reduce ring:16 --cost links,errors=1e-9"),
    TERM(.name = "credit-loop",
        .summary = "the cycles from sending a flit until its place in the buffer at the far end can be used again",
        .notes = "A channel with a buffer of fewer flits than these cycles is slower than its link. Without "
          "--credit-loop it lies within the buffer, whatever the lengths of links.\n\nSee also: virtual-channel, flit.",
        .source = "Dally and Towles 2004, chapter 16",
        .example = "metapath latency mesh:4x4 --vcs 2 --buffer 4 --credit-loop 5"),
    TERM(.name = "cut-through",
        .summary = "virtual cut-through: a message is passed on as soon as its head arrives, and a message that waits "
          "moves into a buffer, off the links it came over",
        .notes = "See also: wormhole, store-and-forward, circuit.",
        .source = "Kermani and Kleinrock 1979",
        .example = "metapath latency torus:4x4 --switching cut-through"),
    TERM(.name = "cycle",
        .summary = "the unit of time: what a link takes to transmit one flit",
        .notes = "With --line-rate and --flit it is known in seconds: 32 B over 200 Gb/s take 1.28 ns.\n\nSee also: "
          "flit, latency."),
    TERM(.name = "dateline",
        .summary = "a link of each ring behind which messages wait for another class of channels",
        .notes = "No message goes round a ring far enough to close a cycle of both classes, so that two virtual "
          "channels free dimension order on a torus of deadlock.\n\nSee also: deadlock, channel-class, "
          "dimension-order.",
        .source = "Dally and Seitz 1987",
        .example = "metapath deadlock torus:8x8 --classes dateline"),
    TERM(.name = "deadlock",
        .summary = "messages that hold links and wait for each other in a ring, for good",
        .notes = "It can happen where channel dependencies form a cycle, which `metapath deadlock` finds. Networks "
          "avoid it by classes of virtual channels or by routings such as updown. The models of latency and broadcasts "
          "leave it out, or say in a note where it may happen. Processes that call blocking sends and receives can "
          "deadlock as well.\n\nSee also: dependency, channel-class, dateline, wormhole.",
        .source = "Dally and Seitz 1987",
        .example = "metapath deadlock torus:8x8 --show cycle"),
    TERM(.name = "decision-map",
        .summary = "a figure of who is the best where, by colour, and by how much, in lines or numbers",
        .notes = "Every value along either axis has a cell of its own, with a boundary half way to the next.\n\nSee "
          "also: configuration.",
        .example = "metapath tune allreduce fattree:4 --processes 4..16..x2 --plot map.svg"),
    TERM(.name = "dependency",
        .summary = "between two channels, or links: some message may hold the one and wait for the other",
        .notes = "Dependencies that close no cycle prove that there is no deadlock.\n\nSee also: deadlock, "
          "channel-class.",
        .source = "Dally and Seitz 1987",
        .example = "metapath deadlock torus:4x4 --show dependencies"),
    TERM(.name = "deviation",
        .summary = "the standard deviation, of the whole population",
        .notes = "In the unit of the mean beside it: the larger, the more unequal are the pairs or channels.",
        .example = "metapath stats torus:16x16"),
    TERM(.name = "diameter",
        .summary = "the number of hops between the two terminals that are farthest apart",
        .notes = "See also: hop, mean-distance, moore-bound.",
        .example = "metapath topo torus:8x8 midimew:64"),
    TERM(.name = "dimension-order",
        .summary = "routing that crosses one dimension of a grid completely before the next",
        .notes = "Each pair has one path. It is free of deadlock on meshes. Here it is called dor, and crosses the "
          "last dimension first.\n\nSee also: ecmp, valiant, deadlock.",
        .source = "Sullivan and Bashkow 1977; Dally and Seitz 1987",
        .example = "metapath bound worst torus:8x8 --routing dor"),
    TERM(.name = "ecmp",
        .summary = "equal-cost multipath: at each node, equal shares for all links that lie on a shortest path to the "
          "destination",
        .notes = "It balances load without knowing it, as the routers of data centres do.\n\nSee also: "
          "dimension-order, valiant.",
        .source = "Hopps 2000 (RFC 2992)",
        .example = "metapath latency fattree:4 --routing ecmp --load 50%"),
    TERM(.name = "edge-connectivity",
        .summary = "the fewest cables whose failure can cut a network into two parts",
        .notes = "Counted in cables; the halves need not be equal.\n\nSee also: bisection.",
        .source = "Menger 1927",
        .example = "metapath topo torus:4x4 --connectivity exact"),
    TERM(.name = "escape-channel",
        .summary = "a virtual channel that takes messages to their destination by one path, whatever happens elsewhere",
        .notes = "An adaptive router may send a message over any hop as long as it can go on over an escape channel at "
          "every node: if what waits for what on these closes no cycle, nothing blocks for good.\n\nSee also: "
          "adaptive-routing, virtual-channel, dependency.",
        .source = "Duato 1993",
        .example = "metapath deadlock torus:4x4 --routing adaptive --classes none,dateline"),
    TERM(.name = "failure",
        .summary = "a cable or node that is out: a network with failures is a network of its own, for every command",
        .notes = "Said by the key fail= of a topology. Such a network has lost the symmetry of its family, and so "
          "what takes milliseconds on the whole one may take long; failures that part the terminals are "
          "refused.\n\nSee also: topology, cable.",
        .example = "metapath compare torus:4x4 torus:4x4,fail=random:3:1"),
    TERM(.name = "fat-tree",
        .summary = "a tree of switches whose links grow towards the root, so that the middle is no bottleneck",
        .notes = "`fattree:K` builds it from equal switches with K ports: three levels, K^3/4 hosts. Every half of "
          "the hosts can send to the other half at full rate.\n\nSee also: bisection, switch.",
        .source = "Leiserson 1985; Al-Fares, Loukissas and Vahdat 2008",
        .example = "metapath topo fattree:4"),
    TERM(.name = "flit",
        .summary = "the piece of a message that a link transmits in one cycle",
        .notes = "Lengths of messages are in flits. Multiply by the width of your links (in bytes) to have "
          "bytes.\n\nSee also: packet, cycle.",
        .source = "Dally and Towles 2004, chapter 12",
        .example = "metapath latency torus:4x4 --packet 16"),
    TERM(.name = "gap",
        .summary = "how far the solution found can be from the best possible one, in percent",
        .notes = "A bound with gap 0 is exact. `--gap 1%` stops a long computation as soon as the answer is proved to "
          "be within 1 percent.\n\nSee also: throughput, price.",
        .example = "metapath bound throughput random:32,degree=4 --gap 1%"),
    TERM(.name = "gravity-area",
        .summary = "the nodes within r hops of a node, used as its supernode",
        .notes = "`sga:r` (single) takes the area around the source, `dga:r` (double) one around the source and one "
          "around the destination.\n\nSee also: supernode, metapath.",
        .source = "Franco, Garces and Luque 1999",
        .example = "metapath stats torus:16x16 --supernode sga:1,sga:2,dga:1"),
    TERM(.name = "hop",
        .summary = "one link crossed by a message",
        .notes = "Distances and path lengths are in hops. Between hosts of a fat tree or a dragonfly the links from "
          "and to the hosts count as well.\n\nSee also: diameter, mean-distance.",
        .example = "metapath topo torus:8x8 fattree:4"),
    TERM(.name = "hotspot",
        .summary = "a node, or a link, that gets much more traffic than the others",
        .notes = "See also: traffic, bottleneck.",
        .source = "Pfister and Norton 1985",
        .example = "metapath latency torus:4x4 --traffic hotspot:0,share=0.2"),
    TERM(.name = "interval",
        .summary = "the mean time between two messages of a source, in cycles",
        .notes = "Closed sources count it from the arrival of the last message. The shorter the interval, the higher "
          "the load: load = packet / interval.\n\nSee also: load, rate, closed-sources.",
        .example = "metapath latency torus:8x8 --interval 400,200,100"),
    TERM(.name = "latency",
        .summary = "the time from when a source has a message to send until its last flit arrives, in cycles",
        .notes = "It is the zero-load latency plus all waits: those for links and, of an open source, that before the "
          "message can enter the network, which has a column of its own.\n\nSee also: zero-load-latency, contention.",
        .source = "Dally and Towles 2004, section 3.3",
        .example = "metapath latency torus:8x8 --load 10%..90%..20%"),
    TERM(.name = "lengthening",
        .summary = "by how many percent the mean length of a metapath exceeds that of shortest paths",
        .notes = "It is the price of spreading messages over more links. Destinations within the supernode are "
          "left out of the metapaths but not of the shortest paths, as in the published tables, so that large "
          "supernodes on small networks look dearer than they are.\n\nSee also: metapath, width.",
        .source = "Franco, Garces and Luque 1999",
        .example = "metapath stats torus:16x16"),
    TERM(.name = "link",
        .summary = "a wire in one direction; a cable is two links, one each way",
        .notes = "A link of bandwidth 1 transmits one flit per cycle.\n\nSee also: hop, cable, bandwidth, channel.",
        .example = "metapath topo torus:4x4"),
    TERM(.name = "load",
        .summary = "what each source offers to the network, in flits per node and cycle",
        .notes = "1 means that a source would keep a link busy all the time. `--load 50%` means half of the "
          "saturation of the network, routing and traffic at hand. `--load 50%b` means half of what uniform traffic "
          "can send through the bisection, whatever the routing: 2B/N, of B links that cross it, both ways, and N "
          "nodes; so 100%b is 0.5 on mesh:8x8 and 1 on torus:8x8; of networks whose bisection is known "
          "by bounds alone it is refused.\n\nSee also: interval, rate, saturation, "
          "capacity, bisection.",
        .source = "Dally and Towles 2004, chapter 23",
        .example = "metapath latency torus:8x8 --load 10%..90%..20%"),
    TERM(.name = "makespan",
        .summary = "the number of steps until the last process has the message of a broadcast",
        .notes = "See also: steps, serialised, ports.",
        .example = "metapath bcast mesh:4x4 --ports 1"),
    TERM(.name = "mean-distance",
        .summary = "the mean number of hops between two different terminals, by shortest paths",
        .notes = "See also: hop, diameter.",
        .example = "metapath topo torus:8x8 hypercube:6"),
    TERM(.name = "metapath",
        .summary = "all multistep paths of a source and a destination, which share their messages",
        .notes = "Its length is the mean of their lengths, in hops; its width is their number.\n\nSee also: "
          "multistep-path, supernode, width, lengthening.",
        .source = "Franco, Garces and Luque 1999",
        .example = "metapath stats torus:16x16 --supernode static,sga:1,random"),
    TERM(.name = "moore-bound",
        .summary = "the smallest diameter that any network with so many nodes of that degree could have",
        .notes = "In hops. Around a node of degree d there are at most d (d-1)^(k-1) nodes at distance k; the bound "
          "of Cerf and others on the mean distance counts the same way.\n\nSee also: diameter, mean-distance.",
        .source = "Hoffman and Singleton 1960; Cerf, Cowan, Mullin and Stanton 1974",
        .example = "metapath topo torus:8x8 midimew:64"),
    TERM(.name = "multistep-path",
        .summary = "a path over intermediate nodes: from the source to a node near it, to a node near the "
          "destination, to the destination",
        .notes = "Each step is a shortest path. Its length is in hops.\n\nSee also: metapath, supernode.",
        .source = "Franco, Garces and Luque 1999",
        .example = "metapath topo torus:8x8 --highlight metapath:sga:1:0.0-3.3 --plot m.svg"),
    TERM(.name = "open-sources",
        .summary = "sources that send at random times, whatever the network does",
        .notes = "Messages that cannot enter queue at the source, and beyond saturation these queues grow without "
          "end. Simulators such as BookSim use open sources.\n\nSee also: closed-sources, load, saturation.",
        .source = "Schroeder, Wierman and Harchol-Balter 2006",
        .example = "metapath latency torus:8x8 --loop open --load 10%..90%..20%"),
    TERM(.name = "packet",
        .summary = "a message, sent as a whole along one path; its length is in flits",
        .notes = "A link takes one cycle per flit, so that the length is also the transmission time in cycles.\nSee "
          "also: flit, latency.",
        .source = "Dally and Towles 2004, chapter 12",
        .example = "metapath latency torus:4x4 --packet 16 --load 50%"),
    TERM(.name = "percentile",
        .summary = "of latency: what so many percent of all messages do not exceed; the median is the 50th",
        .notes = "`median_latency_cycles`, `p95_latency_cycles` and `p99_latency_cycles` stand in CSV and JSON, or by "
          "--columns: zero-load latencies as they are, and waits of the shape that queues have. Within 10 % of "
          "flit-level simulation, nearly always where the mean is within 5 %. Where that is not known they "
          "are empty: rows that are not `valid`, one buffered channel (for each class), "
          "--crossbar speedup, --interleave packets, circuits, links of unlike bandwidth, messages of unlike "
          "length.\n\nSee also: latency, validity.",
        .source = "Kleinrock 1975, chapter 5",
        .example = "metapath latency mesh:8x8 --columns load,p95_latency_cycles"),
    TERM(.name = "permutation",
        .summary = "traffic in which each node sends to one other node, and no two to the same",
        .notes = "The traffic that is worst for a routing that does not react to load is always a permutation.\nSee "
          "also: traffic, worst-case.",
        .source = "Towles and Dally 2002",
        .example = "metapath bound worst torus:4x4 --routing dor --show permutation"),
    TERM(.name = "placement",
        .summary = "which node each process of a parallel program runs on",
        .notes = "In order of the terminals, at random, or by a list; of collectives several a node, as in the host "
          "files of MPI.\n\nSee also: process-tree, steps, terminal.",
        .example = "metapath bcast mesh:4x4 --processes 8 --placement random"),
    TERM(.name = "policy",
        .summary = "a rule by which sources, or routers, divide messages among paths with the load",
        .notes = "`metapath list policy` names them.\n\nSee also: metapath, routing.",
        .source = "Franco, Garces and Luque 1999",
        .example = "metapath bound split torus:4x4 --traffic tornado -s sga:1"),
    TERM(.name = "ports",
        .summary = "how many messages a process may send at the same time in a broadcast",
        .notes = "1 is a node with one network interface that serves one message after the other; `all` is one that "
          "uses all of its links at once.\n\nSee also: steps, blocking.",
        .source = "Johnsson and Ho 1989",
        .example = "metapath bcast torus:4x4 --ports 1,2,all"),
    TERM(.name = "price",
        .summary = "how much the throughput would grow if one link had one more unit of capacity",
        .notes = "It is the dual value of the link in the linear program. Links that are not full have price 0, and "
          "where several links limit the flow together, one more cable at one of them may gain nothing: `--try` "
          "finds out.\n\nSee also: throughput, gap.",
        .source = "Chvatal 1983, chapter 5",
        .example = "metapath bound throughput random:16,degree=3 --show prices --try 3"),
    TERM(.name = "process-tree",
        .summary = "who sends to whom in a broadcast, and in which order",
        .notes = "By ranks alone (sequential, binary, binomial, chain), or for the network, the placement and the "
          "root (breadth-first, shortest-path, minimum-spanning, earliest-arrival, two-level; where they are "
          "named, magpie, multilevel, max-bandwidth). `metapath list algorithm` names them.\n\nSee also: placement, ports, steps.",
        .source = "Thakur, Rabenseifner and Gropp 2005; Karonis and others 2000",
        .example = "metapath bcast torus:4x4 --ports 1 --algorithm binomial,breadth-first"),
    TERM(.name = "quality",
        .summary = "how a number was found: exact, by proved bounds, sampled, or refused",
        .notes = "A column of most tables, in text only where rows differ or `--wide` is given. `refused` means "
          "that the row could not be computed; a note gives the reason.\n\nSee also: validity, gap, sampled.",
        .example = "metapath topo torus:8x8 midimew:64 -f csv"),
    TERM(.name = "rate",
        .summary = "how many messages a source sends per cycle: 1 / interval",
        .notes = "See also: interval, load.",
        .example = "metapath latency torus:8x8 --rate 0.005,0.01"),
    TERM(.name = "replication",
        .summary = "a run of a simulation again, with other random numbers",
        .notes = "What differs between replications tells how far their mean may be off: +- is half of the interval in "
          "which it lies with 95 %, by Student's distribution.\n\nSee also: warm-up, steady-state.",
        .source = "Law 2015, chapter 9",
        .example = "metapath simulate mesh:4x4 --load 0.3 --replications 5"),
    TERM(.name = "routing",
        .summary = "the rule that says over which links a message goes",
        .notes = "`metapath list routing` names them. A routing may split messages between several paths by fixed "
          "shares; one that reacts to load is called a policy here.\n\nSee also: dimension-order, ecmp, valiant, "
          "policy.",
        .example = "metapath latency torus:8x8 --traffic transpose --routing dor,ecmp --load 50%"),
    TERM(.name = "sampled",
        .summary = "of means: estimated from some of the sources, drawn at random, with `--sources N`",
        .notes = "Each source is drawn once at most, by `--seed`, and counts with all its destinations. Columns beside "
          "the mean have its standard error (by the jackknife, less what is known because the sources are finitely "
          "many) and half of the 95 % confidence interval (+-, by Student's distribution). What is the same seen from "
          "few sources as from all is sure; what few sources are like may be missed, and the error with it: on a "
          "star, +- is 0 unless the hub was drawn. The "
          "diameter, and the longest metapath, are at least what was seen. Where one source stands for all, and "
          "where N reaches their number, nothing is drawn. `latency` draws pairs instead, since sources that stood for "
          "others would crowd the links beside them: with all terminals in a circle at random, each sends to those at "
          "N distances (traffic sampled:N), and its table has no errors; other seeds show them.\n\nSee also: "
          "quality.",
        .source = "Cochran 1977, chapter 2; Tukey 1958",
        .example = "metapath topo random:20000,degree=5 --sources 100"),
    TERM(.name = "saturation",
        .summary = "the load beyond which open sources' queues grow without end, so that there is no steady latency",
        .notes = "It is in flits per node and cycle, or as the interval in cycles that gives that load. It lies at or "
          "below the capacity, since messages that wait may hold links that others need.\n\nSee also: capacity, "
          "load, open-sources, throughput.",
        .source = "Dally and Towles 2004, chapter 23",
        .example = "metapath latency torus:8x8 --routing dor,valiant"),
    TERM(.name = "scenario",
        .summary = "a table of latencies that change while processes broadcast: before,a,b,latency",
        .notes = "Before that broadcast (0: before trees are built) messages between processes a and b begin to take so "
          "long; `down`: the link is gone. Rows come in the order of time; a table with a column scenario has several, "
          "and one is named as in FILE:NAME.\n\nSee also: break-even, process-tree.",
        .source = "collectives over wide areas (V. A. C. Thome 2006), sections 4.3 to 4.5",
        .example = "metapath tree torus:4x4 --broadcasts 5 --algorithm magpie,adaptive"),
    TERM(.name = "serialised",
        .summary = "the hops of all messages of a broadcast, added up",
        .notes = "That is the time if only one message moved at a time, as on a bus.\n\nSee also: makespan, hop.",
        .source = "paper on reconfigurable MPI collectives, section 5",
        .example = "metapath bcast ring:8 --ports 1"),
    TERM(.name = "spec",
        .summary = "a line of text that names a network, routing or traffic, as in torus:8x8",
        .notes = "It is a name, then a colon and a value, then keys: random:64,degree=4. `metapath help NAME` "
          "explains the keys.",
        .example = "metapath list topology"),
    TERM(.name = "steady-state",
        .summary = "of a simulation: latencies have ceased to grow, and as much arrives as is sent",
        .notes = "Beyond saturation there is none: what waits at the sources grows as long as the run goes on, and so "
          "does the mean latency.\n\nSee also: warm-up, saturation, accepted-load.",
        .source = "White 1997; Dally and Towles 2004, chapter 23",
        .example = "metapath simulate mesh:4x4 --load 0.3 --replications 1 --show windows"),
    TERM(.name = "steps",
        .summary = "the unit of time of broadcasts: what one message takes to cross one link",
        .notes = "Messages are stored and forwarded, so that a message over three links takes three steps.\n\nSee "
          "also: makespan, ports, store-and-forward.",
        .source = "Hedetniemi, Hedetniemi and Liestman 1988",
        .example = "metapath bcast mesh:2x2 --algorithm binomial --ports 1 --show schedule"),
    TERM(.name = "store-and-forward",
        .summary = "a node receives a message completely before it sends it on",
        .notes = "Latency, in cycles, grows with the product of hops and message length.\n\nSee also: cut-through, "
          "wormhole, steps.",
        .source = "Dally and Towles 2004, chapter 13",
        .example = "metapath bcast mesh:4x4 --ports 1"),
    TERM(.name = "supernode",
        .summary = "the set of nodes over which a source spreads its messages",
        .notes = "`metapath list supernode` names the shapes: a row, a plane, a gravity area, all nodes.\n\nSee also: "
          "metapath, gravity-area, width.",
        .source = "Franco, Garces and Luque 1999",
        .example = "metapath stats torus:16x16 --supernode row:4,sga:1"),
    TERM(.name = "switch",
        .summary = "a node that passes messages on but neither sends nor receives its own",
        .notes = "Networks without switches (torus, mesh, hypercube) are called direct: there each node is a host and "
          "its own switch.\n\nSee also: terminal, fat-tree.",
        .example = "metapath topo fattree:4 dragonfly,a=4,p=2,h=2"),
    TERM(.name = "terminal",
        .summary = "a node that sends and receives messages: a host",
        .notes = "Every node is a terminal, unless the network has switches. Mean values are over pairs of "
          "terminals.\n\nSee also: switch.",
        .example = "metapath topo fattree:4 torus:4x4"),
    TERM(.name = "throughput",
        .summary = "the most that every node can send at the same time, in parts of what a link carries",
        .notes = "The bound is the maximum concurrent flow: no routing can deliver more of this traffic. 0.5 means "
          "half a flit per node and cycle.\n\nSee also: saturation, gap, price, bisection.",
        .source = "Shahrokhi and Matula 1990",
        .example = "metapath bound throughput torus:8x8 --traffic transpose"),
    TERM(.name = "topology",
        .summary = "a family of networks by its name, or a file; every one has the keys below",
        .synopsis = "TOPOLOGY[,bandwidth=B][,latency=CYCLES][,fail=A-B]",
        .keys = cables_keys,
        .notes = "Without them all links are alike: of bandwidth 1, which is one flit a cycle, and no length. Per "
          "dimension: hyperx:4x4,bandwidth=4+1. Classes of links have keys of their own, fattree:4,core-bandwidth=2. "
          "With units: torus:8x8,bandwidth=200Gb/s,latency=100ns. Out: a cable, torus:8x8,fail=0.0-0.1; a node, "
          "fattree:4,fail=switch:35; three cables drawn with seed 7, mesh:8x8,fail=random:3:7; several joined by +. "
          "In files they are columns or attributes of edges (`metapath help file`).\n\nSee also: spec, link.",
        .example = "metapath topo torus:8x8,bandwidth=2+1,fail=0.0-0.1"),
    TERM(.name = "traffic",
        .summary = "who sends to whom, and how much",
        .notes = "`metapath list traffic` names the patterns; a CSV file can give channels of your own.\n\nSee also: "
          "channel, permutation, hotspot.",
        .source = "Dally and Towles 2004, section 3.2",
        .example = "metapath latency torus:8x8 --traffic uniform,transpose --load 50%"),
    TERM(.name = "untested",
        .summary = "a validity: the model was not held against simulation at that load, or for such routers",
        .notes = "It may still be right. How far off it was elsewhere says the guide's chapter on routers.\n\nSee "
          "also: validity, saturation.",
        .example = "metapath latency mesh:4x4 --load 50%,90%"),
    TERM(.name = "utilisation",
        .summary = "the part of the time in which a link is held by a message, from 0 to 1",
        .notes = "It includes the time in which the message holds the link but waits.\n\nSee also: busy, wormhole.",
        .example = "metapath latency mesh:4x4 --load 50% --show links"),
    TERM(.name = "valiant",
        .summary = "Valiant's routing: each message goes to a node drawn at random first, and from there to its "
          "destination",
        .notes = "It makes every traffic look uniform, so that the worst case is good, and paths twice as long.\nSee "
          "also: dimension-order, ecmp, worst-case.",
        .source = "Valiant and Brebner 1981; Valiant 1982",
        .example = "metapath bound worst torus:8x8 --routing dor,valiant"),
    TERM(.name = "validity",
        .summary = "whether the model may be trusted for that row",
        .notes = "`valid` means yes. Otherwise a word names the reason, and a note below the table explains it. Open "
          "sources are valid as far as the model was held against simulation and network latency found right within "
          "10 %: with several virtual channels up to 0.65 of the model's own saturation (where messages spread over "
          "next hops 0.6, permutations that do so 0.25; over metapaths, with packets or speedup 0.5; over other ways "
          "0.35), with one buffered channel up to 0.7, with messages that hold their links, or buffers without limit, "
          "up to 0.8 (permutations that spread: without limit 0.6); beyond, "
          "and with routers that were not simulated (buffers of less than a quarter of a message, an eighth with one "
          "channel, more than 16 channels, credit loops of more than 1.25 buffers), rows are "
          "`untested`.\n\nSee also: saturation, quality.",
        .example = "metapath latency torus:8x8"),
    TERM(.name = "virtual-channel",
        .summary = "one of several queues that share a link, each with a buffer of its own at the far end",
        .notes = "Messages in different channels pass each other, and their flits take turns on the link. Classes of "
          "channels break the cycles in which messages would wait for each other for good.\n\nSee also: wormhole, "
          "cut-through, deadlock.",
        .source = "Dally 1992",
        .example = "metapath latency torus:4x4 --vcs 2 --buffer 16"),
    TERM(.name = "warm-up",
        .summary = "the first part of a simulation, which does not count: the network begins empty",
        .notes = "Unless `--warmup` says how long it is, that without which the mean of the rest is the surest "
          "(MSER).\n\nSee also: steady-state, replication.",
        .source = "White 1997",
        .example = "metapath simulate mesh:4x4 --load 0.3 --warmup 5000"),
    TERM(.name = "width",
        .summary = "the number of multistep paths of a metapath",
        .notes = "More paths share the load of a pair among more links.\n\nSee also: metapath, lengthening.",
        .source = "Franco, Garces and Luque 1999",
        .example = "metapath stats torus:16x16"),
    TERM(.name = "wormhole",
        .summary = "a message follows its head through the network flit by flit, and holds all links that it occupies "
          "while the head waits",
        .notes = "It needs small buffers only, but a message that waits blocks others.\n\nSee also: cut-through, "
          "deadlock.",
        .source = "Dally and Seitz 1986",
        .example = "metapath latency torus:4x4 --switching wormhole"),
    TERM(.name = "worst-case",
        .summary = "what every node can still send under the traffic that a routing serves worst",
        .notes = "In parts of what a link carries, per node.\n\nSee also: permutation, throughput, valiant.",
        .source = "Towles and Dally 2002",
        .example = "metapath bound worst torus:8x8 --routing dor,ecmp,valiant"),
    TERM(.name = "zero-load-latency",
        .summary = "the latency of a message that meets no other message, in cycles",
        .notes = "It is the transmission time of the message plus the time its head takes over its hops.\n\nSee also: "
          "latency, hop, packet.",
        .source = "Dally and Towles 2004, section 3.3",
        .example = "metapath latency torus:4x4 --load 1%"),
    NULL
};

const struct kind kind_term = { .name = "term", .what = "word", .rank = 30, .entry = term };
