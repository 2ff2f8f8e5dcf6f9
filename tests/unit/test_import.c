/* Networks from files: what is read, and what is said of files that are wrong. A new case is a new row. */
#include <string.h>
#include <unistd.h>

#include "graph/base/num.h"
#include "graph/import/import.h"
#include "tests/support/check.h"

#define XML "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
#define WEIGHT(type) "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"" type "\"/>"
#define ATTR(name) "<key id=\"k\" for=\"node\" attr.name=\"" name "\" attr.type=\"string\"/>"
#define UND "\n<graph edgedefault=\"undirected\">\n"
#define DIR "\n<graph edgedefault=\"directed\">\n"
#define END "</graph></graphml>\n"
#define N(id) "<node id=\"" id "\"/>\n"
#define NK(id, value) "<node id=\"" id "\"><data key=\"k\">" value "</data></node>\n"
#define E(from, to) "<edge source=\"" from "\" target=\"" to "\"/>\n"
#define EDGE_KEY(id, name, type) "<key id=\"" id "\" for=\"edge\" attr.name=\"" name "\" attr.type=\"" type "\"/>"
#define D(key, value) "<data key=\"" key "\">" value "</data>"
#define ED(from, to, data) "<edge source=\"" from "\" target=\"" to "\">" data "</edge>\n"
#define EW(from, to, w) "<edge source=\"" from "\" target=\"" to "\"><data key=\"w\">" w "</data></edge>\n"

#define IB_SWITCH "switchguid=0x200000(200000)\nSwitch\t40 \"S-1\"\t\t# \"leaf one\" enhanced port 0 lid 1 lmc 0\n"
#define IB_PORT(port, id, other, speed) "[" port "]\t\"H-" id "\"[" other "](0) \t\t# \"x\" lid 2 4x" speed "\n"
#define IB_CA(id, ports, says) "\ncaguid=0x100000\nCa\t" ports " \"H-" id "\"\t\t# \"" says "\"\n"
#define IB_UP(port, other, speed) "[" port "](10000" port ") \t\"S-1\"[" other "]\t\t# lid 2 lmc 0 \"x\" lid 1 4x" speed \
    "\n"

struct row {
    const char *file;           /* name; its extension picks the format */
    const char *what;
    const char *text;
    const char *want;           /* the network as show() tells it, or part of the message */
    enum import_direction direction;
    const char *format;
    size_t len;                 /* 0: that of the string */
};

/* "*2", or "*2/4" where the directions differ, of edge e. */
static void show_values(FILE *f, const char *sign, const double *value, size_t e)
{
    char number[32];

    if (!value)
        return;
    fprintf(f, "%s%s", sign, num_shortest(number, value[2 * e]));
    if (value[2 * e + 1] != value[2 * e])
        fprintf(f, "/%s", num_shortest(number, value[2 * e + 1]));
}

/* "undirected 3: a-b=2.5*4+7{p,q} b-c=1*4/1+0{,} [T.T]": weights, bandwidths, lengths, ports where there are any, kinds
 * where they are known. */
static char *show(const struct import *in)
{
    char *text = NULL, number[32];
    size_t len;
    FILE *f = open_memstream(&text, &len);

    assert_non_null(f);
    fprintf(f, "%sdirected %d:", in->directed ? "" : "un", in->n);
    for (size_t e = 0; e < in->nedge; e++) {
        for (int side = 0; side < 2; side++) {
            int v = in->end[2 * e + (size_t)side];

            fputs(side ? in->directed ? ">" : "-" : " ", f);
            if (in->name)
                fputs(in->name[v], f);
            else
                fprintf(f, "%d", v);
        }
        if (in->weight)
            fprintf(f, "=%s", num_shortest(number, in->weight[e]));
        show_values(f, in->rates ? "*b/s " : "*", in->bandwidth, e);
        show_values(f, in->times ? "+s " : "+", in->length, e);
        if (in->port)
            fprintf(f, "{%s,%s}", in->port[2 * e], in->port[2 * e + 1]);
    }
    for (int v = 0; in->kind && v < in->n; v++)
        fprintf(f, "%s%c%s", v ? "" : " [", in->kind[v] ? 'T' : 's', v + 1 < in->n ? "" : "]");
    assert_int_equal(fclose(f), 0);
    return text;
}

