/* Calls collectives of MPI as a list on standard input of process 0 says, lines "OPERATION BYTES": BYTES of a vector, or
 * of a block where each process has one. Before a call, "call OPERATION BYTES" goes to standard error; "done" to
 * standard output in the end, where all results were as MPI promises. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *in, *out;
static int n, rank, wrong;

static void put(char *to, int from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (char)(7 * (size_t)from + i);
}

/* Whether bytes are those of process `from`, or of all of them, combined by exclusive or, from byte `at` on. */
static void hold(const char *got, int from, size_t at, size_t bytes, int all)
{
    for (size_t i = 0; i < bytes; i++) {
        char want = 0;

        for (int p = all ? 0 : from; p < (all ? n : from + 1); p++)
            want = (char)(want ^ (char)(7 * (size_t)p + at + i));
        wrong += got[i] != want;
    }
}

static void call(const char *operation, int b)
{
    const size_t size = (size_t)b;
    const MPI_Comm c = MPI_COMM_WORLD;

    put(in, rank, size * (size_t)(strcmp(operation, "all-to-all") == 0 || strcmp(operation, "scatter") == 0 ? n : 1));
    memset(out, 0, size * (size_t)n);
    if (strcmp(operation, "broadcast") == 0) {
        MPI_Bcast(in, b, MPI_BYTE, 0, c);
        hold(in, 0, 0, size, 0);
    } else if (strcmp(operation, "reduce") == 0) {
        MPI_Reduce(in, out, b, MPI_BYTE, MPI_BXOR, 0, c);
        hold(out, 0, 0, rank ? 0 : size, 1);
    } else if (strcmp(operation, "allreduce") == 0) {
        MPI_Allreduce(in, out, b, MPI_BYTE, MPI_BXOR, c);
        hold(out, 0, 0, size, 1);
    } else if (strcmp(operation, "gather") == 0) {
        MPI_Gather(in, b, MPI_BYTE, out, b, MPI_BYTE, 0, c);
        for (int p = 0; p < n && !rank; p++)
            hold(out + (size_t)p * size, p, 0, size, 0);
    } else if (strcmp(operation, "scatter") == 0) {
        MPI_Scatter(in, b, MPI_BYTE, out, b, MPI_BYTE, 0, c);
        hold(out, 0, (size_t)rank * size, size, 0);
    } else if (strcmp(operation, "allgather") == 0) {
        MPI_Allgather(in, b, MPI_BYTE, out, b, MPI_BYTE, c);
        for (int p = 0; p < n; p++)
            hold(out + (size_t)p * size, p, 0, size, 0);
    } else if (strcmp(operation, "reduce-scatter") == 0) {
        int *count = malloc((size_t)n * sizeof *count), at = 0;

        for (int p = 0; p < n; p++) {
            count[p] = b / n + (p < b % n);
            at += p < rank ? count[p] : 0;
        }
        MPI_Reduce_scatter(in, out, count, MPI_BYTE, MPI_BXOR, c);
        hold(out, 0, (size_t)at, (size_t)count[rank], 1);
        free(count);
    } else if (strcmp(operation, "all-to-all") == 0) {
        MPI_Alltoall(in, b, MPI_BYTE, out, b, MPI_BYTE, c);
        for (int p = 0; p < n; p++)
            hold(out + (size_t)p * size, p, (size_t)rank * size, size, 0);
    } else {
        MPI_Barrier(c);
    }
}

int main(int argc, char **argv)
{
    char operation[40] = "";
    long bytes = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    in = malloc((size_t)1 << 26);
    out = malloc((size_t)1 << 26);
    for (;;) {
        char line[80] = "";

        if (rank == 0 && !fgets(line, sizeof line, stdin))
            *line = '\0';
        MPI_Bcast(line, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
        if (sscanf(line, "%39s %ld", operation, &bytes) != 2)
            break;
        if (rank == 0)
            fprintf(stderr, "call %s %ld\n", operation, bytes);
        call(operation, (int)bytes);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf(wrong ? "%d bytes are wrong\n" : "done\n", wrong);
    MPI_Finalize();
    return wrong != 0;
}
