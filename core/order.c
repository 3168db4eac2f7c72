#include "core/order.h"

#include <math.h>
#include <stdbool.h>

/* With a NaN NumPy takes another way: a stable sort. */
static void order_stably(const double *f, int n, int *order) {
    for (int i = 0; i < n; i++) {
        int j = i;
        for (; j > 0; j--) {
            double before = f[order[j - 1]];
            bool belongs_before = f[i] < before || (f[i] == f[i] && before != before);
            if (!belongs_before) break;
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
}

void vel_order_network(const double *f, int n, int *order) {
    static const unsigned char network[][2] = {
        {0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 3}, {1, 2}, {4, 7}, {5, 6}, {0, 1}, {2, 3}, {4, 5}, {6, 7},
        {0, 7}, {1, 6}, {2, 5}, {3, 4}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7},
    };
    double value[VEL_ORDER_MOST];
    int lane[VEL_ORDER_MOST];
    for (int i = 0; i < VEL_ORDER_MOST; i++) {
        value[i] = i < n ? f[i] : INFINITY;
        lane[i] = i;
        if (value[i] != value[i]) {
            order_stably(f, n, order);
            return;
        }
    }
    for (unsigned k = 0; k < sizeof network / sizeof *network; k++) {
        int a = network[k][0], b = network[k][1];
        if (!(value[a] > value[b])) continue;
        double v = value[a];
        value[a] = value[b];
        value[b] = v;
        int l = lane[a];
        lane[a] = lane[b];
        lane[b] = l;
    }
    /* An infinity of f may have been left behind one of the padding. */
    for (int i = 0, k = 0; i < VEL_ORDER_MOST; i++)
        if (lane[i] < n) order[k++] = lane[i];
}
