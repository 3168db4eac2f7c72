#include "core/knn_best.h"

#include <math.h>

/* ---- a heap */

static bool before(double a, int32_t i, double b, int32_t k) { return a < b || (a == b && i < k); }

static void swap(vel_knn_best *b, int64_t i, int64_t k) {
    double s = b->square[i];
    int32_t x = b->index[i];
    b->square[i] = b->square[k], b->index[i] = b->index[k];
    b->square[k] = s, b->index[k] = x;
}

static void sink(vel_knn_best *b, int64_t i, int64_t size) {
    for (;;) {
        int64_t worst = i;
        for (int64_t child = 2 * i + 1; child <= 2 * i + 2 && child < size; child++)
            if (before(b->square[worst], b->index[worst], b->square[child], b->index[child])) worst = child;
        if (worst == i) return;
        swap(b, i, worst);
        i = worst;
    }
}

static void insert(vel_knn_best *b, double square, int32_t index) {
    if (b->size < b->room) {
        int64_t i = b->size++;
        b->square[i] = square, b->index[i] = index;
        for (; i > 0 && before(b->square[(i - 1) / 2], b->index[(i - 1) / 2], b->square[i], b->index[i]);
             i = (i - 1) / 2)
            swap(b, i, (i - 1) / 2);
    } else if (b->room > 0 && before(square, index, b->square[0], b->index[0])) {
        b->square[0] = square, b->index[0] = index;
        sink(b, 0, b->size);
    }
}

/* ---- exact distances */

static const char *point_at(const vel_knn_space *s, int64_t place) {
    return (const char *)s->x->data + s->order[place] * s->x->row_stride * (int64_t)vel_type_size(s->x->type);
}

static void insert_point(const vel_knn_space *s, vel_knn_best *b, int64_t place) {
    const void *p = point_at(s, b->self), *q = point_at(s, place);
    bool single = s->x->type == VEL_F32;
    insert(b, single ? s->body->square_f32(s->x->cols, p, q) : s->body->square_f64(s->x->cols, p, q), s->order[place]);
}

static void set_reach(const vel_knn_space *s, vel_knn_best *b, double reach) {
    if (!(reach < b->reach)) return;
    b->reach = reach;
    b->limit = vel_knn_grid_limit(s->grid, b->self, reach);
}

static int64_t entry(int32_t sum, int64_t place) { return (int64_t)sum * ((int64_t)1 << 32) + place; }

static int64_t place_of(int64_t entry) { return entry & UINT32_MAX; }

static int32_t sum_of(int64_t entry) { return (int32_t)((entry - place_of(entry)) / ((int64_t)1 << 32)); }

enum { LINE = 64 }; /* bytes */

/* Points that stand together may lie anywhere: they come into the cache together. */
static void insert_waiting(const vel_knn_space *s, vel_knn_best *b) {
    int64_t bytes = s->x->cols * (int64_t)vel_type_size(s->x->type);
    for (int64_t k = 0; k < b->waiting; k++)
        for (int64_t at = 0; at < bytes; at += LINE) __builtin_prefetch(point_at(s, place_of(b->queue[k])) + at);
    for (int64_t k = 0; k < b->waiting; k++) insert_point(s, b, place_of(b->queue[k]));
    b->waiting = 0;
    if (b->room > 0 && b->size == b->room) set_reach(s, b, b->square[0]);
}

/* ---- those that wait */

static int64_t most_waiting(const vel_knn_best *b) { return 4 * b->room + 64; }

/* The k-th smallest, counted from 0; what is smaller comes before it. Hoare's method. */
static int64_t select_entry(int64_t *v, int64_t n, int64_t k) {
    int64_t low = 0, high = n - 1;
    while (low < high) {
        int64_t pivot = v[(low + high) / 2], i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i > j) break;
            int64_t x = v[i];
            v[i++] = v[j];
            v[j--] = x;
        }
        if (k > j && k < i) break;
        if (k <= j)
            high = j;
        else
            low = i;
    }
    return v[k];
}

/* With `room` points no further than the last of them can be, all that are further on the grid are out of the question.
 */
static void drop_far(const vel_knn_space *s, vel_knn_best *b) {
    int32_t last = sum_of(select_entry(b->queue, b->waiting, b->room - 1));
    int64_t kept = 0;
    set_reach(s, b, vel_knn_grid_square(s->grid, b->self, last));
    for (int64_t k = 0; k < b->waiting; k++) {
        int64_t e = b->queue[k];
        b->queue[kept] = e;
        kept += sum_of(e) <= b->limit;
    }
    b->waiting = kept;
}

vel_err vel_knn_best_new(vel_ctx *ctx, int64_t self, int64_t room, vel_knn_best *b) {
    *b = (vel_knn_best){.self = self, .room = room, .reach = room > 0 ? INFINITY : -1};
    b->limit = room > 0 ? VEL_KNN_EVERY : VEL_KNN_NONE;
    VEL_TRY(VEL_ALLOC(ctx, b->queue, most_waiting(b)));
    VEL_TRY(VEL_ALLOC(ctx, b->square, room));
    return VEL_ALLOC(ctx, b->index, room);
}

void vel_knn_best_offer(const vel_knn_space *s, vel_knn_best *b, int64_t place, int32_t sum) {
    if (place == b->self || sum > b->limit) return;
    if (vel_knn_grid_is_outside(sum)) {
        insert_point(s, b, place);
        return;
    }
    b->queue[b->waiting++] = entry(sum, place);
    if (b->waiting < most_waiting(b)) return;
    drop_far(s, b);
    if (b->waiting > most_waiting(b) / 2) insert_waiting(s, b);
}

void vel_knn_best_look(const vel_knn_space *s, vel_knn_best *b) {
    if (b->room > 0 && b->waiting >= (isfinite(b->reach) ? 3 * b->room : b->room)) drop_far(s, b);
}

void vel_knn_best_sort(const vel_knn_space *s, vel_knn_best *b) {
    if (b->room > 0 && b->waiting >= b->room) drop_far(s, b);
    insert_waiting(s, b);
    for (int64_t end = b->size - 1; end > 0; end--) {
        swap(b, 0, end);
        sink(b, 0, end);
    }
}
