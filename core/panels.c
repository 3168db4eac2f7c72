#include "core/panels.h"

#include <string.h>

#include "core/halves.h"
#include "core/least.h"
#include "core/par.h"
#include "core/turn.h"

enum { LANES = VEL_HALVES_STEP, LINE = VEL_LINE, PAGE = 4096, SIDE = 64 };

/* Genes from which on the copy that is saved is large beside a graph. Widths of a piece: each begins in a page of its
 * own, which the processor has to look up; columns that lend their places are more, and squares larger, the wider it
 * is. */
enum { FEWEST = 256, NARROWEST = 384, WIDEST = VEL_HALVES_MOST };

struct vel_panels {
    vel_type type;
    int64_t n_cells, n_genes, tiles;
    vel_pieces pieces;
    int64_t n_columns; /* pieces.n * pieces.width */
    char **columns;    /* those of the genes, and others up to whole pieces */
    float *loose;      /* rows of the loose cells */
    int64_t *ready;    /* n_columns: tiles whose values lie where lines begin */
    uint8_t *turned;   /* pieces.n x tiles */
};

/* ---- columns: values where lines begin */

/* A column of float32 goes up to where a line begins; what was behind it comes in front. */
static void shift(const vel_panels *p, float *x) {
    size_t bytes = (size_t)p->pieces.tiled * sizeof *x, by = (size_t)(vel_line_from((char *)x) - (char *)x);
    char behind[LINE];
    memcpy(behind, (char *)x + bytes, by);
    memmove((char *)x + by, x, bytes);
    memcpy(x, behind, by);
}

static void shift_back(const vel_panels *p, float *x) {
    size_t bytes = (size_t)p->pieces.tiled * sizeof *x, by = (size_t)(vel_line_from((char *)x) - (char *)x);
    char behind[LINE];
    memcpy(behind, x, by);
    memmove(x, (char *)x + by, bytes);
    memcpy((char *)x + bytes, behind, by);
}

static vel_err ready_column(vel_ctx *ctx, int64_t column, void *arg) {
    (void)ctx;
    vel_panels *p = arg;
    int64_t *ready = &p->ready[column], width = p->pieces.width;
    float *f = (float *)p->columns[column];
    double *x = (double *)p->columns[column];
    for (int64_t c = p->pieces.tiled; c < p->n_cells; c++)
        p->loose[(c - p->pieces.tiled) * p->n_columns + column] = p->type == VEL_F32 ? f[c] : (float)x[c];
    if (p->type == VEL_F32) {
        shift(p, f);
        *ready = p->tiles;
    }
    while (*ready < p->tiles && vel_halve(x + *ready * width, width)) ++*ready;
    return VEL_OK;
}

static vel_err restore_column(vel_ctx *ctx, int64_t column, void *arg) {
    (void)ctx;
    vel_panels *p = arg;
    int64_t *ready = &p->ready[column], width = p->pieces.width;
    if (p->type == VEL_F32 && *ready) {
        shift_back(p, (float *)p->columns[column]);
        *ready = 0;
    }
    for (; *ready > 0; --*ready) vel_unite((double *)p->columns[column] + (*ready - 1) * width, width);
    return VEL_OK;
}

static bool all_are_ready(const vel_panels *p) {
    for (int64_t k = 0; k < p->n_columns; k++)
        if (p->ready[k] < p->tiles) return false;
    return true;
}

/* ---- squares: as many columns as each has values, transposed by blocks */

typedef struct {
    float *const *lines; /* of a square */
    int64_t i, j, rows, cols;
} block;

static void take(block b, float *to) {
    for (int64_t i = 0; i < b.rows; i++) memcpy(to + i * SIDE, b.lines[b.i + i] + b.j, (size_t)b.cols * sizeof *to);
}

