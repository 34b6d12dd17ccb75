/*
 * What TCP over loopback gives at best: the ping-pong and streams of WholeSystem.java between two processes, polling a
 * non-blocking socket, no header, no matching. It starts its own second process; the same environment and output.
 *
 *   gcc -O2 rawsockets.c -o rawsockets && ./rawsockets
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STREAM_WINDOW 100
#define MOST_SAMPLES 100

static int rank, link_fd, bytes, samples = 5;
static double seconds_per_case = 0.1;
static char *message;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void send_all(const void *from, int count) {
    for (int at = 0; at < count;) {
        ssize_t moved = send(link_fd, (const char *)from + at, count - at, MSG_NOSIGNAL);
        if (moved > 0) at += moved;
        else if (errno != EAGAIN) fail("send");
    }
}

static void receive_all(void *to, int count) {
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

/* The number of rank 0. */
static double agreed(double mine) {
    if (rank == 0) send_all(&mine, sizeof mine);
    else receive_all(&mine, sizeof mine);
    return mine;
}

static void measure(const char *name, int case_bytes, int parts, void (*operation)(void)) {
    int repetitions = 1;
    double seconds;
    bytes = case_bytes;
    do {
        repetitions *= 2;
        seconds = agreed(timed(operation, repetitions));
    } while (seconds < seconds_per_case);
    repetitions = (int)agreed(repetitions * seconds_per_case / seconds / samples);
    if (repetitions < 1) repetitions = 1;
    if (rank == 0) printf("csv,%s,%d,", name, case_bytes);
    for (int sample = 0; sample < samples; sample++) {
        double micros = timed(operation, repetitions) * 1e6 / repetitions / parts;
        if (rank == 0) printf("%.3f;", micros);
    }
    if (rank == 0) {
        printf("\n");
        fflush(stdout);
    }
}

static void connect_both(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int one = 1, server = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(server, (struct sockaddr *)&address, length) || listen(server, 1)) fail("listen");
    getsockname(server, (struct sockaddr *)&address, &length);
    if (fork() == 0) {
        rank = 1;
        close(server);
        link_fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(link_fd, (struct sockaddr *)&address, length)) fail("connect");
    } else {
        link_fd = accept(server, NULL, NULL);
        if (link_fd < 0) fail("accept");
        close(server);
    }
    setsockopt(link_fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(link_fd, F_SETFL, O_NONBLOCK);
}

int main(void) {
    int sizes[] = {1, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 16 << 20};
    if (getenv("BENCH_SAMPLES")) samples = atoi(getenv("BENCH_SAMPLES"));
    if (samples < 1 || samples > MOST_SAMPLES) samples = MOST_SAMPLES;
    if (getenv("BENCH_SECONDS")) seconds_per_case = atof(getenv("BENCH_SECONDS"));
    message = calloc(1, 16 << 20);
    connect_both();
    for (int i = 0; i < 6; i++) measure("pingpong", sizes[i], 2, pingpong);
    measure("stream", 8, STREAM_WINDOW, stream);
    measure("stream", 1 << 20, STREAM_WINDOW, stream);
    close(link_fd);
    if (rank == 0) wait(NULL);
    return 0;
}
