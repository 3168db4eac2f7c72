#include "core/candidates.h"

#include <string.h>

#include "core/stats.h"

/* The reference adds this to every distance before it sorts them, in their type. */
#define DISTANCE_SHIFT 1e-6

static double sort_key(const vel_csr *g, int64_t e) {
    double d = vel_real_at(g->type, g->values, e);
    return g->type == VEL_F32 ? (double)((float)d + (float)DISTANCE_SHIFT) : d + DISTANCE_SHIFT;
}

static bool is_coincident(const vel_csr *g, int64_t row) {
    for (int64_t e = g->indptr[row]; e < g->indptr[row + 1]; e++)
        if (vel_real_at(g->type, g->values, e) > 0) return false;
    return true;
}

static void inspect(const vel_csr *g, int64_t most, vel_neighbor_report *r) {
    *r = (vel_neighbor_report){.k = most > 0 ? most : INT64_MAX, .first_lonely = -1, .first_coincident = -1};
    for (int64_t i = 0; i < g->rows; i++) {
        int64_t count = g->indptr[i + 1] - g->indptr[i];
        if (count == 0) {
            if (!r->n_lonely++) r->first_lonely = i;
            continue;
        }
        if (count < r->k) r->k = count;
        if (g->values && is_coincident(g, i) && !r->n_coincident++) r->first_coincident = i;
    }
    if (r->n_lonely == g->rows) r->k = 0;
}

/* Scratch for sorting one row. */
typedef struct {
    double *keys;
    int64_t *order, *work;
    uint8_t *keep;
} sorter;

static vel_err hire_sorter(vel_ctx *ctx, const vel_csr *g, sorter *s) {
    int64_t longest = 0;
    for (int64_t i = 0; i < g->rows; i++)
        if (g->indptr[i + 1] - g->indptr[i] > longest) longest = g->indptr[i + 1] - g->indptr[i];
    VEL_TRY(VEL_ALLOC(ctx, s->keys, longest));
    VEL_TRY(VEL_ALLOC(ctx, s->order, longest));
    VEL_TRY(VEL_ALLOC(ctx, s->work, longest));
    return VEL_ALLOC(ctx, s->keep, longest);
}

/* The k nearest of a row, in stored order; returns how many. */
static int64_t nearest(const vel_csr *g, int64_t row, int64_t k, sorter *s, int32_t *out) {
    int64_t first = g->indptr[row], count = g->indptr[row + 1] - first, kept = 0;
    bool all = count <= k;
    if (!all) {
        for (int64_t e = 0; e < count; e++) {
            s->keys[e] = g->values ? sort_key(g, first + e) : 0;
            s->keep[e] = 0;
        }
        vel_argsort_f64(s->keys, count, s->order, s->work);
        for (int64_t e = 0; e < k; e++) s->keep[s->order[e]] = 1;
    }
    for (int64_t e = 0; e < count; e++)
        if (all || s->keep[e]) out[kept++] = g->indices[first + e];
    return kept;
}

vel_err vel_neighbor_lists_make(vel_ctx *ctx, const vel_csr *g, int64_t most, vel_neighbor_lists *lists,
                                vel_neighbor_report *report) {
    if (g->rows != g->cols)
        return vel_fail(ctx, VEL_ESHAPE, "a neighbour graph must be square, found %lld x %lld", (long long)g->rows,
                        (long long)g->cols);
    inspect(g, most, report);
    int64_t *indptr;
    int32_t *indices;
    sorter s;
    VEL_TRY(VEL_ALLOC(ctx, indptr, g->rows + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, (g->rows - report->n_lonely) * report->k));
    VEL_TRY(hire_sorter(ctx, g, &s));
    indptr[0] = 0;
    for (int64_t i = 0; i < g->rows; i++) indptr[i + 1] = indptr[i] + nearest(g, i, report->k, &s, indices + indptr[i]);
    *lists = (vel_neighbor_lists){g->rows, indptr, indices};
    return VEL_OK;
}

enum { WORD_BITS = 6, GROUP = 64 }; /* words of 64 cells, in groups of 64: whether they are used makes a word in turn */

vel_err vel_cell_set_make(vel_ctx *ctx, int64_t n, vel_cell_set *set) {
    int64_t words = (n + (1 << WORD_BITS) - 1) >> WORD_BITS;
    set->n_words = (words + GROUP - 1) / GROUP * GROUP;
    VEL_TRY(VEL_ZALLOC(ctx, set->member, set->n_words));
    return VEL_ZALLOC(ctx, set->used, set->n_words);
}

