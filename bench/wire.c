#include "bench/wire.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool bench_wire_feed(bench_wire *w, const char *bytes, size_t n) {
    if (n >= sizeof w->bytes - w->n) return false;
    memcpy(w->bytes + w->n, bytes, n);
    w->n += n;
    return true;
}

static bench_wire_event bad(bench_wire *w, const char *why) {
    if (!w->wrong) w->wrong = why;
    return BENCH_WIRE_BAD;
}

static void drop(bench_wire *w, size_t n) {
    w->n -= n;
    memmove(w->bytes, w->bytes + n, w->n);
}

static bench_wire_event take_frame(bench_wire *w, const char *line, size_t line_length) {
    size_t length;
    unsigned crc;
    int end = 0;
    if (sscanf(line, "frame %zu %8x%n", &length, &crc, &end) != 2 || line[end]) return bad(w, "a malformed frame line");
    if (length >= sizeof w->bytes - line_length) return bad(w, "a frame that is too long");
    if (w->n < line_length + length) return BENCH_WIRE_MORE;
    drop(w, line_length);
    if (libdeflate_crc32(0, w->bytes, length) != crc) return bad(w, "a frame with a wrong checksum");
    if (w->n > length) return bad(w, "bytes after the frame");
    w->bytes[length] = '\0';
    w->length = length;
    w->framed = true;
    return BENCH_WIRE_FRAME;
}

static bench_wire_event take_end(bench_wire *w, const char *line) {
    int64_t ns;
    int end = 0;
    if (!w->begun || w->ended) return bad(w, "an end out of turn");
    if (sscanf(line, "end %" SCNd64 "%n", &ns, &end) != 1 || line[end] || ns < 0) return bad(w, "a malformed end line");
    w->ended = true;
    w->wall_ns = ns;
    return BENCH_WIRE_END;
}

bench_wire_event bench_wire_next(bench_wire *w) {
    char line[64];
    if (w->wrong) return BENCH_WIRE_BAD;
    if (w->framed) return w->n > w->length ? bad(w, "bytes after the frame") : BENCH_WIRE_MORE;
    const char *newline = memchr(w->bytes, '\n', w->n);
    if (!newline) return w->n >= sizeof line ? bad(w, "a line that is no message") : BENCH_WIRE_MORE;
    const size_t length = (size_t)(newline - w->bytes);
    if (length >= sizeof line) return bad(w, "a line that is no message");
    memcpy(line, w->bytes, length);
    line[length] = '\0';
    if (strncmp(line, "frame ", 6) == 0)
        return w->begun == w->ended ? take_frame(w, line, length + 1) : bad(w, "a frame inside the timed part");
    if (strncmp(line, "end ", 4) == 0) {
        drop(w, length + 1);
        return take_end(w, line);
    }
    if (strcmp(line, "begin") != 0 || w->begun) return bad(w, "a line that is no message");
    drop(w, length + 1);
    w->begun = true;
    return BENCH_WIRE_BEGIN;
}

static bool say(int fd, const char *bytes, size_t n) {
    while (n) {
        const ssize_t done = write(fd, bytes, n);
        if (done <= 0) return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

static bool hear(int fd, const char *answer) {
    char got[8];
    const size_t n = strlen(answer);
    for (size_t have = 0; have < n;) {
        const ssize_t m = read(fd, got + have, n - have);
        if (m <= 0) return false;
        have += (size_t)m;
    }
    return memcmp(got, answer, n) == 0;
}

bool bench_tell_begin(int fd) { return fd < 0 || (say(fd, "begin\n", 6) && hear(fd, "go\n")); }

bool bench_tell_end(int fd, int64_t wall_ns) {
    char line[64];
    const int n = snprintf(line, sizeof line, "end %" PRId64 "\n", wall_ns);
    return fd < 0 || (say(fd, line, (size_t)n) && hear(fd, "ok\n"));
}

bool bench_tell_frame(int fd, const char *json) {
    char line[64];
    const size_t length = strlen(json);
    const int n = snprintf(line, sizeof line, "frame %zu %08x\n", length, (unsigned)libdeflate_crc32(0, json, length));
    return fd < 0 || (say(fd, line, (size_t)n) && say(fd, json, length));
}

int bench_result_fd(void) {
    const char *text = getenv("VELBENCH_RESULT_FD");
    if (!text) return -1;
    char *end;
    const long fd = strtol(text, &end, 10);
    return end != text && !*end && fd >= 0 && fd < 1 << 16 ? (int)fd : -1;
}
