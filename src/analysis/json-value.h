/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON that Lightcone itself has written. */
#ifndef LC_ANALYSIS_JSON_VALUE_H
#define LC_ANALYSIS_JSON_VALUE_H

#include <glib.h>

typedef enum
{
  LC_JSON_NULL,
  LC_JSON_FALSE,
  LC_JSON_TRUE,
  LC_JSON_NUMBER,
  LC_JSON_STRING,
  LC_JSON_ARRAY,
  LC_JSON_OBJECT,
} LcJsonType;

typedef struct _LcJsonValue LcJsonValue;

struct _LcJsonValue
{
  LcJsonType type;
  char *key;    /* in an object */
  char *string; /* or the digits of a number */
  GPtrArray *members;
};

/* NULL: the text is no JSON, and `offset` is the place of the error. Free with lc_json_value_free. */
LcJsonValue *lc_json_value_parse (const char *text, gsize *offset);
void lc_json_value_free (LcJsonValue *value);

/* Tells whether a text, which may be only the beginning of it, is an object whose first member is this one. */
gboolean lc_json_value_begins (const char *text, const char *key);

/* NULL: there is no such member, or it has another type. */
const LcJsonValue *lc_json_value_get (const LcJsonValue *object, const char *key, LcJsonType type);

/* A missing member is 0 or "". */
gint64 lc_json_value_get_integer (const LcJsonValue *object, const char *key);
const char *lc_json_value_get_string (const LcJsonValue *object, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcJsonValue, lc_json_value_free)

#endif
