/* Specs and lists of them, for every kind of entry; and what a network, a routing, a traffic or a supernode is made of
 * them, where that is small: what they call themselves opens again, as the same. */
#include <ctype.h>

#include "cli/help/catalogue.h"
#include "graph/base/mem.h"
#include "graph/base/spec.h"
#include "model/routing/route.h"
#include "model/supernode/supernode.h"
#include "model/traffic/traffic.h"
#include "tests/fuzz/fuzz.h"

static struct net *scene[3];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    net_setup();
    scene[0] = net_of("mesh:4x4");
    scene[1] = net_of("fattree:4");
    scene[2] = net_of("circulant:8,jumps=1+3");
    return 0;
}

/* Networks of some hundred nodes at most: numbers up to 9, three of them, or such that none can be made of; and no
 * files. */
static bool is_small(const char *text)
{
    int numbers = 0;

    if (strpbrk(text, "/-\\") || strstr(text, "file") || strstr(text, "table") || !strpbrk(text, ":,"))
        return false;
    for (const char *p = text; *p; p++)
        if (isdigit((unsigned char)*p)) {
            const size_t len = strspn(p, "0123456789");

            if (len > 1 && len < 12)
                return false;
            numbers += len == 1;
            p += len - 1;
        }
    return numbers <= 3;
}

static void parses(const char *text)
{
    const struct kind *kind;
    char **item = NULL;
    size_t n = 0, length = 0;
    struct err err = { 0 };

    for (size_t k = 0; (kind = catalogue_kind(k)); k++) {
        struct spec spec = { 0 };

        if (k > 0 && !kind_named(kind, text))
            continue;           /* that a name is unknown is said by one kind for all */
        if (kind_spec(&spec, kind, text, &err))
            must(strcmp(spec.text, text) == 0, "a spec keeps its text", text);
        else
            message_is_fit(&err);
        spec_release(&spec);
    }
    if (spec_list(&item, &n, text, &err) < 0) {
        message_is_fit(&err);
        return;
    }
    for (size_t i = 0; i < n; i++)
        length += strlen(item[i]) + 1;
    must(n > 0 && length == strlen(text) + 1, "the items and their commas are the text", text);
    mem_free_list(item, n);
}

static void opens_network(const char *text)
{
    struct net *net = NULL, *again = NULL;
    struct err err = { 0 };

    if (net_open(&net, text, &err) < 0) {
        message_is_fit(&err);
        return;
    }
    must(net_check(net, &err) == 0, "what others rely on", err.msg);
    must(net_open(&again, net->spec, &err) == 0, "its spec opens", err.msg);
    must(strcmp(net->spec, again->spec) == 0 && net->n == again->n, "the same again", net->spec);
    net_close(net);
    net_close(again);
}

static void opens_model(struct net *net, const char *text)
{
    struct routing r[2] = { 0 };
    struct traffic t[2] = { 0 };
    struct supernode s[2] = { 0 };
    const struct traffic_kind *kind = (const struct traffic_kind *)kind_named(&kind_traffic, text);
    struct err err = { 0 };

    if (kind_named(&kind_route, text) && routing_open(&r[0], net, text, &err) < 0)
        message_is_fit(&err);
    else if (r[0].spec)
        must(routing_open(&r[1], net, r[0].spec, &err) == 0 && strcmp(r[0].spec, r[1].spec) == 0, "a routing again",
             r[0].spec);
    if (kind && kind->open && traffic_open(&t[0], net, text, &err) < 0)     /* without: it takes an analysis */
        message_is_fit(&err);
    else if (t[0].spec)
        must(traffic_open(&t[1], net, t[0].spec, &err) == 0 && strcmp(t[0].spec, t[1].spec) == 0, "a traffic again",
             t[0].spec);
    if (kind_named(&kind_supernode, text) && supernode_open(&s[0], text, net, &err) < 0)
        message_is_fit(&err);
    else if (s[0].spec)
        must(supernode_open(&s[1], s[0].spec, net, &err) == 0 && strcmp(s[0].spec, s[1].spec) == 0,
             "a supernode again", s[0].spec);
    for (int i = 0; i < 2; i++) {
        routing_close(&r[i]);
        traffic_release(&t[i]);
        supernode_release(&s[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    parses(text);
    if (is_small(text))
        opens_network(text);
    for (size_t i = 0; i < 3 && !strchr(text, '/') && !strstr(text, "file") && !strstr(text, "table"); i++)
        opens_model(scene[i], text);
    free(text);
    return 0;
}
