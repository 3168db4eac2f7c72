/* fmath_npy_lanes.h - exp and log of floats as NumPy has them, for core/fmath_lanes.h, at its end: the operations of
 * core/fmath_scalar.h in the same order, a lane an element. */

static inline floats npy_expf_lanes(floats all) {
    ints inside = (all < 88.72283935546875f) & (all > -103.97208404541015625f);
    floats x = select_f(inside, all, all_f(0.0f));
    const floats shift = all_f(12582912.0f);
    floats kf = x * 1.442695040888963407359924681001892137f + shift - shift;
    floats r = fma_f(kf, all_f(-6.93145752e-1f), x);
    r = fma_f(kf, all_f(-1.42860677e-6f), r);
    floats num = fma_f(all_f(5.082762527590693718096e-04f), r, all_f(6.757896990527504603057e-03f));
    num = fma_f(num, r, all_f(5.114512081637298353406e-02f));
    num = fma_f(num, r, all_f(2.473615434895520810817e-01f));
    num = fma_f(num, r, all_f(7.257664613233124478488e-01f));
    num = fma_f(num, r, all_f(9.999999999980870924916e-01f));
    floats den = fma_f(all_f(2.159509375685829852307e-02f), r, all_f(-2.742335390411667452936e-01f));
    den = fma_f(den, r, all_f(1.0f));
    floats y = num / den;
    floats kept = select_f(kf < -125.0f, all_f(-125.0f), kf);
    y = (floats)((uints)y + ((uints) __builtin_convertvector(kept, ints) << 23));
    y *= (floats)((uints)(__builtin_convertvector(kf - kept, ints) + 127) << 23);
    floats outside = select_f(all > 0.0f, all_f(INFINITY), select_f(all == all, all_f(0.0f), all));
    return select_f(inside, y, outside);
}

static inline floats npy_logf_lanes(floats x) {
    ints small = x < 0x1p-126f;
    floats scaled = select_f(small, x * 0x1p100f, x);
    ints u = (ints)scaled;
    ints k = (u >> 23) - 126 - (small & 100);
    floats m = (floats)((u & 0x7fffff) | 0x3f000000);
    ints low = m <= 0.70710678118654752440f;
    m += select_f(low, m, all_f(0.0f));
    k += low; /* -1 where true */
    floats y = m - 1.0f;
    floats num = fma_f(all_f(2.589979117907922693523e-02f), y, all_f(3.808837741388407920751e-01f));
    num = fma_f(num, y, all_f(1.480000633576506585156e+00f));
    num = fma_f(num, y, all_f(2.112677543073053063722e+00f));
    num = fma_f(num, y, all_f(9.999999999999998702752e-01f));
    num = fma_f(num, y, all_f(0.0f));
    floats den = fma_f(all_f(5.875095403124574342950e-03f), y, all_f(1.546476374983906719538e-01f));
    den = fma_f(den, y, all_f(9.864942958519418960339e-01f));
    den = fma_f(den, y, all_f(2.453006071784736363091e+00f));
    den = fma_f(den, y, all_f(2.612677543073109236779e+00f));
    den = fma_f(den, y, all_f(1.0f));
    floats l = fma_f(__builtin_convertvector(k, floats), all_f(0.693147180559945309417232121458176568f), num / den);
    l = select_f(x == 0.0f, all_f(-INFINITY), l);
    l = select_f(x == INFINITY, x, l);
    return select_f(x >= 0.0f, l, all_f(NAN));
}

static void npy_expf_blocks(int64_t count, const float *x, float *y) {
    for (int64_t i = 0; i < count * FLOATS; i += FLOATS) store_f(y + i, npy_expf_lanes(load_f(x + i)));
}

static void npy_logf_blocks(int64_t count, const float *x, float *y) {
    for (int64_t i = 0; i < count * FLOATS; i += FLOATS) store_f(y + i, npy_logf_lanes(load_f(x + i)));
}

OVER_ARRAY(npy_expf_n, npy_expf_blocks, float, FLOATS)
OVER_ARRAY(npy_logf_n, npy_logf_blocks, float, FLOATS)
