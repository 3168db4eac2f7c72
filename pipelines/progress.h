/* progress.h - one live line on a terminal: which step of how many, what is done, how long it will take. */
#ifndef VEL_PIPELINES_PROGRESS_H
#define VEL_PIPELINES_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *to;
    bool live;   /* a terminal: the line is drawn over and over; else nothing is drawn */
    bool colour; /* NO_COLOR and TERM=dumb are honoured */
    bool shown;
    char what[64];
    double started; /* of the present work, seconds */
} vel_progress;

vel_progress vel_progress_to(FILE *to);

/* done of total; prefix stands before it ("[2/7] moments"). */
void vel_progress_show(vel_progress *p, const char *prefix, const char *what, int64_t done, int64_t total);

/* Takes the line away, so that something else can be printed. */
void vel_progress_clear(vel_progress *p);

/* "0:07", "12:34", "3:02:10". Returns text. */
char *vel_duration_text(double seconds, char text[16]);

/* Monotonic clock, seconds. */
double vel_clock(void);

#endif
