int vel_bench_placeholder(void); int vel_bench_placeholder(void) { return 0; }
