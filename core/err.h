/* err.h - what can go wrong: one row an error, with its words and the exit code of a program that stops on it. */
#ifndef VEL_CORE_ERR_H
#define VEL_CORE_ERR_H

/*    name      exit  words */
#define VEL_ERR_ROWS(X)                                          \
    X(OK, 0, "done")                                             \
    X(ENONE, 1, "the computation says no")                       \
    X(EUSAGE, 2, "wrong usage")                                  \
    X(EREAD, 3, "the input cannot be read")                      \
    X(EFORMAT, 3, "the input is not what it should be")          \
    X(EKEY, 3, "a field is missing")                             \
    X(ESHAPE, 3, "a field has the wrong shape")                  \
    X(ETYPE, 3, "a field has the wrong type")                    \
    X(EVALUE, 3, "a value is out of its range")                  \
    X(EWRITE, 4, "the output cannot be written")                 \
    X(ENOMEM, 5, "out of memory")                                \
    X(EBUDGET, 5, "more memory needed than --max-memory allows") \
    X(EINTR, 130, "interrupted")                                 \
    X(ETERM, 143, "terminated")

typedef enum {
#define VEL_ERR_ENUM(name, exit, words) VEL_##name,
    VEL_ERR_ROWS(VEL_ERR_ENUM)
#undef VEL_ERR_ENUM
} vel_err_code;

/* A function that can fail returns a vel_err, and a caller must look at it. */
typedef vel_err_code vel_err;
#define VEL_CHECKED __attribute__((warn_unused_result))

#define VEL_TRY(call)                            \
    do {                                         \
        vel_err vel_try_ = (call);               \
        if (vel_try_ != VEL_OK) return vel_try_; \
    } while (0)

int vel_err_exit(vel_err e);
const char *vel_err_name(vel_err e);  /* "EKEY" */
const char *vel_err_words(vel_err e); /* "a field is missing" */

#endif
