int vel_io_placeholder(void); int vel_io_placeholder(void) { return 0; }
