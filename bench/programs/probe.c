/*
 * How far apart are the two virtual cores? A cache line goes to and fro between two pinned threads; prints half a round
 * trip in nanoseconds: about 45 when they are near, about 240 when they are far. On some machines this changes from minute
 * to minute, and with it every figure of shared memory and loopback.
 *
 *   gcc -O2 -pthread probe.c -o probe && ./probe
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#define ROUNDS 10
#define TRIPS_PER_ROUND 5000

static _Alignas(128) atomic_int ping;
static _Alignas(128) atomic_int pong;

static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static void *answer(void *unused) {
    pin(1);
    for (int trip = 1; trip <= ROUNDS * TRIPS_PER_ROUND; trip++) {
        while (atomic_load_explicit(&ping, memory_order_acquire) != trip) {
        }
        atomic_store_explicit(&pong, trip, memory_order_release);
    }
    return unused;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(void) {
    pthread_t other;
    double least = 1e18;
    int trip = 0;
    pin(0);
    pthread_create(&other, NULL, answer, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < TRIPS_PER_ROUND; i++) {
            atomic_store_explicit(&ping, ++trip, memory_order_release);
            while (atomic_load_explicit(&pong, memory_order_acquire) != trip) {
            }
        }
        double halfTrip = (now() - start) / TRIPS_PER_ROUND / 2;
        if (halfTrip < least) least = halfTrip;
    }
    pthread_join(other, NULL);
    printf("%.0f\n", least);
    return 0;
}
