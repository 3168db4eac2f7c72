#include "pipelines/cli.h"
#include "pipelines/env.h"
#include "pipelines/room.h"

int main(int argc, char **argv) {
    vel_env_settle(argv);
    return vel_cli_main(argc, argv);
}
