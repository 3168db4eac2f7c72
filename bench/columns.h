/* columns.h - what the tables show of a bench: a row a column, for the Markdown table and the HTML page alike. */
#ifndef VEL_BENCH_COLUMNS_H
#define VEL_BENCH_COLUMNS_H

#include "bench/result.h"

typedef struct {
    const char *title; /* NULL: the program's name */
    unsigned kinds;    /* 1 << bench_kind: the sections that have it */
    bool own, rivals;  /* of this program, of each rival */
    /* first: this program's cell. text has room for BENCH_FIGURE. */
    void (*show)(const bench_line *line, const bench_cell *first, const bench_cell *cell, char *text);
} bench_column;

extern const bench_column bench_columns[];
extern const int bench_n_columns;

/* The columns of a program in a section: the first of them, after `from`; -1: no more. Start with -1. */
int bench_next_column(bench_kind kind, bool own, int from);

enum { BENCH_FIGURE = 48 };

/* "361 s", "1.23 s", "45.6 ms": three digits. "–" if it is no number. */
void bench_show_seconds(double s, char *text);
void bench_show_mb(double mb, char *text);                 /* "1,809 MB" without the comma: "1809 MB", "3.4 MB" */
void bench_show_ratio(double x, char *text);               /* "31.2x" */
void bench_show_shape(const bench_line *line, char *text); /* "5000 x 50", "(stand-in)" behind it if it is one */

#endif
