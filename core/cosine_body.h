/* cosine_body.h - the vector body of cosine.h: included once by each cosine_<isa>.c, which defines
 *
 *     vec                 a vector of WIDTH floats, with the arithmetic operators
 *     WIDTH               16 or 8
 *     transpose(r)        row i of the square r[WIDTH] becomes column i
 *     signed_sqrt(x)      sqrt|x| with the sign of x
 *     or_zero(x)          x, 0 where it is NaN
 *     square_root(x)
 *
 * A lane is a pair of cells, so the orders over the genes stay those of the plain body. TILE cells are taken at once:
 * their differences are formed row by row and turned, gene after gene. */

enum { HALVES = 2, TILE = HALVES * WIDTH };

static inline vec broadcast(float x) { return (vec){0} + x; }

static inline vec load(const float *p) { return *(const vec *)__builtin_assume_aligned(p, sizeof(vec)); }

static inline void store(float *p, vec x) { *(vec *)__builtin_assume_aligned(p, sizeof(vec)) = x; }

/* Where the rows of a tile of cells begin; if they lie in pieces, where the first ones do, and what leads to the rest.
 */
typedef struct {
    const float *first[TILE];
    vel_pieces_row pieces[TILE];
} rows;

static inline const float *find_row(const vel_cosine_space *space, int64_t cell, vel_pieces_row *pieces) {
    if (!space->pieces) return space->x + cell * space->stride;
    *pieces = vel_pieces_of(space->pieces, cell);
    return pieces->starts[0] + pieces->at;
}

/* Rows of `count` cells, the last one again and again to fill the tile. */
static inline void find_rows(const vel_cosine_space *space, const int32_t *cells, int64_t count, rows *to) {
    for (int64_t i = 0; i < TILE; i++) to->first[i] = find_row(space, cells[vel_least(i, count - 1)], &to->pieces[i]);
}

/* d[gene * TILE + lane] = x of WIDTH cells minus x of the cell they are reached from, for n genes; the cells of a later
 * call come into the second cache meanwhile: the first has too few misses under way for all. */
static inline void subtract(const vel_cosine_space *space, int64_t n, const float *from, const float *const *to,
                            const float *const *next, float *d) {
    for (int64_t g = 0; g < n; g += WIDTH) {
        vec r[WIDTH], x = load(from + g);
#pragma GCC unroll 16
        for (int i = 0; i < WIDTH; i++) {
            __builtin_prefetch(next[i] + g, 0, 2);
            r[i] = load(to[i] + g) - x;
            if (space->sqrt_transform) r[i] = signed_sqrt(r[i]);
        }
        transpose(r);
#pragma GCC unroll 16
        for (int i = 0; i < WIDTH; i++) store(d + (g + i) * TILE, r[i]);
    }
}

static inline void find_pieces(const vel_pieces_row *row, int64_t p, const float *found[WIDTH]) {
#pragma GCC unroll 16
    for (int i = 0; i < WIDTH; i++) found[i] = row[i].starts[p] + row[i].at;
}

/* The same for all genes; `from` begins at x. */
static inline void differences(const vel_cosine_space *space, const float *x, vel_pieces_row from, const rows *to,
                               const rows *next, int half, float *d) {
    const float *const *at = to->first + half, *const *ahead = next->first + half, *found[2][WIDTH];
    int64_t n_genes = space->n_genes, width = space->pieces ? vel_least(space->pieces->width, n_genes) : n_genes;
    for (int64_t p = 0, g = 0;;) {
        subtract(space, vel_least(width, n_genes - g), x, at, ahead, d + g * TILE);
        g += width;
        if (g >= n_genes) return;
        p++;
        x = from.starts[p] + from.at;
        find_pieces(to->pieces + half, p, found[0]);
        find_pieces(next->pieces + half, p, found[1]);
        at = found[0];
        ahead = found[1];
    }
}

