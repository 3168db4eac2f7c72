/* measured.h - the estimate of a run beside the peak that the program takes. */
#ifndef VEL_TESTS_PIPELINES_MEASURED_H
#define VEL_TESTS_PIPELINES_MEASURED_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS_FEATURE(address_sanitizer) || \
    HAS_FEATURE(thread_sanitizer)
enum { MEMORY_IS_OURS = 0 };
#else
enum { MEMORY_IS_OURS = 1 };
#endif

/* Runs vel, its output in the file `out`; returns its peak in bytes. */
static inline double peak_of(const char *const *words) {
    char program[4096];
    const char *argv[16] = {program};
    snprintf(program, sizeof program, "%s/vel", getenv("VEL_BIN_DIR"));
    for (int i = 0; words[i]; i++) argv[i + 1] = words[i];
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (freopen("out", "w", stdout)) execv(program, (char *const *)argv);
        _exit(127);
    }
    int status;
    struct rusage used;
    assert_int_equal(wait4(pid, &status, 0, &used), pid);
    assert_int_equal(status, 0);
    return 1024.0 * (double)used.ru_maxrss;
}

static inline double in_events(const char *key) {
    char text[1 << 14];
    FILE *f = fopen("out", "r");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    const char *at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* genes: a file of the names of those that are kept, NULL: all. The pages of libraries that were not needed yet make a
 * difference of some megabytes; so 10 % of what is measured. */
static inline void check_whole(const char *recipe, const char *from, const char *to, const char *genes) {
    const char *words[] = {
        "run", recipe, from, "-o", to, "--threads", "2", "--json", "--quiet", genes ? "--genes" : NULL, genes, NULL};
    double peak = peak_of(words), foretold = in_events("\"peak_bytes\":");
    if (foretold < 0.9 * peak || foretold > 1.1 * peak)
        fail_msg("%s: %.1f MB foretold, %.1f MB taken", recipe, foretold / 1e6, peak / 1e6);
}

/* The least that a run may be given, as its events say, holds. */
static inline double peak_within_least(const char *recipe, const char *from, const char *genes) {
    double least = in_events("\"least_bytes\":");
    char budget[32];
    snprintf(budget, sizeof budget, "%.0f", least);
    const char *words[] = {"run",
                           recipe,
                           from,
                           "-o",
                           "least.h5ad",
                           "--threads",
                           "2",
                           "--quiet",
                           "--max-memory",
                           budget,
                           genes ? "--genes" : NULL,
                           genes,
                           NULL};
    double peak = peak_of(words);
    if (peak > least) fail_msg("%s: %.1f MB are the least, %.1f MB taken", recipe, least / 1e6, peak / 1e6);
    unlink("least.h5ad");
    return peak;
}

/* And it is foretold at most 10 % too high, or 8 MB where that is more: the margin of the limit is 2 % and 1.5 MB, and
 * pages of libraries and of scratch files come in or do not: some 4 MB. */
static inline void check_least(const char *recipe, const char *from) {
    double least = in_events("\"least_bytes\":"), peak = peak_within_least(recipe, from, NULL);
    if (least > 1.1 * peak && least > peak + 8e6)
        fail_msg("%s: %.1f MB are the least, %.1f MB taken", recipe, least / 1e6, peak / 1e6);
}

/* A folder of its own, which goes with all that is in it however the test ends. */
static char folder[32];

static inline int enter_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/vel-estimate-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state) {
    (void)state;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) unlinkat(dirfd(d), e->d_name, 0);
    if (d) closedir(d);
    return chdir("/") || rmdir(folder);
}

#endif
