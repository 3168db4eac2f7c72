#include "bench/program.h"
#include "pipelines/room.h"

int main(int argc, char **argv) { return bench_main(argc, argv); }
