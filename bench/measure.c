#include "bench/measure.h"

#include "bench/clock.h"
#include "bench/guards.h"
#include "bench/proc.h"

enum { TICKS_A_LOOK = 10 }; /* helpers are looked for every half second, and watched at every tick */

static int64_t at_least_zero(int64_t x) { return x > 0 ? x : 0; }

static bool known(const bench_meter *m, pid_t pid) {
    for (int i = 0; i < m->n_helpers; i++)
        if (m->helpers[i].pid == pid) return true;
    return false;
}

/* Their memory counts whole, whenever they were started (a pool that was warmed up is still the price of its threads);
 * their CPU from when the timed part began. */
static void look_for_helpers(bench_meter *m, bool beginning) {
    pid_t pids[BENCH_MOST_HELPERS];
    const int n = bench_proc_below(m->pid, pids, BENCH_MOST_HELPERS);
    for (int i = 0; i < n && m->n_helpers < BENCH_MOST_HELPERS; i++) {
        if (known(m, pids[i])) continue;
        bench_helper *h = &m->helpers[m->n_helpers++];
        *h = (bench_helper){.pid = pids[i]};
        if (!beginning) continue;
        bench_proc_reset_peak(h->pid);
        h->cpu_ns = h->seen_cpu_ns = at_least_zero(bench_proc_cpu_ns(h->pid));
    }
}

static void counters(pid_t pid, bench_sample *s) {
    bench_proc_stat stat = {0};
    bench_proc_stat_of(pid, &stat);
    s->cpu_ns = bench_proc_cpu_ns(pid);
    s->cpu_user_ns = stat.user_ns;
    s->cpu_sys_ns = stat.sys_ns;
    s->minflt = stat.minflt;
    s->majflt = stat.majflt;
    bench_proc_switches(pid, &s->nvcsw, &s->nivcsw);
    s->steal_ticks = bench_steal_ticks();
    s->pressure_us = bench_cpu_pressure_us();
}

void bench_meter_begin(bench_meter *m, pid_t pid) {
    *m = (bench_meter){.pid = pid};
    look_for_helpers(m, true);
    counters(pid, &m->start);
    m->start.exact = bench_proc_reset_peak(pid);
    /* right after the reset the mark is the resident set, by the same counters that the peak will be read from */
    m->start.rss_before_kb = m->start.exact ? bench_proc_peak_kb(pid) : bench_proc_rss_kb(pid);
    m->sampled_kb = m->start.rss_before_kb;
    m->start.start_ns = bench_now_ns();
}

void bench_meter_tick(bench_meter *m) {
    if (++m->ticks % TICKS_A_LOOK == 1) look_for_helpers(m, false);
    int64_t now_kb = bench_proc_rss_kb(m->pid);
    for (int i = 0; i < m->n_helpers; i++) {
        bench_helper *h = &m->helpers[i];
        const int64_t peak = bench_proc_peak_kb(h->pid), cpu = bench_proc_cpu_ns(h->pid);
        if (peak > h->peak_kb) h->peak_kb = peak;
        if (cpu > h->seen_cpu_ns) h->seen_cpu_ns = cpu;
        now_kb += bench_proc_rss_kb(h->pid);
    }
    if (now_kb > m->sampled_kb) m->sampled_kb = now_kb;
}

/* A helper that was waited for is in the child's own tick counts; one that still lives is only in its own clock. */
static int64_t living_helpers_cpu_ns(const bench_meter *m) {
    int64_t sum = 0;
    for (int i = 0; i < m->n_helpers; i++)
        if (bench_proc_cpu_ns(m->helpers[i].pid) >= 0) sum += m->helpers[i].seen_cpu_ns - m->helpers[i].cpu_ns;
    return sum;
}

void bench_meter_end(bench_meter *m, int64_t wall_ns, bench_sample *s) {
    bench_sample now = {0};
    counters(m->pid, &now);
    const int64_t peak_kb = bench_proc_peak_kb(m->pid);
    look_for_helpers(m, false);
    bench_meter_tick(m);
    *s = m->start;
    s->wall_ns = wall_ns;
    s->cpu_user_ns = now.cpu_user_ns - s->cpu_user_ns;
    s->cpu_sys_ns = now.cpu_sys_ns - s->cpu_sys_ns;
    s->cpu_ns = now.cpu_ns - s->cpu_ns + living_helpers_cpu_ns(m);
    if (m->n_helpers && s->cpu_user_ns + s->cpu_sys_ns > s->cpu_ns) s->cpu_ns = s->cpu_user_ns + s->cpu_sys_ns;
    s->minflt = now.minflt - s->minflt;
    s->majflt = now.majflt - s->majflt;
    s->nvcsw = at_least_zero(now.nvcsw - s->nvcsw);
    s->nivcsw = at_least_zero(now.nivcsw - s->nivcsw);
    s->steal_ticks = now.steal_ticks - s->steal_ticks;
    s->pressure_us = now.pressure_us < 0 ? -1 : now.pressure_us - s->pressure_us;
    s->peak_rss_kb = peak_kb;
    for (int i = 0; i < m->n_helpers; i++) s->peak_rss_kb += m->helpers[i].peak_kb;
    s->peak_added_kb = at_least_zero(s->peak_rss_kb - s->rss_before_kb);
    s->sampled_added_kb = m->sampled_kb - s->rss_before_kb;
    s->cgroup_peak_bytes = -1;
    s->helpers = m->n_helpers;
}