static uint64_t bit_of(int32_t cell) { return (uint64_t)1 << (cell & ((1 << WORD_BITS) - 1)); }

bool vel_cell_set_add(vel_cell_set *set, int32_t cell) {
    uint64_t *word = &set->member[cell >> WORD_BITS];
    bool is_new = !(*word & bit_of(cell));
    *word |= bit_of(cell);
    set->used[cell >> WORD_BITS] = 1;
    return is_new;
}

/* No branches: whether a cell was there before cannot be foretold. */
static void add_list(vel_cell_set *set, const int32_t *restrict list, int64_t length) {
    uint64_t *restrict member = set->member;
    uint8_t *restrict used = set->used;
    for (int64_t e = 0; e < length; e++) {
        member[list[e] >> WORD_BITS] |= bit_of(list[e]);
        used[list[e] >> WORD_BITS] = 1;
    }
}

/* The cells of a word that has any, two at a time without a branch: most words have one or two, and which cannot be
 * foretold. The second of a single cell is that cell again, in its own place: nothing is written past the last. */
static int64_t take_word(uint64_t word, int32_t first, int32_t *cells) {
    int64_t count = 0;
    do {
        uint64_t rest = word & (word - 1);
        bool two = rest != 0;
        uint64_t second = rest | (word & -(uint64_t)!two);
        cells[count] = first + __builtin_ctzll(word);
        cells[count + two] = first + __builtin_ctzll(second);
        count += 1 + two;
        word = rest & (rest - 1);
    } while (word);
    return count;
}

/* Bit k: whether word k of a group is used; none is afterwards. The factor gathers eight bytes of 0 or 1 in the top
 * byte, the first of them lowest. */
static uint64_t take_uses(uint8_t *used) {
    uint64_t bits = 0;
    for (int k = 0; k < GROUP; k += 8) {
        uint64_t eight;
        memcpy(&eight, used + k, sizeof eight);
        bits |= eight * 0x0102040810204080 >> 56 << k;
    }
    memset(used, 0, GROUP);
    return bits;
}

int64_t vel_cell_set_take(vel_cell_set *set, int32_t *cells) {
    int64_t count = 0;
    for (int64_t u = 0; u < set->n_words; u += GROUP)
        for (uint64_t uses = take_uses(set->used + u); uses; uses &= uses - 1) {
            int64_t w = u + __builtin_ctzll(uses);
            count += take_word(set->member[w], (int32_t)(w << WORD_BITS), cells + count);
            set->member[w] = 0;
        }
    return count;
}

enum { LINE = 16 }; /* cells in a line of the cache */

/* Inlined by command: gcc takes a function that only fetches for one without effect, and drops the calls. */
#define INLINE static inline __attribute__((always_inline))

INLINE void fetch_list(const vel_neighbor_lists *lists, int64_t of) {
    const int32_t *first = lists->indices + lists->indptr[of], *end = lists->indices + lists->indptr[of + 1];
    for (; first < end; first += LINE) __builtin_prefetch(first);
    __builtin_prefetch(end);
}

/* Cells come in order as a rule: the lists that the next one leads to come into the cache meanwhile, and where those
 * lie that the one after it leads to. */
INLINE void fetch_ahead(const vel_neighbor_lists *lists, int64_t cell) {
    if (cell + 2 >= lists->n) return;
    const int64_t *next = lists->indptr + cell + 1;
    for (int64_t e = next[0]; e < next[1]; e++) fetch_list(lists, lists->indices[e]);
    for (int64_t e = next[1]; e < next[2]; e++) __builtin_prefetch(lists->indptr + lists->indices[e]);
}

int64_t vel_candidates(const vel_neighbor_lists *lists, int64_t cell, int64_t hops, vel_cell_set *set, int32_t *cells) {
    int64_t count = 0, done = 0;
    if (hops > 1) fetch_ahead(lists, cell);
    vel_cell_set_add(set, (int32_t)cell);
    cells[count++] = (int32_t)cell;
    for (int64_t hop = 1; hop < hops && done < count; hop++)
        for (int64_t known = count; done < known; done++) {
            int64_t j = cells[done];
            for (int64_t e = lists->indptr[j]; e < lists->indptr[j + 1]; e++) {
                if (!vel_cell_set_add(set, lists->indices[e])) continue;
                cells[count++] = lists->indices[e];
                fetch_list(lists, lists->indices[e]);
            }
        }
    for (; hops > 0 && done < count; done++) { /* nobody walks on from the last hop */
        int64_t first = lists->indptr[cells[done]];
        add_list(set, lists->indices + first, lists->indptr[cells[done] + 1] - first);
    }
    return vel_cell_set_take(set, cells);
}
