/* wire.h - how a child and its runner speak, over one socket that the child inherits (its number is in
 * VELBENCH_RESULT_FD).
 *
 *     child                          runner
 *     begin\n                        sets the high-water mark back, starts its sampler, answers  go\n
 *     end WALL_NS\n                  reads the counters, answers                                 ok\n
 *     frame LENGTH CRC32\nBYTES      keeps it: a JSON object, once; CRC32 is that of zlib, eight hex digits
 *
 * begin and end may both be left out (a job that is not timed). Anything else, a second frame or bytes after it make
 * the result bad. */
#ifndef VEL_BENCH_WIRE_H
#define VEL_BENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_RESULT_FD = 3, BENCH_WIRE_SIZE = 1 << 16 };

typedef enum { BENCH_WIRE_MORE, BENCH_WIRE_BEGIN, BENCH_WIRE_END, BENCH_WIRE_FRAME, BENCH_WIRE_BAD } bench_wire_event;

/* The runner's side. */
typedef struct {
    char bytes[BENCH_WIRE_SIZE]; /* received, not yet understood; after the frame: its text, ended by '\0' */
    size_t n;
    size_t length; /* of the frame */
    bool begun, ended, framed;
    int64_t wall_ns;
    const char *wrong; /* what was bad */
} bench_wire;

/* Takes what came. false: more than a wire holds. */
bool bench_wire_feed(bench_wire *w, const char *bytes, size_t n);

/* The next thing that the child has said; call until BENCH_WIRE_MORE. */
bench_wire_event bench_wire_next(bench_wire *w);

/* The child's side; fd < 0 says nothing. false: the runner is gone. */
bool bench_tell_begin(int fd);
bool bench_tell_end(int fd, int64_t wall_ns);
bool bench_tell_frame(int fd, const char *json);

/* The descriptor that VELBENCH_RESULT_FD names; -1: none. */
int bench_result_fd(void);

#endif