static const struct row valid[] = {
    { "a.edges", "numbers", "0 1\n1 2\n", "undirected 3: 0-1 1-2", 0, 0, 0 },
    { "a.edges", "counted from 1", "1 2\n3 1\n", "undirected 3: 1-2 1-3", 0, 0, 0 },
    { "a.edges", "no newline at the end", "0 1\n1 2", "undirected 3: 0-1 1-2", 0, 0, 0 },
    { "a.edges", "CRLF, tabs, byte order mark", "\xef\xbb\xbf" "0\t1\r\n\r\n1\t2\r\n", "undirected 3: 0-1 1-2", 0, 0,
      0 },
    { "a.edges", "lone CR", "0 1\r1 2\r", "undirected 3: 0-1 1-2", 0, 0, 0 },
    { "a.edges", "lower end first", "2 0\n1 2\n", "undirected 3: 0-2 1-2", 0, 0, 0 },
    { "a.edges", "a gap is a node", "0 1\n3 1\n", "undirected 4: 0-1 1-3", 0, 0, 0 },
    { "a.edges", "names", "alpha beta\nbeta 7\n", "undirected 3: alpha-beta beta-7", 0, 0, 0 },
    { "a.edges", "a leading zero makes names", "01 02\n02 3\n", "undirected 3: 01-02 02-3", 0, 0, 0 },
    { "a.edges", "comments", "# head\n% head\n  # x\n0 1 # tail\n1 2 %tail\n", "undirected 3: 0-1 1-2", 0, 0, 0 },
    { "a.edges", "a comment sign inside a name", "a#1 b%2\n", "undirected 2: a#1-b%2", 0, 0, 0 },
    { "a.edges", "weights", "0 1 2.5\n1 2 0\n", "undirected 3: 0-1=2.5 1-2=0", 0, 0, 0 },
    { "a.edges", "networkx without weights", "0 1 {}\n1 2 {'color': 'red, {blue}'}\n", "undirected 3: 0-1 1-2", 0, 0,
      0 },
    { "a.edges", "networkx with weights", "0 1 {'weight': 2.5}\n1 2 {'a': {'weight': 9}, \"weight\": 1e-1, 'b': [1]}\n",
      "undirected 3: 0-1=2.5 1-2=0.1", 0, 0, 0 },
    { "a.edges", "every edge both ways", "0 1 2\n1 0 2\n2 1 3\n1 2 3\n", "undirected 3: 0-1=2 1-2=3", 0, 0, 0 },
    { "a.edges", "directed both ways", "0 1\n1 0\n1 2\n", "directed 3: 0>1 1>0 1>2", IMPORT_DIRECTED, 0, 0 },
    { "a.txt", "an extension", "0 1\n", "undirected 2: 0-1", 0, 0, 0 },
    { "a.EDGES", "an extension in capitals", "0 1\n", "undirected 2: 0-1", 0, 0, 0 },
    { "x/y.d/a", "by its looks: edges", "# x\n0 1\n", "undirected 2: 0-1", 0, 0, 0 },
    { "a", "by its looks: gml", "Creator \"x\"\nVersion 1\ngraph\n[ node [ id 3 ] ]\n", "undirected 1:", 0, 0, 0 },
    { "a", "by its looks: graphml", XML UND N("a") END, "undirected 1:", 0, 0, 0 },
    { "a", "by its looks: csv", "source,target\n0,1\n", "undirected 2: 0-1", 0, 0, 0 },
    { "a", "by its looks: adjacency", "0,1\n1,0\n", "undirected 2: 0-1", 0, 0, 0 },
    { "a.gml", "a format that was named", "0 1\n", "undirected 2: 0-1", 0, "edges", 0 },

    { "a.csv", "columns in any order, others ignored", "note,Target , weight,source\nx,1,2.5,0\n\"a,b\",2,1,1\n",
      "undirected 3: 0-1=2.5 1-2=1", 0, 0, 0 },
    { "a.csv", "names with blanks and commas", "source,target\n\"big, one\",  small one \n", "undirected 2: big, "
      "one-small one", 0, 0, 0 },
    { "a.csv", "directed", "source,target\n0,1\n1,0\n", "directed 2: 0>1 1>0", IMPORT_DIRECTED, 0, 0 },
    { "a.csv", "matrix of ones", "0,1,0\n1,0,1\n0,1,0\n", "undirected 3: 0-1 1-2", 0, 0, 0 },
    { "a.csv", "matrix with names", ",a,b,c\r\na,0,1.5,0\r\nb,1.5,0,1\r\nc,0,1,0\r\n", "undirected 3: a-b=1.5 b-c=1", 0,
      0, 0 },
    { "a.csv", "matrix with names above only", "a,b\n0,1\n1,0\n", "undirected 2: a-b", 0, 0, 0 },
    { "a.csv", "matrix with numbers above", "0,1\n0,1\n1,0\n", "undirected 2: 0-1", 0, 0, 0 },
    { "a.csv", "pandas' matrix", ",0,1\n0,0.0,1.0\n1,1.0,0.0\n", "undirected 2: 0-1", 0, 0, 0 },
    { "a.adj", "asymmetric matrix", "0,1,0\n1,0,3\n0, 0 ,0\n", "directed 3: 0>1=1 1>0=1 1>2=3", 0, 0, 0 },
    { "a.adj", "one node", "0\n", "undirected 1:", 0, 0, 0 },

    { "a.gml", "plain", "graph [ node [ id 1 ] node [ id 5 ] edge [ source 5 target 1 ] ]", "undirected 2: 1-5", 0, 0,
      0 },
    { "a.gml", "ids that are the numbers", "graph [ node [ id 0 ] node [ id +01 ] edge [ source 1 target 0 ] ]",
      "undirected 2: 0-1", 0, 0, 0 },
    { "a.gml", "edges first, comments, lists to skip", "# c\nCreator \"me ]\"\ngraph [\n# d\n directed 1\n edge [ "
      "target 4 source 9 weight 2 graphics [ id 7 w 1.0 ] ]\n node [ id 4 label \"four\" graphics [ id 9 ] ]\n node [ "
      "id 9 label \"nine\" ]\n]\n", "directed 2: nine>four=2", 0, 0, 0 },
    { "a.gml", "labels that do not tell apart", "graph [ node [ id 3 label \"x\" ] node [ id 4 label \"x\" ] "
      "edge [ source 3 target 4 ] ]", "undirected 2: 3-4", 0, 0, 0 },
    { "a.gml", "kinds", "graph [ node [ id 0 type \"Host\" ] node [ id 1 type \"router\" ] edge [ source 1 target 0 ] "
      "]", "undirected 2: 0-1 [Ts]", 0, 0, 0 },
    { "a.gml", "a type that is something else", "graph [ node [ id 0 type \"core\" ] node [ id 1 type \"edge\" ] ]",
      "undirected 2:", 0, 0, 0 },

    { "a.graphml", "ids as names", XML UND N("n0") N("n1") E("n1", "n0") END, "undirected 2: n0-n1", 0, 0, 0 },
    { "a.graphml", "directed, with weights", XML WEIGHT("double") DIR N("n0") N("n1") EW("n1", "n0", "2.5") END,
      "directed 2: n1>n0=2.5", 0, 0, 0 },
    { "a.xml", "edges before their nodes", XML WEIGHT("int") UND "<edge target=\"b\" source=\"c\"><data "
      "key=\"w\">3</data></edge>" EW("a", "b", "4") N("a") N("b") N("c") END, "undirected 3: b-c=3 a-b=4", 0, 0, 0 },
    { "a.graphml", "a default weight", XML "<key id=\"w\" for=\"edge\" attr.name=\"weight\" "
      "attr.type=\"double\"><default>7</default></key>" UND N("a") N("b") N("c") E("a", "b") EW("b", "c", "2") END,
      "undirected 3: a-b=7 b-c=2", 0, 0, 0 },
    { "a.graphml", "names", XML ATTR("name") UND NK("x", "Madrid") NK("y", "S\xc3\xa3o Paulo") E("x", "y") END,
      "undirected 2: Madrid-S\xc3\xa3o Paulo", 0, 0, 0 },
    { "a.graphml", "kinds", XML ATTR("kind") UND NK("x", "terminal") NK("y", "switch") NK("z", "host") E("x",
      "y") E("y", "z") END, "undirected 3: x-y y-z [TsT]", 0, 0, 0 },
    { "a.graphml", "references, comments, CDATA", XML "<!-- <node id='q'> -->" UND "<desc><![CDATA[<node "
      "id='r'/>]]></desc>" N("a&amp;b") "<node id='&#x41;&#xe9;'/>" E("A\xc3\xa9", "a&#38;b") END, "undirected 2: "
      "a&b-A\xc3\xa9", 0, 0, 0 },
    { "a.graphml", "a document type with [ and > in quotes", "<!DOCTYPE graphml SYSTEM '[>'>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">" UND N("x") N("y") E("x", "y") END,
      "undirected 2: x-y", 0, 0, 0 },
    { "a.graphml", "a prefix, and other namespaces", "<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns' "
      "xmlns:y='urn:y'><g:graph edgedefault='undirected'><g:node id='a'><g:data key='d'><y:node "
      "id='z'/></g:data></g:node><g:node id='b'/><g:edge source='a' target='b'/></g:graph></g:graphml>", "undirected "
      "2: a-b", 0, 0, 0 },

    { "a.edges", "a repeated pair is two cables", "0 1\n1 2\n0 1\n", "undirected 3: 0-1 1-2 0-1", 0, 0, 0 },
    { "a.edges", "directed, repeated", "0 1\n0 1\n1 0\n", "directed 2: 0>1 0>1 1>0", IMPORT_DIRECTED, 0, 0 },
    { "a.csv", "a repeated pair is two cables", "source,target\n0,1\n1,2\n0,1\n", "undirected 3: 0-1 1-2 0-1", 0, 0,
      0 },
    { "a.gml", "a repeated pair is two cables", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] edge [ "
      "source 0 target 1 ] ]", "undirected 2: 0-1 0-1", 0, 0, 0 },
    { "a.graphml", "a repeated pair is two cables", XML UND N("a") N("b") E("a", "b") E("a", "b") END, "undirected 2: "
      "a-b a-b", 0, 0, 0 },
    { "a.csv", "two cables, each from both ends", "source,target\n0,1\n0,1\n1,0\n1,0\n", "undirected 2: 0-1 0-1", 0, 0,
      0 },
    { "a.csv", "bandwidths and latencies, blanks around them", "source,target,bandwidth,latency\n0,1, 4 , 10\n1,2,,\n",
      "undirected 3: 0-1*4+10 1-2*1+0", 0, 0, 0 },
    { "a.csv", "cables", "source,target,cables,weight\n0,1, 2 ,5\n1,2,,6\n", "undirected 3: 0-1=5 0-1=5 1-2=6", 0, 0,
      0 },
    { "a.csv", "ports", "source,target,source_port,target_port\na,b, eth 0 ,7\na,b,eth1,\n", "undirected 2: "
      "a-b{eth 0,7} a-b{eth1,}", 0, 0, 0 },
    { "a.csv", "ports turn with their edge", "source,target,source_port,target_port\n1,0,p,q\n", "undirected 2: "
      "0-1{q,p}", 0, 0, 0 },
    { "a.csv", "directions that differ", "source,target,bandwidth,latency\n0,1,4,5\n1,0,2,5\n1,2,3,6\n2,1,3,7\n",
      "undirected 3: 0-1*4/2+5 1-2*3+6/7", 0, 0, 0 },
    { "a.csv", "directions that differ, by ports", "source,target,bandwidth,source_port,target_port\n0,1,4,p,q\n"
      "0,1,8,r,s\n1,0,7,s,r\n1,0,3,q,p\n", "undirected 2: 0-1*4/3{p,q} 0-1*8/7{r,s}", 0, 0, 0 },
    { "a.csv", "directions that differ, the higher end first", "source,target,bandwidth\n1,0,4\n0,1,2\n",
      "undirected 2: 0-1*2/4", 0, 0, 0 },
    { "a.csv", "a port each way of a directed network", "source,target,source_port,target_port\na,b,1,1\nb,a,1,1\n",
      "directed 2: a>b{1,1} b>a{1,1}", IMPORT_DIRECTED, 0, 0 },
    { "a.csv", "rates and times", "source,target,bandwidth,latency\n0,1,200Gb/s,100ns\n1,2,25 GB/s,\n", "undirected 3: "
      "0-1*b/s 200000000000+s 1e-07 1-2*b/s 200000000000+s 0", 0, 0, 0 },
    { "a.edges", "dictionaries", "0 1 {'bandwidth': 4, 'cables': 2, \"latency\": '3'}\n1 2\n", "undirected 3: 0-1*4+3 "
      "0-1*4+3 1-2*1+0", 0, 0, 0 },
    { "a.edges", "dictionaries with ports",
      "a b {'source_port': 'eth 0', 'target_port': 1, 'x': {'cables': 9}}\nb c {}\n",
      "undirected 3: a-b{eth 0,1} b-c{,}", 0, 0, 0 },
    { "a.edges", "a node that is called cables", "cables bandwidth\n", "undirected 2: cables-bandwidth*1", 0, 0, 0 },
    { "a.gml", "attributes",
      "graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 cables 2 bandwidth "
      "4 latency 2.5 ] edge [ source 1 target 2 ] ]", "undirected 3: 0-1*4+2.5 0-1*4+2.5 1-2*1+0", 0, 0, 0 },
    { "a.gml", "rates, a port", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 bandwidth \"40Gb/s\" "
      "source_port \"p1\" ] ]", "undirected 2: 0-1*b/s 40000000000{p1,}", 0, 0, 0 },
    { "a.graphml", "attributes", XML EDGE_KEY("b", "bandwidth", "double") EDGE_KEY("l", "latency", "string")
      EDGE_KEY("c", "cables", "int") UND N("a") N("b") N("c") ED("a", "b", D("b", "4") D("l", "50ns"))
      ED("c", "b", D("c", "2") D("b", "1")) END, "undirected 3: a-b*4+s 5e-08 b-c*1+s 0 b-c*1+s 0", 0,
      0,
      0 },
    { "a.graphml", "ports by number and by name", XML EDGE_KEY("p", "source_port", "int")
      EDGE_KEY("q", "target_port", "string") UND N("a") N("b") ED("b", "a", D("p", "3") D("q", "x")) END,
      "undirected 2: a-b{x,3}", 0, 0, 0 },

    { "a.ibnet", "both ends of cables, an HCA of two ports, an aggregation node", IB_SWITCH IB_PORT("1", "a", "1", "NDR")
      IB_PORT("2", "a", "2", "HDR") IB_PORT("9", "r", "1", "NDR") IB_CA("a", "2", "host mlx5_0") IB_UP("1", "1", "NDR")
      IB_UP("2", "2", "HDR") IB_CA("r", "1", "Mellanox Technologies Aggregation Node") IB_UP("1", "9", "NDR"),
      "undirected 3: leaf one-host mlx5_0 0x0000000000100001*b/s 400000000000{1,1} leaf one-host mlx5_0 "
      "0x0000000000100002*b/s 200000000000{2,2} [sTT]", 0, 0, 0 },
    { "x", "by its looks: ibnetdiscover, with chassis and error lines", "ibwarn: [7] \"query failed\n\nChassis 1 (guid "
      "0x1)\nswitchguid=0x7(7)\nSwitch\t4 \"S-7\"\t\t# \"s\" enhanced port 0\n[1][ext 1]\t\"H-8\"[1](9) \t\t# \"h\" lid 1 "
      "1xFDR s=1 w=2\ncaguid=0x8\nCa\t1 \"H-8\"\t\t# \"h\"\n[1](9) \t\"S-7\"[1][ext 1]\t\t# lid 1 lmc 0 \"s\" lid 2 "
      "1xFDR\n", "undirected 2: s-h*b/s 13600000000{1,1} [sT]", 0, 0, 0 },
    { "a.net", "widths and speeds of ibsim", "Switch 3 \"s\"\n[2] \"t\"[1] w=8 e=8\n[1] \"t\"[2]\n\nSwitch 3 \"t\"\n[1] "
      "\"s\"[2] w=8 e=8\n[2] \"s\"[1]\n", "undirected 2: s-t*b/s 1200000000000{1,2} s-t*b/s 1200000000000{2,1} [ss]", 0, 0,
      0 },
    { "a.net", "devices of one name are told apart by guids", "Switch 2 \"a\" # \"x\"\n[1] \"b\"[1]\n\nSwitch 2 \"b\" # "
      "\"x\"\n[1] \"a\"[1]\n", "undirected 2: x 0x0000000000200000-x 0x0000000000200001{1,1} [ss]", 0, 0, 0 },
    { "a.dot", "DOT: chains, ports, groups, what holds for all", "strict graph \"x y\" // c\n{ node [kind=switch]; edge "
      "[bandwidth=2]\n# line\na:1 -- b:2:n -- c [bandwidth=3];\n/* more\n */ { d e } -- f; g [type=host x=-1 y=2.5]; rank = "
      "same }", "undirected 7: a-b*3 b-c*3 d-f*2 e-f*2 [ssssssT]", 0, 0, 0 },
    { "a", "by its looks: DOT of one line, quoted and HTML", "digraph{\"a \\\"b\\\"\"->< x<i>y</i> >->-2;-2->\"a \\\"b\\\"\"}",
      "directed 3: a \"b\"> x<i>y</i>   x<i>y</i> >-2 -2>a \"b\"", 0, 0, 0 },
    { "a.gv", "a subgraph by name, and in one", "graph { subgraph s { a -- b; subgraph { c } } -- d }",
      "undirected 4: a-b a-d b-d c-d", 0, 0, 0 },
    { "a.json", "node-link: links, keys, nested ids", "{\"directed\": true, \"multigraph\": true, \"nodes\": [{\"id\": [0, \"a\"], "
      "\"kind\": \"host\"}, {\"id\": 7, \"type\": \"switch\"}],\n\"links\": [{\"source\": [0, \"a\"], \"target\": 7, \"key\": 0, "
      "\"bandwidth\": \"200Gb/s\", \"latency\": 2},\n{\"source\": [0,\"a\"], \"target\": 7, \"key\": 1, \"bandwidth\": \"100Gb/s\", "
      "\"latency\": 0}]}", "directed 2: [0,\"a\"]>7*b/s 200000000000+2 [0,\"a\"]>7*b/s 100000000000+0 [Ts]", 0, 0, 0 },
    { "a.json", "node-link with ports and edges", "{\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"edges\": [{\"source\": 0, \"target\": 1, "
      "\"source_port\": 3, \"target_port\": \"x\", \"weight\": 2}]}", "undirected 2: 0-1=2{3,x}", 0, 0, 0 },
    { "a.anynet", "latencies each way", "router 0 node 0 router 1 15  router 2\nrouter 1 router 0 4 node 1\nrouter 2\n",
      "undirected 5: router0-node0+0 router0-router1+14/3 router0-router2+0 router1-node1+0 [sTssT]", 0, 0, 0 },
    { "a.conf", "lists of hosts, several roots, padding", "# x\nSwitchName=s1 Nodes=n[08-10,012]x,m LinkSpeed=9\nswitchname=s2 "
      "nodes=a[1-2]b[1-2]\n\nSwitchName=t Switches=s1\n", "undirected 12: s1-n08x s1-n09x s1-n10x s1-n012x s1-m s2-a1b1 "
      "s2-a1b2 s2-a2b1 s2-a2b2 s1-t [sTTTTTsTTTTs]", 0, 0, 0 },
    { "a.conf", "blocks", "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockName=b3 Nodes=n5\nBlockSizes=2,4\n",
      "undirected 10: b1-n1 b1-n2 b2-n3 b2-n4 b3-n5 b1-blocks-of-4-0 b2-blocks-of-4-0 b3-blocks-of-4-1 [sTTsTTsTss]", 0, 0,
      0 },
};

