/*
 * As WholeSystem.java, for the C libraries: mpicc -O2 wholesystem.c -o wholesystem && mpirun -np 2 ./wholesystem
 * The same environment and the same lines of output.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAG 1
#define STREAM_WINDOW 100
#define CALIBRATION_STEPS 100000

/* A sample takes such a part of a case's time, and before it such a part of its operations are not timed: WholeSystem.java. */
#define SAMPLES_OF_A_CASE 5
#define BATCHES 3
#define UNTIMED 2

/* Times the length of a case. */
#define WARM_UP 1

/* slowest_rank: a sample is the time of the slowest rank, and not that of rank 0. */
static int rank, size, bytes, samples = 5, warming_up, slowest_rank;
static double seconds_per_case = 0.1;
static char *in, *out;

static void pingpong(void) {
    if (rank == 0) {
        MPI_Send(in, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(in, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

/* Of each two neighbours at once. */
static void pairs(void) {
    int peer = rank ^ 1;
    if (rank < peer) {
        MPI_Send(in, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(in, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
    }
}

static void stream(void) {
    for (int i = 0; i < STREAM_WINDOW; i++) {
        if (rank == 0) MPI_Send(in, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        else MPI_Recv(in, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0) MPI_Recv(in, 1, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Send(in, 1, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

/* PingPing: both send at once. */
static void pingping(void) {
    MPI_Sendrecv(in, bytes, MPI_BYTE, 1 - rank, TAG, out, bytes, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void allreduce(void) { MPI_Allreduce(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static void bcast(void) { MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void alltoall(void) { MPI_Alltoall(in, bytes / size, MPI_BYTE, out, bytes / size, MPI_BYTE, MPI_COMM_WORLD); }
static void allgather(void) { MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD); }

static double timed(void (*operation)(void), int repetitions) {
    double start = MPI_Wtime();
    for (int i = 0; i < repetitions; i++) operation();
    return MPI_Wtime() - start;
}

/* As in WholeSystem.java. */
static double quickest(void (*operation)(void), int repetitions) {
    double least = timed(operation, repetitions);
    for (int batch = 1; batch < BATCHES; batch++) {
        double seconds = timed(operation, repetitions);
        if (seconds < least) least = seconds;
    }
    return least;
}

static void print(const char *name, int case_bytes, double value) {
    if (rank == 0 && !warming_up) {
        printf("csv,%s,%d,%.3f\n", name, case_bytes, value);
        fflush(stdout);
    }
}

/* Whether one more sample is to be taken: so many as there are to be, each when it is its turn. */
static int due(int taken) {
    const char *pipe = getenv("BENCH_TURNS");
    static FILE *turns;
    int word;
    if (warming_up) return taken == 0;
    if (!pipe) return taken < samples;
    if (rank == 0) {
        printf("waiting for its turn\n");
        fflush(stdout);
        if (!turns) turns = fopen(pipe, "r");
        if (!turns) {
            perror(pipe);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        word = fgetc(turns);
    }
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return word == 's';
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Single round trips, each timed: half of the 99th percentile. */
static void tail(int case_bytes) {
    int trips = (int)(10000 * seconds_per_case);
    if (trips < 100) trips = 100;
    double *micros = malloc(trips * sizeof(double));
    bytes = case_bytes;
    for (int taken = 0; due(taken); taken++) {
        timed(pingpong, trips / UNTIMED);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int trip = 0; trip < trips; trip++) {
            double start = MPI_Wtime();
            pingpong();
            micros[trip] = (MPI_Wtime() - start) * 1e6 / 2;
        }
        qsort(micros, trips, sizeof(double), ascending);
        print("p99", case_bytes, micros[trips * 99 / 100]);
    }
    free(micros);
}

static volatile double work = 1;

static double compute(long steps) {
    double start = MPI_Wtime();
    for (long step = 0; step < steps; step++) work = work * 0.9999999 + 1e-9;
    return MPI_Wtime() - start;
}

static double exchange(int case_bytes, long steps) {
    MPI_Request request;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (rank == 0) MPI_Isend(in, case_bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
    else MPI_Irecv(in, case_bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
    compute(steps);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Wtime() - start;
}

/* How much of a transfer is hidden behind a computation of about its length: see WholeSystem.java. */
static void overlap(int case_bytes) {
    for (int taken = 0; due(taken); taken++) {
        double sums[3] = {0, 0, 0};
        for (int i = 0; i < 20 / UNTIMED; i++) exchange(case_bytes, 0);
        for (int i = 0; i < 20; i++) sums[0] += exchange(case_bytes, 0);
        double length = sums[0] / 20;
        MPI_Bcast(&length, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        long steps = length / compute(CALIBRATION_STEPS) * CALIBRATION_STEPS;
        for (int i = 0; i < 20; i++) {
            sums[1] += compute(steps);
            sums[2] += exchange(case_bytes, steps);
        }
        MPI_Bcast(sums, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        double hidden = 1000 * (1 - (sums[2] - sums[1]) / sums[0]);
        print("overlap", case_bytes, hidden < 1 ? 1 : hidden > 1000 ? 1000 : hidden);
    }
}

/* What WholeSystem.java does for its compiler; here it sets up connections, buffers and the clocks of the cores. */
static void warm_up(void (*operation)(void)) {
    double total = 0;
    for (int repetitions = 1; total < WARM_UP * seconds_per_case;) {
        double seconds = timed(operation, repetitions);
        MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        total += seconds;
        if (seconds < WARM_UP * seconds_per_case / 20) repetitions *= 2;
    }
}

static void measure(const char *name, int case_bytes, int parts, void (*operation)(void)) {
    int repetitions = 1;
    double seconds, wanted = seconds_per_case / SAMPLES_OF_A_CASE;
    bytes = case_bytes;
    if (warming_up) {
        warm_up(operation);
        return;
    }
    do {
        repetitions *= 2;
        seconds = quickest(operation, repetitions);
        MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    } while (seconds < wanted);
    repetitions = (int)(repetitions * wanted / seconds);
    if (repetitions < 1) repetitions = 1;
    MPI_Bcast(&repetitions, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int taken = 0; due(taken); taken++) {
        timed(operation, repetitions < UNTIMED ? 1 : repetitions / UNTIMED);
        MPI_Barrier(MPI_COMM_WORLD);
        double time = timed(operation, repetitions), slowest = time;
        if (slowest_rank) MPI_Allreduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        print(name, case_bytes, slowest * 1e6 / repetitions / parts);
    }
}

static void run(const char *part) {
    if (!strcmp(part, "pointtopoint")) {
        int sizes[] = {1, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 16 << 20};
        for (int i = 0; i < 6; i++) measure("pingpong", sizes[i], 2, pingpong);
        measure("stream", 8, STREAM_WINDOW, stream);
        measure("stream", 1 << 20, STREAM_WINDOW, stream);
        measure("pingping", 1 << 10, 1, pingping);
        measure("pingping", 1 << 20, 1, pingping);
        tail(1);
        tail(1 << 10);
        tail(64 << 10);
        overlap(1 << 20);
    } else if (!strcmp(part, "overlap")) {
        for (int size_case = 256 << 10; size_case <= 16 << 20; size_case *= 4) overlap(size_case);
    } else if (!strcmp(part, "pairs")) {
        slowest_rank = 1;
        measure("pairs", 1, 2, pairs);
        measure("pairs", 1 << 10, 2, pairs);
    } else if (!strcmp(part, "collectives")) {
        measure("barrier", 0, 1, barrier);
        measure("allreduce", 8, 1, allreduce);
        measure("allreduce", 64 << 10, 1, allreduce);
        measure("allreduce", 4 << 20, 1, allreduce);
        measure("bcast", 1 << 20, 1, bcast);
        measure("alltoall", 64 << 10, 1, alltoall);
        measure("allgather", 64 << 10, 1, allgather);
    } else if (!strncmp(part, "scaling", 7)) {
        char name[40];
        snprintf(name, sizeof name, "barrier-np%d", size);
        measure(name, 0, 1, barrier);
        snprintf(name, sizeof name, "allreduce-np%d", size);
        measure(name, 8, 1, allreduce);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *part = getenv("BENCH_PART");
    if (!part) part = size == 2 ? "pointtopoint" : "collectives";
    if (getenv("BENCH_SAMPLES")) samples = atoi(getenv("BENCH_SAMPLES"));
    if (getenv("BENCH_SECONDS")) seconds_per_case = atof(getenv("BENCH_SECONDS"));
    in = malloc(16 << 20);
    out = malloc(16 << 20);
    /* pages that were never written are all the same zeros: what is sent from them is in the cache, whatever its length */
    memset(in, 1, 16 << 20);
    memset(out, 1, 16 << 20);
    if (strncmp(part, "hello", 5)) {
        warming_up = 1;
        run(part);
        warming_up = 0;
        run(part);
    } else {
        printf("hello from %d of %d\n", rank, size);
    }
    MPI_Finalize();
    return 0;
}
