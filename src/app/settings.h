/* SPDX-License-Identifier: Apache-2.0 */
/* The user's settings. Without an installed schema, each setting has the default that its caller gives. */
#ifndef LC_APP_SETTINGS_H
#define LC_APP_SETTINGS_H

#include <gio/gio.h>

/* Returns the settings, which belong to this file; NULL: there is no schema. The keys are in
 * data/org.lightcone.Browser.gschema.xml. */
GSettings *lc_settings_get (void);

gboolean lc_settings_get_boolean (const char *key, gboolean otherwise);
int lc_settings_get_int (const char *key, int otherwise);
/* Returns the number of the chosen value. */
guint lc_settings_get_choice (const char *key, guint otherwise);
char *lc_settings_dup_string (const char *key, const char *otherwise);

/* Setters do nothing without a schema. */
void lc_settings_set_boolean (const char *key, gboolean value);
void lc_settings_set_int (const char *key, int value);
void lc_settings_set_string (const char *key, const char *value);

/* Binds a property of an object to a setting, as g_settings_bind does. */
void lc_settings_bind (const char *key, gpointer object, const char *property);

#endif
