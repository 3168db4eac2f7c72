/* schema.h - checks a JSON value against the part of JSON Schema that docs/benchmark_results.schema.json uses: type,
 * enum, required, properties, additionalProperties (false), items, $ref into #/definitions. */
#ifndef VEL_TESTS_BENCH_SCHEMA_H
#define VEL_TESTS_BENCH_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const json_t *root;
    char where[256], wrong[320]; /* the first violation */
} schema_check;

static bool schema_fails(schema_check *c, const char *why, const char *what) {
    if (!c->wrong[0]) snprintf(c->wrong, sizeof c->wrong, "%.160s: %s %.80s", c->where, why, what);
    return false;
}

static bool schema_has_type(const json_t *value, const char *type) {
    if (strcmp(type, "number") == 0) return json_is_number(value);
    if (strcmp(type, "integer") == 0) return json_is_integer(value);
    if (strcmp(type, "string") == 0) return json_is_string(value);
    if (strcmp(type, "boolean") == 0) return json_is_boolean(value);
    if (strcmp(type, "object") == 0) return json_is_object(value);
    if (strcmp(type, "array") == 0) return json_is_array(value);
    return strcmp(type, "null") == 0 && json_is_null(value);
}

static bool schema_type_fits(const json_t *type, const json_t *value) {
    size_t i;
    json_t *one;
    if (!type) return true;
    if (json_is_string(type)) return schema_has_type(value, json_string_value(type));
    json_array_foreach((json_t *)(uintptr_t)type, i,
                       one) if (schema_has_type(value, json_string_value(one))) return true;
    return false;
}

static bool schema_accepts(schema_check *c, const json_t *schema, const json_t *value);

static bool schema_at(schema_check *c, const json_t *schema, const json_t *value, const char *step) {
    const size_t n = strlen(c->where);
    snprintf(c->where + n, sizeof c->where - n, "/%s", step);
    const bool ok = schema_accepts(c, schema, value);
    c->where[n] = '\0';
    return ok;
}

static bool schema_object_fits(schema_check *c, const json_t *schema, json_t *value) {
    const json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required");
    const bool closed = json_is_false(json_object_get(schema, "additionalProperties"));
    const char *key;
    json_t *member, *name;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)required, i, name) {
        if (!json_object_get(value, json_string_value(name))) return schema_fails(c, "lacks", json_string_value(name));
    }
    json_object_foreach(value, key, member) {
        const json_t *of = json_object_get(properties, key);
        if (!of && closed) return schema_fails(c, "has the unknown key", key);
        if (of && !schema_at(c, of, member, key)) return false;
    }
    return true;
}

static bool schema_accepts(schema_check *c, const json_t *schema, const json_t *value) {
    const char *ref = json_string_value(json_object_get(schema, "$ref"));
    const json_t *allowed = json_object_get(schema, "enum"), *items = json_object_get(schema, "items");
    size_t i;
    json_t *one;
    if (ref) {
        const json_t *definitions = json_object_get(c->root, "definitions");
        const json_t *to = json_object_get(definitions, ref + strlen("#/definitions/"));
        return to ? schema_accepts(c, to, value) : schema_fails(c, "has no definition", ref);
    }
    if (!schema_type_fits(json_object_get(schema, "type"), value)) return schema_fails(c, "has the wrong type", "");
    if (allowed) {
        bool among = false;
        json_array_foreach((json_t *)(uintptr_t)allowed, i, one) among = among || json_equal(one, value);
        if (!among) return schema_fails(c, "is none of the allowed values", "");
    }
    if (json_is_object(value) && !schema_object_fits(c, schema, (json_t *)(uintptr_t)value)) return false;
    if (items && json_is_array(value)) json_array_foreach((json_t *)(uintptr_t)value, i, one) {
            char step[24];
            snprintf(step, sizeof step, "%zu", i);
            if (!schema_at(c, items, one, step)) return false;
        }
    return true;
}

#endif
