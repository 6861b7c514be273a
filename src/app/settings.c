/* SPDX-License-Identifier: Apache-2.0 */
/* The user's settings. Without an installed schema, each setting has the default that its caller gives. */
#include "app/settings.h"

#include "app/names.h"

/* Finds the schema of a browser that runs from its build folder. */
static GSettingsSchemaSource *
find_built_source (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *data = folder != NULL ? g_build_filename (folder, "..", "..", "data", NULL) : NULL;

  return data != NULL
             ? g_settings_schema_source_new_from_directory (data, g_settings_schema_source_get_default (), FALSE, NULL)
             : NULL;
}

static GSettings *
find_settings (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default (), *built = find_built_source ();
  GSettingsSchema *schema = NULL;
  GSettings *settings;

  if (built != NULL)
    schema = g_settings_schema_source_lookup (built, LC_APPLICATION_ID, FALSE);
  if (schema == NULL && source != NULL)
    schema = g_settings_schema_source_lookup (source, LC_APPLICATION_ID, TRUE);
  g_clear_pointer (&built, g_settings_schema_source_unref);
  if (schema == NULL)
    return NULL;
  settings = g_settings_new_full (schema, NULL, NULL);
  g_settings_schema_unref (schema);
  return settings;
}

GSettings *
lc_settings_get (void)
{
  static GSettings *settings;
  static gsize looked;

  if (g_once_init_enter (&looked))
    {
      settings = find_settings ();
      g_once_init_leave (&looked, 1);
    }
  return settings;
}

/* An installed schema may be older than this program. */
static gboolean
settings_has (const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  if (lc_settings_get () == NULL)
    return FALSE;
  g_object_get (lc_settings_get (), "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

gboolean
lc_settings_get_boolean (const char *key, gboolean otherwise)
{
  return settings_has (key) ? g_settings_get_boolean (lc_settings_get (), key) : otherwise;
}

int
lc_settings_get_int (const char *key, int otherwise)
{
  return settings_has (key) ? g_settings_get_int (lc_settings_get (), key) : otherwise;
}

guint
lc_settings_get_choice (const char *key, guint otherwise)
{
  return settings_has (key) ? g_settings_get_uint (lc_settings_get (), key) : otherwise;
}

char *
lc_settings_dup_string (const char *key, const char *otherwise)
{
  return settings_has (key) ? g_settings_get_string (lc_settings_get (), key) : g_strdup (otherwise);
}

void
lc_settings_set_boolean (const char *key, gboolean value)
{
  if (settings_has (key))
    g_settings_set_boolean (lc_settings_get (), key, value);
}

void
lc_settings_set_int (const char *key, int value)
{
  if (settings_has (key))
    g_settings_set_int (lc_settings_get (), key, value);
}

void
lc_settings_set_string (const char *key, const char *value)
{
  if (settings_has (key))
    g_settings_set_string (lc_settings_get (), key, value);
}

void
lc_settings_bind (const char *key, gpointer object, const char *property)
{
  if (settings_has (key))
    g_settings_bind (lc_settings_get (), key, object, property, G_SETTINGS_BIND_DEFAULT);
}
