/* passes_times_lanes.h - of the text of core/passes.h what looks at the times and the states of cells: for
 * core/passes_lanes.h, at its end. */

typedef uint8_t bytes __attribute__((vector_size(LANES), may_alias, aligned(1)));

static inline void largest_step(const double *t, const double *s, int64_t left, lanes *most, lanes *odd) {
    lanes at = load(t, left);
    *odd += at * 0;
    *most = pick((at > *most) & (load(s, left) > 0), at, *most);
}

static double largest(int64_t n, const double *t, const double *s) {
    lanes most = (lanes){0} - INFINITY, odd = {0};
    EACH(n, largest_step(t + i, s + i, left, &most, &odd));
    double all = most[0], any = odd[0];
    for (int k = 1; k < LANES; k++) {
        all = most[k] > all ? most[k] : all;
        any += odd[k];
    }
    return any == 0 ? all : NAN;
}

/* Bytes as lanes; those beyond the end are 255. */
static inline masks load_bytes(const uint8_t *p, int64_t left) {
    if (left >= LANES) return __builtin_convertvector(*(const bytes *)(const void *)p, masks);
    masks x = (masks){0} + UINT8_MAX;
    for (int64_t k = 0; k < left; k++) x[k] = p[k];
    return x;
}

static inline void store_bytes(uint8_t *p, masks x, int64_t left) {
    bytes b = __builtin_convertvector(x, bytes);
    if (left >= LANES)
        *(bytes *)(void *)p = b;
    else
        for (int64_t k = 0; k < left; k++) p[k] = b[k];
}

static void mine(int64_t n, const vel_pass_times *c, double *y) {
    EACH(n, store(y + i,
                  pick(load_bytes(c->state + i, left) == VEL_ON, load(c->tau + i, left), load(c->tau_off + i, left)),
                  left));
}

static inline double largest_lane(lanes x) {
    double most = x[0];
    for (int k = 1; k < LANES; k++) most = x[k] > most ? x[k] : most;
    return most;
}

enum { ABREAST = 4 }; /* vectors that move back together: each is a chain of subtractions, a gap after the other */

static inline lanes all_lanes(double x) {
    lanes all;
    for (int k = 0; k < LANES; k++) all[k] = x;
    return all;
}

/* Lists the cells of the branch from the first gap on. */
static int64_t list_moving(int64_t n, const vel_pass_move *m, const double *tau, int32_t *moved) {
    const double first = m->gaps->at[0];
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++) {
        moved[k] = (int32_t)i;
        k += (m->state[i] == m->mine) & (tau[i] >= first);
    }
    return k;
}

/* Times of ABREAST vectors. */
static inline void close_abreast(const vel_gaps *gaps, double *tau) {
    lanes to[ABREAST], reach[ABREAST], highest = load(tau, LANES);
    for (int v = 0; v < ABREAST; v++) {
        to[v] = reach[v] = load(tau + v * LANES, LANES);
        highest = pick(reach[v] > highest, reach[v], highest);
    }
    double most = largest_lane(highest);
    for (int64_t g = 0; g < gaps->n && most >= gaps->at[g]; g++) {
        const masks width = (masks)all_lanes(gaps->width[g]), at = (masks)all_lanes(gaps->at[g]);
#pragma GCC unroll 4
        for (int v = 0; v < ABREAST; v++) to[v] -= (lanes)(width & (reach[v] >= (lanes)at));
    }
    for (int v = 0; v < ABREAST; v++) store(tau + v * LANES, to[v], LANES);
}

static int64_t move(int64_t n, const vel_pass_move *m, double *tau, int32_t *moved) {
    enum { TOGETHER = ABREAST * LANES };
    double t[TOGETHER];
    int64_t count = m->gaps->n ? list_moving(n, m, tau, moved) : 0;
    for (int64_t i = 0; i < count; i += TOGETHER) {
        const int64_t some = count - i < TOGETHER ? count - i : TOGETHER;
        for (int64_t k = 0; k < TOGETHER; k++) t[k] = k < some ? tau[moved[i + k]] : -INFINITY;
        close_abreast(m->gaps, t);
        for (int64_t k = 0; k < some; k++) tau[moved[i + k]] = t[k];
    }
    return count;
}

static inline void choose_step(const vel_pass_times *c, double *t, uint8_t *on, int64_t i, int64_t left) {
    masks state = load_bytes(c->state + i, left), is_on = (state == VEL_ON) | (state == VEL_STEADY_OFF);
    lanes one = (lanes){0} + 1, none = {0}, share = pick(is_on, one, none);
    lanes early = load(c->tau + i, left) * pick(state == VEL_ON, one, none);
    lanes late = load(c->tau_off + i, left) * pick(state == VEL_OFF, one, none) + c->switch_at;
    store(t + i, early * share + late * (1 - share), left);
    store_bytes(on + i, is_on & 1, left);
}

static void choose(int64_t n, const vel_pass_times *c, double *t, uint8_t *on) {
    EACH(n, choose_step(c, t, on, i, left));
}

typedef struct {
    lanes last, last_on, odd;
    masks waiting;
} reached;

static inline void reach_step(const double *t, const uint8_t *on, double switch_at, int64_t left, reached *r) {
    lanes at = load(t, left);
    masks given = load_bytes(on, left), there = given != UINT8_MAX;
    r->odd += at * 0;
    r->last = pick((at > r->last) & there, at, r->last);
    r->last_on = pick((at > r->last_on) & (given == 1), at, r->last_on);
    r->waiting -= (at == switch_at) & there;
}

static void reach(int64_t n, const double *t, const uint8_t *on, double switch_at, vel_pass_reach *out) {
    reached r = {(lanes){0} - INFINITY, (lanes){0} - INFINITY, {0}, {0}};
    EACH(n, reach_step(t + i, on + i, switch_at, left, &r));
    double odd = 0;
    *out = (vel_pass_reach){largest_lane(r.last), largest_lane(r.last_on), 0, false};
    for (int k = 0; k < LANES; k++) {
        odd += r.odd[k];
        out->waiting += r.waiting[k];
    }
    out->finite = odd == 0;
}
