#include "core/near.h"

#include <string.h>

enum { LONGEST = 63 };

static char same_dash(char c) { return c == '-' ? '_' : c; }

bool vel_same_name(const char *a, const char *b) {
    while (*a && same_dash(*a) == same_dash(*b)) a++, b++;
    return !*a && !*b;
}

static int least(int a, int b) { return a < b ? a : b; }

static int length_of(const char *s) { return (int)strnlen(s, LONGEST); }

int vel_edits(const char *a, const char *b) {
    int d[LONGEST + 1][LONGEST + 1];
    int m = length_of(a), n = length_of(b);
    for (int i = 0; i <= m; i++) d[i][0] = i;
    for (int j = 0; j <= n; j++) d[0][j] = j;
    for (int i = 1; i <= m; i++) {
        for (int j = 1; j <= n; j++) {
            char x = same_dash(a[i - 1]), y = same_dash(b[j - 1]);
            int best = least(d[i - 1][j - 1] + (x != y), 1 + least(d[i - 1][j], d[i][j - 1]));
            bool swapped = i > 1 && j > 1 && x == same_dash(b[j - 2]) && y == same_dash(a[i - 2]);
            d[i][j] = swapped ? least(best, d[i - 2][j - 2] + 1) : best;
        }
    }
    return d[m][n];
}

static bool begins_with(const char *s, const char *start) {
    while (*start && same_dash(*s) == same_dash(*start)) s++, start++;
    return !*start;
}

void vel_near_offer(vel_near *near, const char *candidate) {
    int length = length_of(near->name);
    int edits = vel_edits(near->name, candidate);
    bool prefix = length >= 3 && (begins_with(candidate, near->name) || begins_with(near->name, candidate));
    bool is_near = prefix || 3 * edits <= length;
    if (!is_near || (near->best && near->edits <= edits)) return;
    near->best = candidate;
    near->edits = edits;
}
