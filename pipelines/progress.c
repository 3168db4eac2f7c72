#include "pipelines/progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double vel_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

vel_progress vel_progress_to(FILE *to) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool dumb = !term || !strcmp(term, "dumb");
    bool live = isatty(fileno(to)) && !dumb;
    return (vel_progress){.to = to, .live = live, .colour = live && !(no_color && *no_color)};
}

char *vel_duration_text(double seconds, char text[16]) {
    unsigned s = seconds > 0 && seconds < 359999 ? (unsigned)(seconds + 0.5) : 0;
    if (seconds >= 359999)
        snprintf(text, 16, "days");
    else if (s < 3600)
        snprintf(text, 16, "%u:%02u", s / 60 % 60, s % 60);
    else
        snprintf(text, 16, "%u:%02u:%02u", s / 3600 % 100, s / 60 % 60, s % 60);
    return text;
}

void vel_progress_show(vel_progress *p, const char *prefix, const char *what, int64_t done, int64_t total) {
    if (!p->live || total <= 0) return;
    double now = vel_clock();
    if (strncmp(p->what, what, sizeof p->what - 1) != 0) {
        snprintf(p->what, sizeof p->what, "%s", what);
        p->started = now;
    }
    double share = (double)done / (double)total, passed = now - p->started;
    char eta[16] = "-:--";
    if (done > 0) vel_duration_text(passed * (1 - share) / share, eta);
    fprintf(p->to, "\r\033[K%s%s%s  %s  %3.0f %%  %lld/%lld  ETA %s", p->colour ? "\033[1m" : "", prefix,
            p->colour ? "\033[0m" : "", what, 100 * share, (long long)done, (long long)total, eta);
    fflush(p->to);
    p->shown = true;
}

void vel_progress_clear(vel_progress *p) {
    if (p->shown) {
        fputs("\r\033[K", p->to);
        fflush(p->to);
    }
    p->shown = false;
    p->what[0] = 0;
}
