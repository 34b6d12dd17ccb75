/*
 * What a link within a host gives at best: the ping-pong and streams of WholeSystem.java between two processes, no header,
 * no matching. It starts its own second process; the same environment and output.
 *
 *   gcc -O2 raw.c -o raw
 *   ./raw tcp        both poll a non-blocking socket over the loopback
 *   ./raw tcp reno   the same by a congestion control other than the system's default
 *   ./raw ring       a ring in shared memory for each direction, of one sender and one receiver
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STREAM_WINDOW 100

/* As in WholeSystem.java. */
#define SAMPLES_OF_A_CASE 5
#define BATCHES 3
#define UNTIMED 2

#define LINE 64
#define RING_BYTES (1 << 20)
#define RECORD_BYTES (64 << 10)

/*
 * Records of a length (8 bytes) and that many bytes, each from the beginning of a line, none over the end of the ring. The length
 * is written last and not 0: who waits for a record reads the line in which it comes, and no other.
 */
struct ring {
    _Alignas(2 * LINE) _Atomic uint64_t taken;
    _Alignas(2 * LINE) char data[RING_BYTES + RECORD_BYTES + LINE];
};

static struct ring *outgoing, *incoming; /* none: the socket */
static int rank, link_fd, bytes, samples = 5;
static double seconds_per_case = 0.1;
static char *message;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static uint64_t record(uint64_t payload) { return (sizeof(uint64_t) + payload + LINE - 1) / LINE * LINE; }

static _Atomic uint64_t *length_at(struct ring *ring, uint64_t at) {
    return (_Atomic uint64_t *)(ring->data + at % RING_BYTES);
}

static void put_all(const char *from, uint64_t count) {
    static uint64_t at, taken; /* taken: when it was last looked at */
    while (count > 0) {
        uint64_t now = count < RECORD_BYTES ? count : RECORD_BYTES;
        uint64_t next = at + record(now);
        while (next + LINE - taken > RING_BYTES) {
            pause_briefly();
            taken = atomic_load_explicit(&outgoing->taken, memory_order_acquire);
        }
        memcpy(outgoing->data + at % RING_BYTES + sizeof now, from, now);
        atomic_store_explicit(length_at(outgoing, next), 0, memory_order_relaxed);
        atomic_store_explicit(length_at(outgoing, at), now, memory_order_release);
        at = next;
        from += now;
        count -= now;
    }
}

static void take_all(char *to, uint64_t count) {
    static uint64_t at;
    while (count > 0) {
        uint64_t now;
        while ((now = atomic_load_explicit(length_at(incoming, at), memory_order_acquire)) == 0) pause_briefly();
        memcpy(to, incoming->data + at % RING_BYTES + sizeof now, now);
        at += record(now);
        atomic_store_explicit(&incoming->taken, at, memory_order_release);
        to += now;
        count -= now;
    }
}

static void send_all(const void *from, int count) {
    if (outgoing) {
        put_all(from, count);
        return;
    }
    for (int at = 0; at < count;) {
        ssize_t moved = send(link_fd, (const char *)from + at, count - at, MSG_NOSIGNAL);
        if (moved > 0) at += moved;
        else if (errno != EAGAIN) fail("send");
    }
}

static void receive_all(void *to, int count) {
    if (incoming) {
        take_all(to, count);
        return;
    }
    for (int at = 0; at < count;) {
        ssize_t moved = recv(link_fd, (char *)to + at, count - at, 0);
        if (moved > 0) at += moved;
        else if (moved == 0) exit(1); /* the other process has ended */
        else if (errno != EAGAIN) fail("recv");
    }
}

static void pingpong(void) {
    if (rank == 0) {
        send_all(message, bytes);
        receive_all(message, bytes);
    } else {
        receive_all(message, bytes);
        send_all(message, bytes);
    }
}