static void put_turned(const float *from, block b) {
    float turned[SIDE * SIDE];
    vel_turn(sizeof *from, b.cols, b.rows, from, SIDE, turned, SIDE);
    for (int64_t i = 0; i < b.rows; i++)
        memcpy(b.lines[b.i + i] + b.j, turned + i * SIDE, (size_t)b.cols * sizeof *from);
}

static void exchange(block a, block b) {
    float first[SIDE * SIDE], second[SIDE * SIDE];
    take(a, first);
    if (a.i != a.j) {
        take(b, second);
        put_turned(second, a);
    }
    put_turned(first, b);
}

/* Its own inverse. */
static vel_err turn_square(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    vel_panels *p = arg;
    int64_t width = p->pieces.width;
    float *lines[WIDEST];
    for (int64_t k = 0; k < width; k++)
        lines[k] = (float *)vel_line_from(p->columns[item / p->tiles * width + k]) + item % p->tiles * p->pieces.step;
    for (int64_t i = 0; i < width; i += SIDE)
        for (int64_t j = i; j < width; j += SIDE) {
            int64_t rows = vel_least(SIDE, width - i), cols = vel_least(SIDE, width - j);
            exchange((block){lines, i, j, rows, cols}, (block){lines, j, i, cols, rows});
        }
    p->turned[item] ^= 1;
    return VEL_OK;
}

static vel_err restore_square(vel_ctx *ctx, int64_t item, void *arg) {
    const vel_panels *p = arg;
    return p->turned[item] ? turn_square(ctx, item, arg) : VEL_OK;
}

/* Not to be cancelled; what the loop did not come to, for want of memory for its workers, is done here. */
static void always(const vel_ctx *ctx, int64_t n, vel_body body, vel_panels *p) {
    vel_ctx own = {.scratch = ctx->scratch, .threads = ctx->threads};
    if (vel_for(&own, NULL, n, body, p) == VEL_OK) return;
    for (int64_t i = 0; i < n; i++) (void)body(&own, i, p);
}

void vel_panels_restore(const vel_ctx *ctx, vel_panels *p) {
    if (!p) return;
    always(ctx, p->pieces.n * p->tiles, restore_square, p);
    always(ctx, p->n_columns, restore_column, p);
}

/* ---- making */

/* What a width takes: rows of loose cells and columns that no gene of the layer lends. */
static int64_t bytes_of(const vel_mat *layer, int64_t n_genes, int64_t width, int64_t cells) {
    int64_t columns = (n_genes + width - 1) / width * width, more = columns - layer->cols;
    return (layer->rows - cells / width * width) * columns * (int64_t)sizeof(float) +
           (more > 0 ? more * layer->rows * (int64_t)vel_type_size(layer->type) : 0);
}

/* A column of float32 is shifted by up to a line. */
static int64_t room(vel_type type, int64_t n_cells) {
    return n_cells - (type == VEL_F32 ? LINE / (int64_t)sizeof(float) - 1 : 0);
}

static int64_t narrowest(int64_t n_genes) { return vel_least((n_genes + LANES - 1) / LANES * LANES, NARROWEST); }

bool vel_panels_suit(vel_type type, int64_t n_cells, int64_t n_genes) {
    return n_genes >= FEWEST && n_cells <= VEL_PIECES_CELLS && (size_t)n_cells * vel_type_size(type) % PAGE != 0 &&
           room(type, n_cells) >= narrowest(n_genes);
}

/* The width that takes least. */
static int64_t choose_width(const vel_mat *layer, int64_t n_genes) {
    int64_t best = narrowest(n_genes), cells = room(layer->type, layer->rows);
    for (int64_t width = best; width <= WIDEST && width < n_genes + LANES && width <= cells; width += LANES)
        if (bytes_of(layer, n_genes, width, cells) <= bytes_of(layer, n_genes, best, cells)) best = width;
    return best;
}

