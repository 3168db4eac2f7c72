int vel_verify_placeholder(void);
int vel_verify_placeholder(void) { return 0; }