static const struct row hostile[] = {
    { "a.dot", "DOT cut off", "graph { a -- b", "a.dot:1: the file ends where", 0, 0, 0 },
    { "a.dot", "a cable of the other kind", "graph {\n a -> b }", "a.dot:2: cables are written --, for the file is a graph", 0,
      0, 0 },
    { "a.dot", "no list", "graph { a [b=] }", "stands where a name is expected", 0, 0, 0 },
    { "a.dot", "weights of some", "graph { a--b [weight=1]\nb--c }", "a.dot:2 has no weight", 0, 0, 0 },
    { "a.json", "no JSON", "{\"nodes\": [\n", "a.json:2: ", 0, 0, 0 },
    { "a.json", "no lists", "{\"nodes\": [], \"edges\": 3, \"links\": {}}", "a.json has no lists", 0, 0, 0 },
    { "a.json", "a node that is none", "{\"nodes\": [{\"id\": 0}], \"edges\": [\n{\"source\": 0, \"target\": 1}]}",
      "a.json:2: the edge's target is no node", 0, 0, 0 },
    { "a.json", "two nodes of one id", "{\"nodes\": [{\"id\": 0}, {\"id\": 0}], \"edges\": []}", "node 1 has the id of node 0", 0,
      0, 0 },
    { "a.json", "no id", "{\"nodes\": [{\"x\": 0}], \"edges\": []}", "a node has no id", 0, 0, 0 },
    { "a.anynet", "a latency behind a node", "router 0 node 0 7\n", "a.anynet:1: a latency stands behind a node", 0, 0, 0 },
    { "a.anynet", "a gap", "router 0 router 2\n", "numbered from 0 without gaps", 0, 0, 0 },
    { "a.anynet", "a node at two routers", "router 0 node 0 router 1\nrouter 1 node 0\n", "a.anynet:2: node0 is at another router", 0,
      0, 0 },
    { "a.anynet", "a line of a node", "router 0 node 0\nnode 0 router 0\n", "a.anynet:2: 'node' begins a line", 0, 0, 0 },
    { "a.conf", "a switch that is not there", "SwitchName=a Switches=b\n", "the switch 'b' is listed, but no line declares it", 0, 0,
      0 },
    { "a.conf", "declared twice", "SwitchName=a Nodes=x\nSwitchName=a Nodes=y\n", "a.conf:2: 'a' is declared on line 1 already", 0,
      0, 0 },
    { "a.conf", "an open list", "SwitchName=a Nodes=x[1-2\n", "a.conf:1: 'x[1-2' is no list of names", 0, 0, 0 },
    { "a.conf", "a range that falls", "SwitchName=a Nodes=x[3-2]\n", "a.conf:1: '[3-2]' is no list of numbers", 0, 0, 0 },
    { "a.conf", "an unknown key", "SwitchName=a Nodes=x Colour=red\n", "a.conf:1: 'Colour' is not read", 0, 0, 0 },

    { "a.ibnet", "a cable whose far end says otherwise", IB_SWITCH IB_PORT("1", "a", "1", "NDR") IB_PORT("2", "a", "1",
      "NDR") IB_CA("a", "1", "x") IB_UP("1", "1", "NDR"), "a.ibnet:4: the cable leads to port 1 of 'H-a', and line 8 says",
      0, 0, 0 },
    { "a.ibnet", "a port with two cables", IB_SWITCH IB_PORT("1", "a", "1", "NDR") IB_PORT("1", "b", "1", "NDR"),
      "a.ibnet:4: port 1 of 'S-1' has a cable already, on line 3", 0, 0, 0 },
    { "a.ibnet", "two nodes of one guid", IB_SWITCH IB_SWITCH, "a.ibnet:4: the device 'S-1' stands on line 2 already", 0,
      0, 0 },
    { "a.ibnet", "an unknown speed", IB_SWITCH IB_PORT("1", "a", "1", "ZDR"), "a.ibnet:3: '4xZDR' is no known rate", 0, 0,
      0 },
    { "a.ibnet", "cut in a line", IB_SWITCH "[1]\t\"H-", "a.ibnet:3: the quoted text 'H-' never ends", 0, 0, 0 },
    { "a.ibnet", "cut between devices", IB_SWITCH IB_PORT("1", "a", "1", "NDR"), "a.ibnet:3: the cable leads to 'H-a', "
      "which the file does not describe", 0, 0, 0 },
    { "a.ibnet", "a port that is not there", IB_SWITCH IB_PORT("41", "a", "1", "NDR"), "a.ibnet:3: port '41' is not a "
      "whole number from 1 to 40", 0, 0, 0 },
    { "a.net", "two cables to a port that says nothing", "Switch 3 \"s\"\n[1] \"t\"[1]\n[2] \"t\"[1]\n\nSwitch 3 \"t\"\n",
      "a.net:3: port 1 of 't' has a cable already, on line 2", 0, 0, 0 },
    { "a.net", "a port before all devices", "[1] \"t\"[1]\n", "a.net:1: a port stands before any device", 0, 0, 0 },
    { "a.csv", "a negative bandwidth", "source,target,bandwidth\n0,1,-4\n", "a.csv:2: bandwidth is -4; it must be from "
      "1e-6 to 1e6 unit links", 0, 0, 0 },
    { "a.csv", "no bandwidth", "source,target,bandwidth\n0,1,4\n1,2,0\n", "a.csv:3: bandwidth is 0; it must", 0, 0, 0 },
    { "a.csv", "bandwidth in words", "source,target,bandwidth\n0,1,fast\n",
      "a.csv:2: bandwidth is 'fast'; it must be a "
      "finite number", 0, 0, 0 },
    { "a.csv", "bandwidth nan", "source,target,bandwidth\n0,1,nan\n", "a.csv:2: bandwidth is 'nan'", 0, 0, 0 },
    { "a.csv", "a negative latency", "source,target,latency\n0,1,-1\n", "a.csv:2: latency is -1; it must be from 0 to "
      "1e12 cycles", 0, 0, 0 },
    { "a.csv", "a size for a rate", "source,target,bandwidth\n0,1,200GB\n",
      "a.csv:2: bandwidth is '200GB'; 'GB' is no unit "
      "of a rate", 0, 0, 0 },
    { "a.csv", "a rate without unit", "source,target,bandwidth\n0,1,200Gb/s\n1,2,100\n",
      "a.csv:3: bandwidth is '100', but "
      "line 2 has a unit", 0, 0, 0 },
    { "a.csv", "a rate that is not there", "source,target,bandwidth\n0,1,200Gb/s\n1,2,\n",
      "a.csv:3: bandwidth is '', but "
      "line 2 has a unit", 0, 0, 0 },
    { "a.csv", "a rate among numbers", "source,target,bandwidth\n0,1,\n1,2,1Gb/s\n",
      "a.csv:3: bandwidth is '1Gb/s', but "
      "line 2 has no unit", 0, 0, 0 },
    { "a.csv", "a time without unit", "source,target,latency\n0,1,100ns\n1,2,0\n2,3,7\n",
      "a.csv:4: latency is '7', but "
      "line 2 has a unit", 0, 0, 0 },
    { "a.csv", "no cables", "source,target,cables\n0,1,0\n", "a.csv:2: cables is 0; it must be from 1 to 1024", 0, 0,
      0 },
    { "a.csv", "half a cable", "source,target,cables\n0,1,1.5\n",
      "a.csv:2: cables is '1.5'; it must be a whole number", 0,
      0, 0 },
    { "a.csv", "too many cables", "source,target,cables\n0,1,1000000000\n",
      "a.csv:2: cables is 1000000000; it must be from "
      "1 to 1024", 0, 0, 0 },
    { "a.csv", "a port for two cables", "source,target,cables,source_port,target_port\n0,1,2,p,\n",
      "a.csv:2: one port is "
      "named for 2 cables", 0, 0, 0 },
    { "a.csv", "a port given twice", "source,target,source_port,target_port\na,b,1,1\nb,c,2,1\nc,a,2,1\n",
      "a.csv:4: the "
      "edge 'c'-'a' is at port '1' of node 'a', as the one of line 2 is", 0, 0, 0 },
    { "a.csv", "a port with two links one way", "source,target,source_port,target_port\na,b,1,1\na,c,1,1\n",
      "a.csv:3: the "
      "edge 'a'->'c' is at port '1' of node 'a'", IMPORT_DIRECTED, 0, 0 },
    { "a.csv", "other ports from the other end", "source,target,source_port,target_port\na,b,1,2\nb,a,2,3\n",
      "a.csv:2: the "
      "edge 'a'-'b' is at other ports from its other end", 0, 0, 0 },
    { "a.csv", "ports of one end", "source,target,source_port\na,b,1\n", "a column 'source_port' alone", 0, 0, 0 },
    { "a.csv", "a column twice", "source,target,cables, Cables\na,b,1,1\n", "a.csv names the column 'cables' twice", 0,
      0,
      0 },
    { "a.csv", "given from one end more often", "source,target\n0,1\n0,1\n1,0\n", "a.csv:4: the edge 1-0 repeats line",
      0, 0,
      0 },
    { "a.edges", "a dictionary's cables", "0 1 {'cables': 0}\n", "a.edges:1: cables is 0", 0, 0, 0 },
    { "a.edges", "a dictionary's bandwidth", "0 1\n1 2 {'bandwidth': None}\n", "a.edges:2: bandwidth is 'None'", 0, 0,
      0 },
    { "a.gml", "cables in words", "graph [\nnode [ id 0 ] node [ id 1 ]\nedge [ source 0 target 1 cables \"two\" ] ]",
      "a.gml:3: cables is 'two'", 0, 0, 0 },
    { "a.graphml", "a bandwidth that is true", XML EDGE_KEY("b", "bandwidth", "boolean") UND N("a") N("b")
      ED("a", "b", D("b", "true")) END, "a.graphml:6: bandwidth is 'true'", 0, 0, 0 },

    { "a.edges", "empty", "", "a.edges is empty", 0, 0, 0 },
    { "a.edges", "blank", " \n\t\r\n", "a.edges is empty", 0, 0, 0 },
    { "a.edges", "a byte order mark alone", "\xef\xbb\xbf", "a.edges is empty", 0, 0, 0 },
    { "a.edges", "comments alone", "# nothing\n", "a.edges names no edge", 0, 0, 0 },
    { "a.edges", "zero byte", "0 1\n1\0002\n", "a.edges:2 holds a zero byte", 0, 0, 8 },
    { "a.gml", "a picture", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a.gml:3 holds a zero byte", 0, 0, 16 },
    { "a.edges", "UTF-16", "\xff\xfe" "0\0 \0001\0", "is UTF-16; convert it", 0, 0, 8 },
    { "a.csv", "Latin-1", "source,target\nS\xe3o,Rio\n", "a.csv:2 is not UTF-8", 0, 0, 0 },
    { "a.edges", "overlong UTF-8", "a \xc0\x80\n", "a.edges:1 is not UTF-8", 0, 0, 0 },
    { "a.edges", "surrogate", "a \xed\xa0\x80\n", "a.edges:1 is not UTF-8", 0, 0, 0 },
    { "a.edges", "cut character", "a b\na \xe2\x82", "a.edges:2 is not UTF-8", 0, 0, 0 },
    { "a.dat", "no format", "hello, world\nthis is prose\n", "a.dat does not look like adjacency, anynet, csv, dot, edges, gml, "
      "graphml, ibnetdiscover, ibsim, node-link or slurm-conf", 0, 0, 0 },
    { "a.csv", "neither kind of CSV", "a,b\nc,d\n", "a.csv does not look like adjacency (square matrix", 0, 0, 0 },
    { "a.edges", "unknown format", "0 1\n", "no graph format is called 'graphlm' (did you mean 'graphml'?)", 0,
      "graphlm", 0 },
    { "a.gml", "a direction beside the file's own", "graph [ node [ id 1 ] ]", "leave out directed=", IMPORT_DIRECTED,
      0, 0 },

    { "a.edges", "one word", "0 1\n2\n", "a.edges:2 has only '2'", 0, 0, 0 },
    { "a.edges", "commas", "0,1\n", "with commas it is csv", 0, 0, 0 },
    { "a.edges", "four words", "0 1 2 3\n", "a.edges:1 is not FROM TO", 0, 0, 0 },
    { "a.edges", "heading", "source target\n0 1\n", "a.edges:1 is a heading", 0, 0, 0 },
    { "a.edges", "text for weight", "0 1 2\n1 2 heavy\n", "a.edges:2: weight 'heavy' is not a finite number", 0, 0, 0 },
    { "a.edges", "weight with a tail", "0 1 2.5ms\n", "a.edges:1: weight '2.5ms'", 0, 0, 0 },
    { "a.edges", "nan", "0 1 nan\n", "a.edges:1: weight 'nan'", 0, 0, 0 },
    { "a.edges", "huge weight", "0 1 1e999\n", "a.edges:1: weight '1e999'", 0, 0, 0 },
    { "a.edges", "negative weight", "0 1 1\n1 2 -2\n", "a.edges:2: the edge 1-2 has weight -2; weights are not "
      "negative", 0, 0, 0 },
    { "a.edges", "missing weight", "0 1 1\n1 2\n", "a.edges:2 has no weight while line 1 has one", 0, 0, 0 },
    { "a.edges", "sudden weight", "0 1\n\n1 2 1\n", "a.edges:3 has a weight while line 1 has none", 0, 0, 0 },
    { "a.edges", "loop", "0 1\r\n2 2\r\n", "a.edges:2: the edge 2-2 is a loop", 0, 0, 0 },
    { "a.edges", "some both ways", "a b\nb c\nc b\n", "a.edges:3: the edge 'c'-'b' repeats line 2", 0, 0, 0 },
    { "a.edges", "both ways with unequal weights", "0 1 2\n1 0 3\n", "a.edges:2: the edge 1-0 has another weight", 0, 0,
      0 },
    { "a.edges", "absurd number", "0 1\n1 4000000000\n", "a.edges:2 names node 4000000000", 0, 0, 0 },
    { "a.edges", "number beyond 64 bits", "0 99999999999999999999999\n", "a.edges:1 names node 99999999999999999999999",
      0, 0, 0 },
    { "a.edges", "gap", "0 1020\n", "only 2 are named", 0, 0, 0 },
    { "a.edges", "control character", "a b\nb \x01\n", "holds a control character", 0, 0, 0 },
    { "a.edges", "dictionary cut off", "0 1 {'weight': 2\n", "a.edges:1: '{'weight': 2' is not a dictionary", 0, 0, 0 },
    { "a.edges", "quote cut off", "0 1 {'weight\n", "is not a dictionary", 0, 0, 0 },
    { "a.edges", "dictionary's weight empty", "0 1 {'weight': }\n", "a.edges:1: weight ''", 0, 0, 0 },
    { "a.edges", "dictionary's weight text", "0 1 {'weight': 'x'}\n", "a.edges:1: weight ''x''", 0, 0, 0 },
    { "a.edges", "dictionary for a node", "0 {'weight': 1}\n", "a.edges:1 is not FROM TO", 0, 0, 0 },

    { "a.csv", "no target", "source,to\n0,1\n", "no column 'target'", 0, "csv", 0 },
    { "a.csv", "target twice", "source,target,target\n0,1,1\n", "a.csv names the column 'target' twice", 0, "csv", 0 },
    { "a.csv", "heading alone", "source,target\n", "a.csv names no edge", 0, 0, 0 },
    { "a.csv", "short row", "source,target\n0\n", "a.csv:2 has 1 fields", 0, 0, 0 },
    { "a.csv", "empty node", "source,target\n0,\n", "a.csv:2 has an empty node name", 0, 0, 0 },
    { "a.csv", "empty weight", "source,target,weight\n0,1,\n", "a.csv:2 has an empty weight", 0, 0, 0 },
    { "a.csv", "open quote", "source,target\n\"0,1\n", "never closed", 0, 0, 0 },
    { "a.csv", "newline in a name", "source,target\n\"a\nb\",1\n", "control character", 0, 0, 0 },
    { "a.csv", "loop after a quoted newline", "source,target,x\n0,1,\"\n\"\n1,1,\n", "a.csv:4: the edge 1-1 is a loop",
      0, 0, 0 },

    { "a.adj", "not square", "0,1,0\n1,0,0\n", "2 rows and 3 columns", 0, 0, 0 },
    { "a.adj", "diagonal", "0,1\n1,2\n", "a.adj:2: '2' in column 2 is on the diagonal", 0, 0, 0 },
    { "a.adj", "text", "0,1\nx,0\n", "a.adj:2: 'x' in column 1 is not a weight", 0, 0, 0 },
    { "a.adj", "empty cell", "0,1\n,0\n", "a.adj:2: '' in column 1 is not a weight", 0, 0, 0 },
    { "a.adj", "negative", "# c\n0,-1\n-1,0\n", "a.adj:2: '-1' in column 2 is not a weight", 0, 0, 0 },
    { "a.adj", "nan", "0,nan\nnan,0\n", "'nan' in column 2", 0, 0, 0 },
    { "a.adj", "names in another order", ",a,b\nb,0,1\na,1,0\n", "a.adj:2 begins with 'b', but the name above column 2 "
      "is 'a'", 0, 0, 0 },
    { "a.adj", "equal names", ",a,a\na,0,1\na,1,0\n", "nodes 0 and 1 (counting from 0) are both called 'a'", 0, 0, 0 },
    { "a.adj", "names without numbers", "a,b\n", "not square", 0, 0, 0 },

    { "a.gml", "unknown node", "graph [ node [ id 1 ]\nedge [ source 1\ntarget 7 ] ]", "a.gml:2: the edge's target '7' "
      "is no node", 0, 0, 0 },
    { "a.gml", "node twice", "graph [ node [ id 1 ]\nnode [ id 01 ] ]", "a.gml:2: node '1' is already declared in line "
      "1", 0, 0, 0 },
    { "a.gml", "no id", "graph [ node [ label \"x\" ] ]", "a.gml:1: a node has no id", 0, 0, 0 },
    { "a.gml", "id twice", "graph [ node [ id 1 id 2 ] ]", "a.gml:1: 'id' is given twice", 0, 0, 0 },
    { "a.gml", "id is text", "graph [ node [ id \"a\" ] ]", "a.gml:1: id '\"a\"' is not a whole number", 0, 0, 0 },
    { "a.gml", "id is a fraction", "graph [ node [ id 1.5 ] ]", "id '1.5' is not a whole number", 0, 0, 0 },
    { "a.gml", "id is huge", "graph [ node [ id 99999999999999999999 ] ]", "not a whole number up to 2^53", 0, 0, 0 },
    { "a.gml", "no target", "graph [ node [ id 1 ] edge [ source 1 ] ]", "an edge has no target", 0, 0, 0 },
    { "a.gml", "text for weight", "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 weight 1 "
      "]\n" "edge [ source 3 target 2 weight \"x\" ] ]", "a.gml:2: the edge '3'-'2' has a weight that is text", 0, 0,
      0 },
    { "a.gml", "nan", "graph [ node [ id 1 ] node [ id 2 ]\n edge [ source 1 target 2 weight nan ] ]", "a.gml:2: "
      "'weight' needs a number", 0, 0, 0 },
    { "a.gml", "missing weight", "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 weight 1 "
      "]\n" "edge [ source 3 target 2 ] ]", "a.gml:2: the edge '3'-'2' has no weight", 0, 0, 0 },
    { "a.gml", "loop", "graph [ node [ id 1 ] edge [ source 1 target 1 ] ]", "is a loop", 0, 0, 0 },
    { "a.gml", "cut off", "graph [\n node [ id 1 ]\n node [ id 2", "a.gml:3: the list that begins here is never closed",
      0, 0, 0 },
    { "a.gml", "bracket too many", "graph [ node [ id 1 ] ] ]", "']' stands where a key is expected", 0, 0, 0 },
    { "a.gml", "no graph", "Creator \"me\"\n", "a.gml has no graph", 0, 0, 0 },
    { "a.gml", "two graphs", "graph [ node [ id 1 ] ]\ngraph [ node [ id 1 ] ]", "a.gml:2: a second graph begins here",
      0, 0, 0 },
    { "a.gml", "no nodes", "graph [ ]", "a.gml has no nodes", 0, 0, 0 },
    { "a.gml", "prose", "hello there\n", "a.gml:1: 'hello' needs a number", 0, 0, 0 },
    { "a.gml", "directed is 2", "graph [ directed 2 node [ id 1 ] ]", "directed must be 0 or 1", 0, 0, 0 },
    { "a.gml", "name twice", "graph [ node [ id 1 name \"x\" ] node [ id 2 name \"x\" ] ]", "both called 'x'", 0, 0,
      0 },
    { "a.gml", "name missing", "graph [ node [ id 1 name \"x\" ] node [ id 2 ] ]", "empty name", 0, 0, 0 },
    { "a.gml", "unknown kind", "graph [ node [ id 1 kind \"host\" ] node [ id 2 kind \"swich\" ] ]", "node '2' has "
      "kind 'swich'", 0, 0, 0 },

    { "a.graphml", "unknown node", XML UND N("a") E("a", "zz") END, "a.graphml:5: the edge's target 'zz' is no node", 0,
      0, 0 },
    { "a.graphml", "node twice", XML UND N("a") N("a") END, "a.graphml:5: node 'a' is already declared in line 4", 0, 0,
      0 },
    { "a.graphml", "node twice, spelt otherwise", XML UND N("a") N("&#97;") END, "node 'a' is already declared", 0, 0,
      0 },
    { "a.graphml", "no id", XML UND "<node/>" END, "a node has no id", 0, 0, 0 },
    { "a.graphml", "empty id", XML UND N("") END, "a node has no id", 0, 0, 0 },
    { "a.graphml", "no source", XML UND N("a") "<edge target='a'/>" END, "an edge has no source", 0, 0, 0 },
    { "a.graphml", "text for weight", XML WEIGHT("string") UND N("a") N("b") EW("a", "b", "x") END, "a weight that is "
      "text", 0, 0, 0 },
    { "a.graphml", "text in a number", XML WEIGHT("double") UND N("a") N("b") EW("a", "b", "x") END, "Unexpected "
      "character 'x'", 0, 0, 0 },
    { "a.graphml", "true for weight", XML WEIGHT("boolean") UND N("a") N("b") EW("a", "b", "true") END, "true/false", 0,
      0, 0 },
    { "a.graphml", "nan", XML WEIGHT("double") UND N("a") N("b") EW("a", "b", "nan") END,
      "a.graphml:6: the edge 'a'-'b' has no weight that is a finite number", 0, 0, 0 },
    { "a.graphml", "missing weight", XML WEIGHT("double") UND N("a") N("b") N("c") EW("a", "b", "1") E("b", "c") END,
      "a.graphml:8: the edge 'b'-'c' has no weight", 0, 0, 0 },
    { "a.graphml", "negative weight", XML WEIGHT("double") UND N("a") N("b") EW("a", "b", "-1") END, "has weight -1", 0,
      0, 0 },
    { "a.graphml", "loop", XML UND N("a") E("a", "a") END, "a.graphml:5: the edge 'a'-'a' is a loop", 0, 0, 0 },
    { "a.graphml", "direction unsaid", XML "<graph>" N("a") END, "does not say edgedefault", 0, 0, 0 },
    { "a.graphml", "an edge of the other direction", XML UND N("a") N("b") "<edge source='a' target='b' "
      "directed='true'/>" END, "differs from the graph's edgedefault", 0, 0, 0 },
    { "a.graphml", "graph in a graph", XML UND "<node id='a'>" UND N("b") "</graph></node>" END, "a second <graph>", 0,
      0, 0 },
    { "a.graphml", "hyperedge", XML UND "<hyperedge/>" END, "hyperedges are not read", 0, 0, 0 },
    { "a.graphml", "entities", "<!DOCTYPE g [<!ENTITY a \"b\">]>\n" XML UND N("&a;") END, "document type declares", 0,
      0, 0 },
    { "a.graphml", "entities behind a > in quotes", "<!DOCTYPE g SYSTEM \"'>\" [<!ENTITY a \"b\">]>\n" XML UND N("&a;")
      END, "document type declares", 0, 0, 0 },
    { "a.graphml", "an open quote in a document type", "<!DOCTYPE g SYSTEM \"g>\n" UND N("a") END, "never closed", 0, 0,
      0 },
    { "a.graphml", "a C1 control in a name", XML UND N("a&#x9b;31m") END, "holds a control character", 0, 0, 0 },
    { "a.graphml", "a name that turns round", XML UND N("a&#x202e;b") END, "holds a control character", 0, 0, 0 },
    { "a.graphml", "cut in a tag", XML UND N("a") "<node id=\"b", "a.graphml:5: the tag that begins here is never "
      "closed", 0, 0, 0 },
    { "a.graphml", "cut between tags", XML UND N("a"), "a.graphml:5: the file ends before", 0, 0, 0 },
    { "a.graphml", "cut in a comment", XML UND "<!-- ", "a.graphml:4: the comment", 0, 0, 0 },
    { "a.graphml", "unquoted", XML UND "<node id=a/>" END, "not quoted", 0, 0, 0 },
    { "a.graphml", "wrong nesting", XML UND "<node id='a'></edge>" END, "a.graphml:", 0, 0, 0 },
    { "a.graphml", "another namespace", "<graphml xmlns='urn:x'>" UND N("a") END, "must say xmlns=", 0, 0, 0 },
    { "a.graphml", "another XML", "<html><body/></html>", "a.graphml:1: the first element is <html>", 0, 0, 0 },
    { "a.graphml", "no XML", "0 1\n", "has no <graph>", 0, 0, 0 },
    { "a.graphml", "no nodes", XML UND END, "a.graphml has no nodes", 0, 0, 0 },
};

static void parse(const struct row *row, struct import *in, int want, struct err *err)
{
    size_t len = row->len ? row->len : strlen(row->text);
    char *text = malloc(len + 1);       /* its own allocation: reading past it is seen by the sanitizer */
    int got;

    assert_non_null(text);
    memcpy(text, row->text, len);
    text[len] = '\0';
    got = import_parse(in, text, len, row->file, row->format, row->direction, err);
    free(text);
    if (got != want)
        fail_msg("%s: %s", row->what, want ? "was read" : err->msg);
}

static void is_read(void **state)
{
    const struct row *row = *state;
    struct import in = { 0 };
    struct err err = { ERR_NONE, "" };
    char *shown;

    parse(row, &in, 0, &err);
    shown = show(&in);
    assert_string_equal(shown, row->want);
    free(shown);
    import_release(&in);
}

static void is_refused(void **state)
{
    const struct row *row = *state;
    struct import in = { 0 };
    struct err err = { ERR_NONE, "" };

    parse(row, &in, -1, &err);
    if (!strstr(err.msg, row->want))
        fail_msg("%s: '%s' lacks '%s'", row->what, err.msg, row->want);
    assert_null(strchr(err.msg, '\n'));
    if (!row->format && row->direction != IMPORT_DIRECTED)
        assert_memory_equal(err.msg, row->file, strlen(row->file));
    assert_int_equal(err.code, strstr(err.msg, "no graph format") ||
                     strstr(err.msg, "leave out directed") ? ERR_USAGE : ERR_FORMAT);
    assert_null(in.end);
}

/* The same small network stands in every format's example. */
static void examples_agree(void **state)
{
    (void)state;
    for (size_t i = 0; import_all[i]; i++) {
        const struct import_format *format = import_all[i];
        struct row row = { "x", format->name, format->example, NULL, IMPORT_UNSAID, format->name, 0 };
        struct import in = { 0 };
        struct err err;
        char *named, *found;

        parse(&row, &in, 0, &err);
        named = show(&in);
        import_release(&in);
        row.format = NULL;
        parse(&row, &in, 0, &err);      /* and it is known by its looks */
        found = show(&in);
        import_release(&in);
        assert_string_equal(found, named);
        if (!strchr(named, '='))                                /* that of a fabric is another: it has no weights */
            assert_non_null(strstr(named, "directed "));
        else if (in.directed || strcmp(format->name, "adjacency") == 0)      /* a matrix gives its edges row by row */
            assert_string_equal(named, "undirected 5: 0-1=2.5 0-3=4 0-4=0.1 1-2=1 2-3=0.5");
        else
            assert_string_equal(named, "undirected 5: 0-1=2.5 1-2=1 2-3=0.5 0-3=4 0-4=0.1");
        free(named);
        free(found);
    }
}

/* From a real file, and what is said where there is none. */
static void files(void **state)
{
    char path[] = "/tmp/importXXXXXX.edges", longer[400];
    int fd = mkstemps(path, 6);
    struct import in = { 0 };
    struct err err;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "0 1\n1 2\n", 8), 8);
    assert_int_equal(close(fd), 0);
    assert_int_equal(import_read(&in, path, "", IMPORT_UNSAID, NULL, &err), 0);
    assert_int_equal(in.nedge, 2);
    import_release(&in);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(import_read(&in, path, NULL, IMPORT_UNSAID, NULL, &err), -1);
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(import_read(&in, path, "gmml", IMPORT_UNSAID, NULL, &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    memset(longer, 'x', sizeof longer);         /* the mend must not fall off the end of the message */
    memcpy(longer + sizeof longer - 7, ".edges", 7);
    assert_int_equal(import_parse(&in, "0 0\n", 4, longer, NULL, IMPORT_UNSAID, &err), -1);
    assert_non_null(strstr(err.msg, ".edges:1: the edge 0-0 is a loop; a link joins two different nodes, remove it"));
}

/* Ten thousand lists in one another must not overflow the stack. */
static void deep_nesting(void **state)
{
    size_t n = 10000, len = 0;
    char *text = malloc(n * 16);
    struct import in = { 0 };
    struct err err;

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        len += (size_t)sprintf(text + len, "graph [ ");
    assert_int_equal(import_parse(&in, text, len, "deep.gml", NULL, IMPORT_UNSAID, &err), -1);
    assert_non_null(strstr(err.msg, "nested more than 100 deep"));
    len = (size_t)sprintf(text, XML UND);
    for (size_t i = 0; i < n; i++)
        len += (size_t)sprintf(text + len, "<data>");
    assert_int_equal(import_parse(&in, text, len, "deep.graphml", NULL, IMPORT_UNSAID, &err), -1);
    free(text);
}

/* Columns that are not read are told where they seem to be ones that would be, but not beside those. */
static void columns_unread(void **state)
{
    static const struct {
        const char *text, *want;
    } row[] = {
        { "source,target,bw\n0,1,2\n", "'bw' is not read (did you mean 'bandwidth'?)" },
        { "source,target,comment,Speed\n0,1,x,2\n", "'Speed' is not read (did you mean 'bandwidth'?)" },
        { "source,target,bandwith\n0,1,2\n", "'bandwith' is not read (did you mean 'bandwidth'?)" },
        { "source,target,delay\n0,1,2\n", "'delay' is not read (did you mean 'latency'?)" },
        { "source,target,bandwidth,width\n0,1,2,3\n", NULL }, { "source,target,owner,comment\n0,1,a,b\n", NULL },
    };

    (void)state;
    EACH_ROW(i, row) {
        struct import in = { 0 };
        struct err err;

        assert_int_equal(import_parse(&in, row[i].text, strlen(row[i].text), "a.csv", NULL, IMPORT_UNSAID, &err), 0);
        if (!in.unread != !row[i].want || (in.unread && !strstr(in.unread, row[i].want)))
            fail_msg("%s: %s", row[i].text, in.unread ? in.unread : "nothing is told");
        import_release(&in);
    }
}

int main(void)
{
    static const struct CMUnitTest other[] = { cmocka_unit_test(examples_agree), cmocka_unit_test(files),
                                               cmocka_unit_test(columns_unread),
                                               cmocka_unit_test(deep_nesting) };
    static struct CMUnitTest tests[COUNT(valid) + COUNT(hostile) + COUNT(other)];
    static char name[COUNT(valid) + COUNT(hostile)][100];
    size_t n = 0;
    int failed;

    for (size_t i = 0; i < COUNT(valid) + COUNT(hostile); i++) {
        const struct row *row = i < COUNT(valid) ? &valid[i] : &hostile[i - COUNT(valid)];
        const char *dot = strrchr(row->file, '.');

        snprintf(name[i], sizeof name[i], "%s%s: %s", i < COUNT(valid) ? "reads " : "refuses ", dot ? dot + 1 : "any",
                 row->what);
        tests[n++] = (struct CMUnitTest){ .name = name[i], .test_func = i < COUNT(valid) ? is_read : is_refused,
                                          .initial_state = (void *)row };
    }
    EACH_ROW(i, other)
        tests[n++] = other[i];
    net_setup();
    failed = cmocka_run_group_tests_name("import", tests, NULL, NULL);
    net_teardown();
    return failed;
}
