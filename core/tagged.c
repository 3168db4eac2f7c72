#include "core/tagged.h"

#include "core/fmath.h"
#include "core/stats.h"
#include "core/sum.h"

/* numpy.clip: NaN stays NaN. */
static double clipped(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

static double single_clipped_log(double x) {
    return (double)vel_npy_logf((float)clipped(x, (double)(float)VEL_LOG_LOW, (double)(float)VEL_LOG_HIGH));
}

vel_num vel_num_exp(vel_num x) {
    return (vel_num){x.tag == VEL_SINGLE ? (double)vel_npy_expf((float)x.v) : vel_exp(x.v), x.tag};
}

vel_num vel_num_clipped_log(vel_num x) {
    return (vel_num){x.tag == VEL_SINGLE ? single_clipped_log(x.v) : vel_log(clipped(x.v, VEL_LOG_LOW, VEL_LOG_HIGH)),
                     x.tag};
}

void vel_vec_exp(int64_t n, vel_vec x) {
    if (x.tag != VEL_SINGLE)
        vel_exp_n(n, x.v, x.v);
    else
        for (int64_t i = 0; i < n; i++) x.v[i] = (double)vel_npy_expf((float)x.v[i]);
}

void vel_vec_clipped_log(int64_t n, vel_vec x) {
    if (x.tag == VEL_SINGLE) {
        for (int64_t i = 0; i < n; i++) x.v[i] = single_clipped_log(x.v[i]);
        return;
    }
    for (int64_t i = 0; i < n; i++) x.v[i] = clipped(x.v[i], VEL_LOG_LOW, VEL_LOG_HIGH);
    vel_log_n(n, x.v, x.v);
}

/* The values as float32, in the memory of work: element i is written after element i of x has been read. */
static float *narrowed(int64_t n, const double *x, double *work) {
    float *out = (float *)(void *)work;
    for (int64_t i = 0; i < n; i++) out[i] = (float)x[i];
    return out;
}

vel_num vel_vec_sum(int64_t n, vel_vec x, double *work) {
    double sum = x.tag == VEL_SINGLE ? (double)vel_sum_f32(narrowed(n, x.v, work), n) : vel_sum_f64(x.v, n);
    return (vel_num){sum, x.tag};
}

vel_num vel_vec_mean(int64_t n, vel_vec x, double *work) {
    double mean = x.tag == VEL_SINGLE ? (double)vel_mean_f32(narrowed(n, x.v, work), n) : vel_mean_f64(x.v, n);
    return (vel_num){mean, x.tag};
}

vel_num vel_vec_std(int64_t n, vel_vec x, double *work) {
    if (x.tag != VEL_SINGLE) return (vel_num){vel_std_f64(x.v, n, work), x.tag};
    float *y = narrowed(n, x.v, work);
    return (vel_num){(double)vel_std_f32(y, n, y), x.tag};
}

vel_num vel_vec_percentile(int64_t n, vel_vec x, double p, double *work) {
    if (x.tag != VEL_SINGLE) return (vel_num){vel_percentile_f64(x.v, n, p, work), x.tag};
    float *y = narrowed(n, x.v, work);
    return (vel_num){(double)vel_percentile_f32(y, n, p, y), x.tag};
}

vel_num vel_vec_min(int64_t n, vel_vec x) {
    double least = x.v[0];
    for (int64_t i = 1; i < n && least == least; i++)
        if (!(x.v[i] >= least)) least = x.v[i];
    return (vel_num){least, x.tag};
}

vel_num vel_vec_max(int64_t n, vel_vec x) {
    double most = x.v[0];
    for (int64_t i = 1; i < n && most == most; i++)
        if (!(x.v[i] <= most)) most = x.v[i];
    return (vel_num){most, x.tag};
}

void vel_linspace(vel_num a, vel_num b, int64_t n, vel_vec *y) {
    vel_num delta = vel_sub(b, a);
    if (delta.tag == VEL_WEAK) delta.tag = VEL_DOUBLE;
    vel_num last = vel_weak((double)(n - 1)), step = vel_div(delta, last);
    y->tag = delta.tag;
    for (int64_t i = 0; i < n; i++) {
        vel_num k = {vel_rounded((double)i, delta.tag), delta.tag};
        vel_num at = step.v != 0 ? vel_mul(k, step) : vel_mul(vel_div(k, last), delta);
        y->v[i] = vel_add(at, a).v;
    }
    y->v[n - 1] = vel_rounded(b.v, y->tag);
}
