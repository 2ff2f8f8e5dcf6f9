/* A file of capacities, for both directions of a network and for one: each is within its limits. */
#include "analysis/bound/capacity.h"
#include "tests/fuzz/fuzz.h"

static struct net *net[2];
static char path[] = "/tmp/fuzz-XXXXXX.csv";        /* its end says what it is */
static int fd = -1;

static void remove_file(void)
{
    unlink(path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    net_setup();
    net[0] = net_of("mesh:3x3");
    net[1] = net_of("ring:5,directed=yes");
    fd = mkstemps(path, 4);
    atexit(remove_file);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    must(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size, "a file of the input", path);
    for (int i = 0; i < 2; i++) {
        double *capacity = NULL;
        struct err err = { 0 };
        const int links = (int)net_edges(net[i], &err) * (net[i]->directed ? 1 : 2);

        if (capacity_open(&capacity, net[i], path, &err) < 0)
            message_is_fit(&err);
        for (int l = 0; capacity && l < links; l++)
            must(capacity[l] >= 1e-100 && capacity[l] <= 1e100, "a capacity", NULL);
        free(capacity);
    }
    return 0;
}