static void stream(void) {
    for (int i = 0; i < STREAM_WINDOW; i++) {
        if (rank == 0) send_all(message, bytes);
        else receive_all(message, bytes);
    }
    if (rank == 0) receive_all(message, 1);
    else send_all(message, 1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double timed(void (*operation)(void), int repetitions) {
    double start = now();
    for (int i = 0; i < repetitions; i++) operation();
    return now() - start;
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

/* The number of rank 0. */
static double agreed(double mine) {
    if (rank == 0) send_all(&mine, sizeof mine);
    else receive_all(&mine, sizeof mine);
    return mine;
}

/* Whether one more sample is to be taken: so many as there are to be, each when it is its turn. */
static int due(int taken) {
    const char *pipe = getenv("BENCH_TURNS");
    static FILE *turns;
    int word = 0;
    if (!pipe) return taken < samples;
    if (rank == 0) {
        printf("waiting for its turn\n");
        fflush(stdout);
        if (!turns) turns = fopen(pipe, "r");
        if (!turns) fail(pipe);
        word = fgetc(turns);
    }
    return agreed(word) == 's';
}

static void measure(const char *name, int case_bytes, int parts, void (*operation)(void)) {
    int repetitions = 1;
    double seconds, wanted = seconds_per_case / SAMPLES_OF_A_CASE;
    bytes = case_bytes;
    do {
        repetitions *= 2;
        seconds = agreed(quickest(operation, repetitions));
    } while (seconds < wanted);
    repetitions = (int)agreed(repetitions * wanted / seconds);
    if (repetitions < 1) repetitions = 1;
    for (int taken = 0; due(taken); taken++) {
        timed(operation, repetitions < UNTIMED ? 1 : repetitions / UNTIMED);
        double micros = timed(operation, repetitions) * 1e6 / repetitions / parts;
        if (rank == 0) {
            printf("csv,%s,%d,%.3f\n", name, case_bytes, micros);
            fflush(stdout);
        }
    }
}

/* Begins the second process, which ends with the first one: it polls, and would do so for ever. */
static int begin_second(void) {
    if (fork() != 0) return 0;
    rank = 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return 1;
}

static void control(int socket_fd, const char *congestion) {
    if (congestion && setsockopt(socket_fd, IPPROTO_TCP, TCP_CONGESTION, congestion, strlen(congestion))) fail(congestion);
}

static void connect_both(const char *congestion) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int one = 1, server = socket(AF_INET, SOCK_STREAM, 0);
    control(server, congestion);
    if (bind(server, (struct sockaddr *)&address, length) || listen(server, 1)) fail("listen");
    getsockname(server, (struct sockaddr *)&address, &length);
    if (begin_second()) {
        close(server);
        link_fd = socket(AF_INET, SOCK_STREAM, 0);
        control(link_fd, congestion);
        if (connect(link_fd, (struct sockaddr *)&address, length)) fail("connect");
    } else {
        link_fd = accept(server, NULL, NULL);
        if (link_fd < 0) fail("accept");
        close(server);
    }
    setsockopt(link_fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(link_fd, F_SETFL, O_NONBLOCK);
}

/* A core for each, if there are two: the scheduler may put both on one for a while, and each would wait for the other's end. */
static void bind_to_core(void) {
    cpu_set_t allowed, own;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof allowed, &allowed) || CPU_COUNT(&allowed) < 2) return;
    for (int core = 0, nth = 0; core < CPU_SETSIZE; core++) {
        if (CPU_ISSET(core, &allowed) && nth++ == rank) CPU_SET(core, &own);
    }
    sched_setaffinity(0, sizeof own, &own);
}

static void share_both(void) {
    struct ring *rings =
        mmap(NULL, 2 * sizeof *rings, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (rings == MAP_FAILED) fail("mmap");
    begin_second();
    outgoing = rings + rank;
    incoming = rings + 1 - rank;
    bind_to_core();
}

int main(int argc, char **argv) {
    int sizes[] = {1, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 16 << 20};
    if (getenv("BENCH_SAMPLES")) samples = atoi(getenv("BENCH_SAMPLES"));
    if (getenv("BENCH_SECONDS")) seconds_per_case = atof(getenv("BENCH_SECONDS"));
    message = calloc(1, 16 << 20);
    if (argc == 2 && !strcmp(argv[1], "ring")) {
        share_both();
    } else if ((argc == 2 || argc == 3) && !strcmp(argv[1], "tcp")) {
        connect_both(argc == 3 ? argv[2] : NULL);
    } else {
        fprintf(stderr, "usage: raw tcp [CONGESTION]|ring\n");
        return 2;
    }
    for (int i = 0; i < 6; i++) measure("pingpong", sizes[i], 2, pingpong);
    measure("stream", 8, STREAM_WINDOW, stream);
    measure("stream", 1 << 20, STREAM_WINDOW, stream);
    if (!outgoing) close(link_fd);
    if (rank == 0) wait(NULL);
    return 0;
}
