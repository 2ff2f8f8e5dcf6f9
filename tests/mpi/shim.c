/* Preloaded, it says which algorithm Open MPI's component `tuned` calls, and with what segment: "ran NAME SEGMENT" on
 * standard error of process 0, and calls on. The functions, of libmpi, are those of
 * ompi/mca/coll/base/coll_base_functions.h of 4.1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ran(const char *name, uint32_t segment)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");

    if (rank && strcmp(rank, "0") == 0)
        fprintf(stderr, "ran %s %u\n", name, segment);
}

#define SHIM(name, parameters, arguments, segment)                              \
    int ompi_coll_base_##name parameters;                                       \
    int ompi_coll_base_##name parameters                                        \
    {                                                                           \
        int (*next) parameters;                                                 \
        void *found = dlsym(RTLD_NEXT, "ompi_coll_base_" #name);                \
                                                                                \
        memcpy(&next, &found, sizeof next);                                     \
        ran(#name, segment);                                                    \
        return next arguments;                                                  \
    }
typedef void *p;
#define EXCHANGE(name) SHIM(name, (p a, int b, p c, p d, int e, p f, p g, p h), (a, b, c, d, e, f, g, h), 0)
#define EXCHANGE_MORE(name) SHIM(name, (p a, int b, p c, p d, int e, p f, p g, p h, int i), (a, b, c, d, e, f, g, h, i), 0)
#define ROOTED(name) SHIM(name, (p a, int b, p c, p d, int e, p f, int r, p g, p h), (a, b, c, d, e, f, r, g, h), 0)
#define ROOTED_MORE(name) SHIM(name, (p a, int b, p c, p d, int e, p f, int r, p g, p h, int i), (a, b, c, d, e, f, r, g, h, i), 0)
#define BCAST(name) SHIM(bcast_intra_##name, (p a, int b, p c, int d, p e, p f), (a, b, c, d, e, f), 0)
#define BCAST_CUT(name) SHIM(bcast_intra_##name, (p a, int b, p c, int d, p e, p f, uint32_t s), (a, b, c, d, e, f, s), s)
#define BCAST_MORE(name) SHIM(bcast_intra_##name, (p a, int b, p c, int d, p e, p f, uint32_t s, int g), (a, b, c, d, e, f, s, g), s)
#define REDUCE(name) SHIM(reduce_intra_##name, (p a, p b, int c, p d, p e, int f, p g, p h), (a, b, c, d, e, f, g, h), 0)
#define REDUCE_CUT(name) SHIM(reduce_intra_##name, (p a, p b, int c, p d, p e, int f, p g, p h, uint32_t s, int i), (a, b, c, d, e, f, g, h, s, i), s)
#define ALLREDUCE(name) SHIM(allreduce_intra_##name, (p a, p b, int c, p d, p e, p f, p g), (a, b, c, d, e, f, g), 0)
#define REDUCE_SCATTER(name) SHIM(reduce_scatter_intra_##name, (p a, p b, p c, p d, p e, p f, p g), (a, b, c, d, e, f, g), 0)
#define BARRIER(name) SHIM(barrier_intra_##name, (p a, p b), (a, b), 0)

BCAST(basic_linear) BCAST_MORE(chain) BCAST_CUT(pipeline) BCAST_CUT(split_bintree) BCAST_CUT(bintree)
BCAST_CUT(binomial) BCAST_MORE(knomial) BCAST_CUT(scatter_allgather) BCAST_CUT(scatter_allgather_ring)
REDUCE(basic_linear) REDUCE_CUT(pipeline) REDUCE_CUT(binary) REDUCE_CUT(binomial) REDUCE_CUT(in_order_binary)
REDUCE(redscat_gather)
ALLREDUCE(basic_linear) ALLREDUCE(nonoverlapping) ALLREDUCE(recursivedoubling) ALLREDUCE(ring) ALLREDUCE(redscat_allgather)
REDUCE_SCATTER(nonoverlapping) REDUCE_SCATTER(basic_recursivehalving) REDUCE_SCATTER(ring) REDUCE_SCATTER(butterfly)
EXCHANGE(allgather_intra_basic_linear) EXCHANGE(allgather_intra_bruck) EXCHANGE(allgather_intra_recursivedoubling)
EXCHANGE(allgather_intra_ring) EXCHANGE(allgather_intra_neighborexchange) EXCHANGE(allgather_intra_two_procs)
EXCHANGE(alltoall_intra_basic_linear) EXCHANGE(alltoall_intra_pairwise) EXCHANGE(alltoall_intra_bruck)
EXCHANGE_MORE(alltoall_intra_linear_sync) EXCHANGE(alltoall_intra_two_procs)
ROOTED(gather_intra_basic_linear) ROOTED(gather_intra_binomial) ROOTED_MORE(gather_intra_linear_sync)
ROOTED(scatter_intra_basic_linear) ROOTED(scatter_intra_binomial) ROOTED_MORE(scatter_intra_linear_nb)
BARRIER(basic_linear) BARRIER(doublering) BARRIER(recursivedoubling) BARRIER(bruck) BARRIER(two_procs) BARRIER(tree)