/* The pairwise sum of sum.h over n <= 128 genes. */
static inline vec sum_leaf(int64_t n, const float *d) {
    vec sum = {0};
    int64_t g = 0;
    if (n >= 8) {
        vec r[8];
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) r[i] = load(d + i * TILE);
        for (g = 8; g + 8 <= n; g += 8)
#pragma GCC unroll 8
            for (int i = 0; i < 8; i++) r[i] += load(d + (g + i) * TILE);
        sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    }
    for (; g < n; g++) sum += load(d + g * TILE);
    return sum;
}

static vec sum_pairwise(int64_t n, const float *d) {
    if (n <= 128) return sum_leaf(n, d);
    int64_t half = n / 2 / 8 * 8;
    return sum_pairwise(half, d) + sum_pairwise(n - half, d + half * TILE);
}

static vec sum_genes(int64_t n, const float *d) {
    vec sum = {0};
    for (int64_t g = 0; g < n; g += VEL_SUM_CHUNK) sum += sum_pairwise(vel_least(n - g, VEL_SUM_CHUNK), d + g * TILE);
    return sum;
}

/* Sums of WIDTH pairs: the product with v, and the four lanes of the squares. */
typedef struct {
    vec mean, dot, square[4];
} sums;

static inline void add_product(sums *s, const float *d, float v) { s->dot += (load(d) - s->mean) * v; }

static inline void add_square(sums *s, const float *d, int lane) {
    vec x = load(d) - s->mean;
    s->square[lane] += x * x;
}

/* 16 genes: products in order, squares last group of four first. */
static inline void accumulate_block(const float *d, const float *v, sums *s) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) add_product(s, d + i * TILE, v[i]);
#pragma GCC unroll 4
    for (int group = 12; group >= 0; group -= 4)
#pragma GCC unroll 4
        for (int l = 0; l < 4; l++) add_square(s, d + (group + l) * TILE, l);
}

static inline void accumulate(int64_t n, const float *d, const float *v, sums s[HALVES]) {
    int64_t g = 0;
    for (; g + 16 <= n; g += 16)
#pragma GCC unroll 2
        for (int h = 0; h < HALVES; h++) accumulate_block(d + g * TILE + h * WIDTH, v + g, &s[h]);
    for (; g < n; g += 4)
#pragma GCC unroll 4
        for (int l = 0; l < 4; l++)
#pragma GCC unroll 2
            for (int h = 0; h < HALVES; h++) {
                if (g + l >= n) break;
                add_product(&s[h], d + (g + l) * TILE + h * WIDTH, v[g + l]);
                add_square(&s[h], d + (g + l) * TILE + h * WIDTH, l);
            }
}

static inline vec cosine_of(const sums *s, float norm) {
    vec squares = (s->square[0] + s->square[1]) + (s->square[2] + s->square[3]);
    return or_zero(s->dot / (square_root(squares) * norm));
}

static inline void cosines(const vel_cosine_space *space, const vel_cosine_query *query, float *work, float *out) {
    vel_pieces_row from = {NULL, 0};
    const float *x = find_row(space, query->cell, &from);
    rows tiles[2];
    int64_t m = query->m;
    if (m > 0) find_rows(space, query->cells, vel_least(m, TILE), &tiles[0]);
    for (int64_t k = 0; k < m; k += TILE) {
        rows *to = &tiles[k / TILE & 1], *next = &tiles[~(k / TILE) & 1];
        int64_t ahead = vel_least(k + TILE, m - 1);
        find_rows(space, query->cells + ahead, vel_least(m - ahead, TILE), next);
        sums s[HALVES] = {0};
        for (int h = 0; h < HALVES; h++) {
            float *d = work + h * WIDTH;
            differences(space, x, from, to, next, h * WIDTH, d);
            s[h].mean = sum_genes(space->n_genes, d) / (float)space->n_genes;
        }
        accumulate(space->n_genes, work, query->v, s);
        float tile[TILE] __attribute__((aligned(64)));
        for (int h = 0; h < HALVES; h++) store(tile + h * WIDTH, cosine_of(&s[h], query->norm));
        memcpy(out + k, tile, (size_t)vel_least(m - k, TILE) * sizeof *tile);
    }
}
