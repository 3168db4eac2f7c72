#include "io/packing.h"

#include "tests/io/files.h"

static void h5py_s_words_are_understood(void **state) {
    files *f = *state;
    const struct {
        const char *word;
        int64_t level;
        vel_packing found;
    } rows[] = {{NULL, -1, {VEL_PLAIN, 4}}, {"none", -1, {VEL_PLAIN, 4}}, {"gzip", -1, {VEL_GZIP, 4}},
                {"gzip", 0, {VEL_GZIP, 0}}, {"gzip", 9, {VEL_GZIP, 9}},   {"lzf", -1, {VEL_LZF, 4}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vel_packing packing;
        OK(f, vel_packing_parse(&f->ctx, rows[i].word, rows[i].level, &packing));
        assert_int_equal(packing.kind, rows[i].found.kind);
        assert_int_equal(packing.level, rows[i].found.level);
    }
}

static void others_are_refused_by_name(void **state) {
    files *f = *state;
    vel_packing packing;
    FAILS(f, vel_packing_parse(&f->ctx, "zstd", -1, &packing), VEL_EUSAGE, "gzip, lzf or none, found zstd");
    FAILS(f, vel_packing_parse(&f->ctx, "", -1, &packing), VEL_EUSAGE, "gzip, lzf or none");
    FAILS(f, vel_packing_parse(&f->ctx, "gzip", 10, &packing), VEL_EUSAGE, "0 to 9, found 10");
    FAILS(f, vel_packing_parse(&f->ctx, "gzip", -2, &packing), VEL_EUSAGE, "0 to 9, found -2");
    FAILS(f, vel_packing_parse(&f->ctx, "lzf", 3, &packing), VEL_EUSAGE, "here lzf");
    FAILS(f, vel_packing_parse(&f->ctx, NULL, 3, &packing), VEL_EUSAGE, "here none");
}

int main(void) {
    const struct CMUnitTest tests[] = {FILES_CLAIM(h5py_s_words_are_understood),
                                       FILES_CLAIM(others_are_refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
