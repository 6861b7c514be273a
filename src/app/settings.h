/* SPDX-License-Identifier: Apache-2.0 */
/* The user's settings. Where their schema is not installed, every setting has what its caller falls back to. */
#ifndef LC_APP_SETTINGS_H
#define LC_APP_SETTINGS_H

#include <gio/gio.h>

/* NULL: there is no schema. Belongs to this file. The keys are in data/org.lightcone.Browser.gschema.xml. */
GSettings *lc_settings_get (void);

gboolean lc_settings_get_boolean (const char *key, gboolean otherwise);
int lc_settings_get_int (const char *key, int otherwise);
/* The number of one of several; 0, the usual one, where there is no schema. */
guint lc_settings_get_choice (const char *key);
char *lc_settings_dup_string (const char *key, const char *otherwise);

/* Nothing happens where there is no schema. */
void lc_settings_set_boolean (const char *key, gboolean value);
void lc_settings_set_int (const char *key, int value);
void lc_settings_set_string (const char *key, const char *value);

/* A property of an object and a setting are the same from now on, as g_settings_bind does it. */
void lc_settings_bind (const char *key, gpointer object, const char *property);

#endif
