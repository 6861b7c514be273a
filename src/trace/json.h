/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON, one value after the other. */
#ifndef LC_TRACE_JSON_H
#define LC_TRACE_JSON_H

#include <glib.h>

/* Begin with LC_JSON_INIT, or LC_JSON_INIT_COMPACT for one line. `key` is NULL for the outermost value and within
 * arrays. */
typedef struct
{
  GString *text;
  guint depth;
  gboolean is_compact;
} LcJson;

#define LC_JSON_INIT() ((LcJson){g_string_new (NULL), 0, FALSE})
#define LC_JSON_INIT_COMPACT() ((LcJson){g_string_new (NULL), 0, TRUE})

void lc_json_begin_object (LcJson *json, const char *key);
void lc_json_end_object (LcJson *json);
void lc_json_begin_array (LcJson *json, const char *key);
void lc_json_end_array (LcJson *json);

/* NULL gives null; bytes that are not UTF-8 are replaced. */
void lc_json_add_string (LcJson *json, const char *key, const char *value);
void lc_json_add_count (LcJson *json, const char *key, guint64 value);
void lc_json_add_integer (LcJson *json, const char *key, gint64 value);
void lc_json_add_boolean (LcJson *json, const char *key, gboolean value);
void lc_json_add_null (LcJson *json, const char *key);
void lc_json_add_number (LcJson *json, const char *key, const char *number); /* `number` must be valid JSON */
void lc_json_add_real (LcJson *json, const char *key, double value);         /* finite */

/* Takes nearly all of the text out, so that memory does not grow; NULL: there is nothing yet. */
char *lc_json_take (LcJson *json);

/* Gives the text, or what lc_json_take has left of it, with a newline at its end unless it is compact. Nothing can be
 * added afterwards. */
char *lc_json_finish (LcJson *json);

#endif