/* Columns of other genes, or new ones, make the pieces whole. */
static vel_err choose_columns(vel_ctx *ctx, const vel_mat *layer, const int64_t *genes, vel_panels *p) {
    size_t size = vel_type_size(p->type), bytes = (size_t)layer->rows * size;
    int64_t n = p->n_genes, k = 0;
    VEL_TRY(VEL_ALLOC(ctx, p->columns, p->n_columns));
    for (int64_t i = 0; i < n; i++) p->columns[i] = (char *)layer->data + (size_t)(genes[i] * layer->col_stride) * size;
    for (int64_t g = 0; g < layer->cols && n < p->n_columns; g++) {
        if (k < p->n_genes && genes[k] == g)
            k++;
        else
            p->columns[n++] = (char *)layer->data + (size_t)(g * layer->col_stride) * size;
    }
    for (; n < p->n_columns; n++) {
        p->columns[n] = vel_arena_zalloc(ctx->scratch, bytes, 1);
        if (!p->columns[n]) return vel_no_memory(ctx, bytes, 1);
    }
    return VEL_OK;
}

static vel_err find_starts(vel_ctx *ctx, vel_panels *p) {
    int64_t n = p->pieces.n, width = p->pieces.width, loose = p->n_cells - p->pieces.tiled;
    const float **starts;
    VEL_TRY(VEL_ALLOC(ctx, starts, (width + loose) * n));
    for (int64_t k = 0; k < n; k++) {
        for (int64_t j = 0; j < width; j++) starts[j * n + k] = (float *)vel_line_from(p->columns[k * width + j]);
        for (int64_t j = 0; j < loose; j++) starts[(width + j) * n + k] = p->loose + j * p->n_columns + k * width;
    }
    p->pieces.starts = starts;
    return VEL_OK;
}

static vel_err make(vel_ctx *ctx, const vel_mat *layer, const int64_t *genes, vel_panels *p) {
    VEL_TRY(choose_columns(ctx, layer, genes, p));
    VEL_TRY(VEL_ALLOC(ctx, p->loose, (p->n_cells - p->pieces.tiled) * p->n_columns));
    VEL_TRY(VEL_ZALLOC(ctx, p->ready, p->n_columns));
    VEL_TRY(VEL_ZALLOC(ctx, p->turned, p->pieces.n * p->tiles));
    return find_starts(ctx, p);
}

static vel_err turn_all(vel_ctx *ctx, vel_panels *p) {
    VEL_TRY(vel_for(ctx, NULL, p->n_columns, ready_column, p));
    return all_are_ready(p) ? vel_for(ctx, NULL, p->pieces.n * p->tiles, turn_square, p) : VEL_OK;
}

static void set_shape(const vel_mat *layer, int64_t n_genes, vel_panels *p) {
    int64_t width = choose_width(layer, n_genes), n = (n_genes + width - 1) / width;
    int64_t step = width * (int64_t)(vel_type_size(layer->type) / sizeof(float));
    p->type = layer->type;
    p->n_cells = layer->rows;
    p->n_genes = n_genes;
    p->n_columns = n * width;
    p->tiles = room(layer->type, layer->rows) / width;
    p->pieces = (vel_pieces){n, width, vel_pieces_inverse(width), p->tiles * width, step, NULL};
}

vel_err vel_panels_turn(vel_ctx *ctx, const vel_mat *layer, const int64_t *genes, int64_t n_genes,
                        vel_panels **panels) {
    vel_panels *p;
    *panels = NULL;
    if (!vel_panels_suit(layer->type, layer->rows, n_genes)) return VEL_OK;
    VEL_TRY(VEL_ZALLOC(ctx, p, 1));
    set_shape(layer, n_genes, p);
    VEL_TRY(make(ctx, layer, genes, p));
    vel_err e = turn_all(ctx, p);
    if (!e && all_are_ready(p))
        *panels = p;
    else
        vel_panels_restore(ctx, p);
    return e;
}

const vel_pieces *vel_panels_pieces(const vel_panels *p) { return &p->pieces; }
