#include "io/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* At most three bytes for one. */
static json_t *mended(const char *s) {
    static const char instead[] = "\xef\xbf\xbd";
    char *text = malloc(3 * strlen(s) + 1), *to = text;
    if (!text) return NULL;
    for (size_t n; *s; s += n ? n : 1) {
        n = vel_utf8_length(s);
        to = mempcpy(to, n ? s : instead, n ? n : sizeof instead - 1);
    }
    json_t *made = json_stringn(text, (size_t)(to - text));
    free(text);
    return made;
}

json_t *vel_json_text(const char *s) {
    if (!s) return json_null();
    json_t *made = json_string(s);
    return made ? made : mended(s);
}

json_t *vel_json_real(double x) { return isfinite(x) ? json_real(x) : json_null(); }
