/* worker.h - the child that measures this program: one job, in a process of its own.
 *
 *     velbench worker [--input FILE [--forget PATH,…]] [--before RECIPE] [--op RECIPE] [--scope op|read|write|whole]
 *                     [--threads N] [--within SHARE] [--result FILE] [--untimed] [--form as-made|counts|f32|csr]
 *
 * --scope says what is timed (benches.h); what comes before it is done untimed, and the result is written afterwards
 * unless writing it is what is timed. --within: under a memory budget, the share SHARE of the way from the least that
 * the plan could do with to all that it would like. --untimed: nothing is timed (a fixture); --form: what it is turned
 * into before it is written. --forget: fields that are dropped first (what op would find done already). The frame tells
 * the bytes of result.h (bench_bytes). */
#ifndef VEL_BENCH_WORKER_H
#define VEL_BENCH_WORKER_H

/* Exit code of the program. argv[0] is "worker"; what fails is said on stderr. */
int bench_worker_main(int argc, char **argv);

#endif
