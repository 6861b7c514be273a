/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of rules, and keeps the rules by name. */
#include "lightcone/rules.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

#include "folder.h"
#include "lightcone/trace.h"
#include "rules-resources.h"

#define BUILT_IN "/lightcone/rules"

/* Most bytes of a file of rules: the built-in ones have at most 3,000. */
#define FILE_LIMIT (1u << 20)

/* A rule does not change once it is read, and several sets of rules may have it: its references are counted. */
struct _LcRules
{
  GPtrArray *classes, *operations, *arcs, *works, *phases; /* sorted by name */
  guint n_arcs_read;
  GHashTable *origins; /* group -> file that defines it */
};

G_DEFINE_QUARK (lc - rules - error - quark, lc_rules_error)

/* The group of a file, for values and for messages. */
typedef struct
{
  GKeyFile *keys;
  const char *path;
  const char *group;
} Place;

static void
rules_clear_class (gpointer data)
{
  LcClassRule *rule = data;

  g_free (rule->name);
  g_free (rule->summary);
  g_free (rule->sequence);
  g_strfreev (rule->holding);
}

static void
rules_unref_class (gpointer rule)
{
  g_atomic_rc_box_release_full (rule, rules_clear_class);
}

static void
rules_clear_operation (gpointer data)
{
  LcOperationRule *rule = data;

  g_free (rule->name);
  g_free (rule->class_name);
  g_free (rule->summary);
}

static void
rules_unref_operation (gpointer rule)
{
  g_atomic_rc_box_release_full (rule, rules_clear_operation);
}

static void
rules_clear_arc (gpointer data)
{
  LcArcRule *rule = data;

  g_free (rule->name);
  g_free (rule->class_name);
  g_free (rule->from);
  g_free (rule->to);
  g_free (rule->to_class);
}

static void
rules_unref_arc (gpointer rule)
{
  g_atomic_rc_box_release_full (rule, rules_clear_arc);
}

static void
rules_clear_work (gpointer data)
{
  LcWorkRule *rule = data;

  g_free (rule->name);
  g_free (rule->class_name);
  g_free (rule->operation);
  g_free (rule->object);
}

static void
rules_unref_work (gpointer rule)
{
  g_atomic_rc_box_release_full (rule, rules_clear_work);
}

static void
rules_clear_phase (gpointer data)
{
  LcPhaseRule *rule = data;

  g_free (rule->name);
  g_free (rule->class_name);
  g_free (rule->summary);
  g_free (rule->operation);
  g_free (rule->object);
}

static void
rules_unref_phase (gpointer rule)
{
  g_atomic_rc_box_release_full (rule, rules_clear_phase);
}

LcRules *
lc_rules_new_empty (void)
{
  LcRules *rules = g_new0 (LcRules, 1);

  rules->classes = g_ptr_array_new_with_free_func (rules_unref_class);
  rules->operations = g_ptr_array_new_with_free_func (rules_unref_operation);
  rules->arcs = g_ptr_array_new_with_free_func (rules_unref_arc);
  rules->works = g_ptr_array_new_with_free_func (rules_unref_work);
  rules->phases = g_ptr_array_new_with_free_func (rules_unref_phase);
  rules->origins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return rules;
}

void
lc_rules_free (LcRules *rules)
{
  if (rules == NULL)
    return;
  g_ptr_array_unref (rules->classes);
  g_ptr_array_unref (rules->operations);
  g_ptr_array_unref (rules->arcs);
  g_ptr_array_unref (rules->works);
  g_ptr_array_unref (rules->phases);
  g_hash_table_unref (rules->origins);
  g_free (rules);
}

/* Compares rules by name, the first field of all of them. */
static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (**(const char *const *const *)a, **(const char *const *const *)b);
}

static void
rules_put (GPtrArray *rules, gpointer rule)
{
  for (guint i = 0; i < rules->len; i++)
    if (strcmp (*(char **)rules->pdata[i], *(char **)rule) == 0)
      {
        g_ptr_array_remove_index (rules, i);
        break;
      }
  g_ptr_array_add (rules, rule);
  g_ptr_array_sort (rules, compare_names);
}

/* --- Values ------------------------------------------------------------------------------------------------ */

static gboolean
rules_fail (const Place *place, const char *key, LcRulesError code, const char *what, GError **error)
{
  g_set_error (error, LC_RULES_ERROR, code, "%s: [%s] %s: %s", place->path, place->group, key, what);
  return FALSE;
}

/* `allowed` are all keys that such a group may have. */
static gboolean
check_keys (const Place *place, const char *const *allowed, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (place->keys, place->group, NULL, NULL);

  for (gsize i = 0; keys[i] != NULL; i++)
    if (!g_strv_contains (allowed, keys[i]))
      {
        g_autofree char *list = g_strjoinv (", ", (char **)allowed);
        g_autofree char *what = g_strdup_printf ("there is no such key; there are %s", list);

        return rules_fail (place, keys[i], LC_RULES_ERROR_KEY, what, error);
      }
  return TRUE;
}

static char *
rules_get (const Place *place, const char *key)
{
  return g_key_file_get_value (place->keys, place->group, key, NULL);
}

static gboolean
get_needed (const Place *place, const char *key, char **value, GError **error)
{
  *value = rules_get (place, key);
  if (*value == NULL || **value == '\0')
    return rules_fail (place, key, LC_RULES_ERROR_KEY, "it is missing", error);
  return TRUE;
}

/* Returns the index of the key's value in `words`; 0 without the key. */
static gboolean
rules_get_choice (const Place *place, const char *key, const char *const *words, int *choice, GError **error)
{
  g_autofree char *value = rules_get (place, key);

  *choice = 0;
  if (value == NULL)
    return TRUE;
  for (int i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], value) == 0)
      {
        *choice = i;
        return TRUE;
      }
  {
    /* An empty word stands for a key that is not there. */
    g_autofree char *list = g_strjoinv (", ", (char **)words + (*words[0] == '\0'));
    g_autofree char *what = g_strdup_printf ("it is '%s', and can be one of: %s", value, list);

    return rules_fail (place, key, LC_RULES_ERROR_VALUE, what, error);
  }
}

static gboolean
rules_get_number (const Place *place, const char *key, gint64 *number, GError **error)
{
  g_autofree char *value = rules_get (place, key);

  *number = G_MININT64;
  if (value == NULL || g_ascii_string_to_signed (value, 10, G_MININT64, G_MAXINT64, number, NULL))
    return TRUE;
  return rules_fail (place, key, LC_RULES_ERROR_VALUE, "it is not a whole number", error);
}

static const char *const no_yes[] = {"false", "true", NULL};
static const char *const no_value[] = {"", "value", NULL};

/* Reads `value`, or `value-N` with N to subtract. */
static gboolean
read_by_value (const char *text, gint64 *less)
{
  *less = 0;
  if (!g_str_has_prefix (text, "value"))
    return FALSE;
  text += strlen ("value");
  return *text == '\0' || (*text == '-' && g_ascii_string_to_signed (text + 1, 10, 0, G_MAXUINT32, less, NULL));
}

static gboolean
get_count (const Place *place, LcArcRule *rule, GError **error)
{
  g_autofree char *value = rules_get (place, "count");
  g_autofree char *what = NULL;

  if (value == NULL || *value == '\0')
    return TRUE;
  rule->counted = read_by_value (value, &rule->less);
  if (rule->counted)
    return TRUE;
  what = g_strdup_printf ("it is '%s', and can be one of: value, value-1, value-2 ...", value);
  return rules_fail (place, "count", LC_RULES_ERROR_VALUE, what, error);
}

static gboolean
get_uses (const Place *place, LcHowMany *uses, GError **error)
{
  static const char *const words[] = {"many", "one", "two"};
  g_autofree char *value = rules_get (place, "uses");
  g_autofree char *what = NULL;

  *uses = (LcHowMany){FALSE, 0};
  if (value == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (value, words[i]) == 0)
      {
        uses->number = i;
        return TRUE;
      }
  uses->by_value = read_by_value (value, &uses->number);
  if (uses->by_value)
    return TRUE;
  what = g_strdup_printf ("it is '%s', and can be one of: many, one, two, value, value-1, value-2 ...", value);
  return rules_fail (place, "uses", LC_RULES_ERROR_VALUE, what, error);
}

/* --- Groups ------------------------------------------------------------------------------------------------ */

static gboolean
read_class (LcRules *rules, const Place *place, const char *name, GError **error)
{
  static const char *const keys[] = {"summary", "sequence", "holding", "first", "given", "taken", NULL};
  static const char *const no_expected[] = {"", "expected", NULL};
  LcClassRule *rule = g_atomic_rc_box_new0 (LcClassRule);
  int given = 0, taken = 0;

  rule->name = g_strdup (name);
  rule->sequence = rules_get (place, "sequence");
  rule->holding = g_key_file_get_string_list (place->keys, place->group, "holding", NULL, NULL);
  if (!check_keys (place, keys, error) || !get_needed (place, "summary", &rule->summary, error) ||
      !rules_get_choice (place, "given", no_value, &given, error) ||
      !rules_get_choice (place, "taken", no_expected, &taken, error) ||
      !rules_get_number (place, "first", &rule->first, error) ||
      (rule->holding != NULL && g_strv_length (rule->holding) % 2 != 0 &&
       !rules_fail (place, "holding", LC_RULES_ERROR_VALUE, "it needs pairs of operations", error)))
    {
      rules_unref_class (rule);
      return FALSE;
    }
  rule->given = given;
  rule->taken = taken;
  rules_put (rules->classes, rule);
  return TRUE;
}

/* Without a timing in the file, it follows from the other properties of the operation. */
static gboolean
get_timing (const Place *place, LcOperationRule *rule, GError **error)
{
  static const char *const words[] = {"local",      "release",  "start",  "barrier", "together", "message", "probe",
                                      "rendezvous", "complete", "finish", "poll",    "tree",     "pause",   NULL};
  g_autofree char *value = rules_get (place, "timing");
  int timing;

  if (!rules_get_choice (place, "timing", words, &timing, error))
    return FALSE;
  if (value != NULL)
    rule->timing = (LcTiming)timing;
  else
    rule->timing = rule->members ? LC_TIMING_BARRIER : rule->waits ? LC_TIMING_RELEASE : LC_TIMING_LOCAL;
  if ((rule->timing == LC_TIMING_BARRIER || rule->timing == LC_TIMING_TOGETHER) && !rule->members)
    return rules_fail (place, "timing", LC_RULES_ERROR_VALUE, "it is for operations with members=value", error);
  return TRUE;
}

static gboolean
rules_read_operation (LcRules *rules, const Place *place, const char *name, GError **error)
{
  static const char *const keys[] = {"class", "summary", "waits", "members", "sequence", "timing", "posts", NULL};
  static const char *const posts[] = {"", "send", "receive", NULL};
  LcOperationRule *rule = g_atomic_rc_box_new0 (LcOperationRule);
  int waits = 0, members = 0, posted = 0;

  rule->name = g_strdup (name);
  if (!check_keys (place, keys, error) || !get_needed (place, "class", &rule->class_name, error) ||
      !get_needed (place, "summary", &rule->summary, error) ||
      !rules_get_choice (place, "waits", no_yes, &waits, error) ||
      !rules_get_choice (place, "members", no_value, &members, error) ||
      !rules_get_choice (place, "posts", posts, &posted, error))
    {
      rules_unref_operation (rule);
      return FALSE;
    }
  rule->waits = waits;
  rule->members = members;
  rule->posts = (LcPosts)posted;
  if (!get_timing (place, rule, error))
    {
      rules_unref_operation (rule);
      return FALSE;
    }
  rules_put (rules->operations, rule);
  return TRUE;
}

static gboolean
read_arc (LcRules *rules, const Place *place, const char *name, GError **error)
{
  static const char *const keys[] = {"class", "from",  "to",   "from-point", "sequence", "kind", "count",
                                     "uses",  "keeps", "soft", "decided",    "to-class", NULL};
  static const char *const points[] = {"end", "begin", NULL};
  static const char *const relations[] = {"same", "next", "previous", NULL};
  static const char *const kinds[] = {"data", "order", NULL};
  static const int steps[] = {0, 1, -1};
  LcArcRule *rule = g_atomic_rc_box_new0 (LcArcRule);
  int point = 0, relation = 0, kind = 0, keeps = 0, soft = 0, decided = 0;

  rule->name = g_strdup (name);
  if (!check_keys (place, keys, error) || !get_needed (place, "class", &rule->class_name, error) ||
      !get_needed (place, "from", &rule->from, error) || !get_needed (place, "to", &rule->to, error) ||
      !rules_get_choice (place, "from-point", points, &point, error) ||
      !rules_get_choice (place, "sequence", relations, &relation, error) ||
      !rules_get_choice (place, "kind", kinds, &kind, error) || !get_count (place, rule, error) ||
      !get_uses (place, &rule->uses, error) || !rules_get_choice (place, "keeps", no_yes, &keeps, error) ||
      !rules_get_choice (place, "soft", no_yes, &soft, error) ||
      !rules_get_choice (place, "decided", no_yes, &decided, error))
    {
      rules_unref_arc (rule);
      return FALSE;
    }
  rule->from_point = point == 0 ? LC_POINT_END : LC_POINT_BEGIN;
  rule->step = steps[relation];
  rule->kind = kind == 0 ? LC_ARC_DATA : LC_ARC_ORDER;
  rule->keeps = keeps;
  rule->soft = soft;
  rule->decided = decided;
  rule->to_class = rules_get (place, "to-class");
  rule->place = rules->n_arcs_read++;
  rules_put (rules->arcs, rule);
  return TRUE;
}

static gboolean
read_work (LcRules *rules, const Place *place, const char *name, GError **error)
{
  static const char *const keys[] = {"class", "operation", "object", NULL};
  LcWorkRule *rule = g_atomic_rc_box_new0 (LcWorkRule);

  rule->name = g_strdup (name);
  if (!check_keys (place, keys, error) || !get_needed (place, "class", &rule->class_name, error) ||
      !get_needed (place, "operation", &rule->operation, error) || !get_needed (place, "object", &rule->object, error))
    {
      rules_unref_work (rule);
      return FALSE;
    }
  rules_put (rules->works, rule);
  return TRUE;
}

static gboolean
rules_read_phase (LcRules *rules, const Place *place, const char *name, GError **error)
{
  static const char *const keys[] = {"class", "summary", "operation", "object", "number", "point", NULL};
  static const char *const numbers[] = {"sequence", "value", "count", NULL};
  static const char *const points[] = {"begin", "end", NULL};
  LcPhaseRule *rule = g_atomic_rc_box_new0 (LcPhaseRule);
  int number = 0, point = 0;

  rule->name = g_strdup (name);
  rule->operation = rules_get (place, "operation");
  rule->object = rules_get (place, "object");
  if (!check_keys (place, keys, error) || !get_needed (place, "class", &rule->class_name, error) ||
      !get_needed (place, "summary", &rule->summary, error) ||
      !rules_get_choice (place, "number", numbers, &number, error) ||
      !rules_get_choice (place, "point", points, &point, error))
    {
      rules_unref_phase (rule);
      return FALSE;
    }
  rule->number = (LcPhaseNumber)number;
  rule->point = point == 0 ? LC_POINT_BEGIN : LC_POINT_END;
  rules_put (rules->phases, rule);
  return TRUE;
}

static gboolean
read_group (LcRules *rules, const Place *place, GError **error)
{
  static const struct
  {
    const char *word;
    gboolean (*read) (LcRules *, const Place *, const char *, GError **);
  } sorts[] = {{"class ", read_class},
               {"operation ", rules_read_operation},
               {"arc ", read_arc},
               {"work ", read_work},
               {"phase ", rules_read_phase}};

  for (gsize i = 0; i < G_N_ELEMENTS (sorts); i++)
    {
      const char *name = place->group + strlen (sorts[i].word);

      if (!g_str_has_prefix (place->group, sorts[i].word) || *name == '\0')
        continue;
      g_hash_table_replace (rules->origins, g_strdup (place->group), g_strdup (place->path));
      return sorts[i].read (rules, place, name, error);
    }
  g_set_error (error, LC_RULES_ERROR, LC_RULES_ERROR_GROUP,
               "%s: [%s]: a group is [class NAME], [operation NAME], [arc NAME], [work NAME] or [phase NAME]",
               place->path, place->group);
  return FALSE;
}

static gboolean
read_keys (LcRules *rules, GKeyFile *keys, const char *path, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (keys, NULL);

  for (gsize i = 0; groups[i] != NULL; i++)
    {
      const Place place = {keys, path, groups[i]};

      if (!read_group (rules, &place, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_text (LcRules *rules, const char *path, const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();

  if (length == 0)
    return TRUE;
  if (!g_key_file_load_from_data (keys, text, length, G_KEY_FILE_NONE, error))
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  return read_keys (rules, keys, path, error);
}

gboolean
lc_rules_load (LcRules *rules, const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  return lc_trace_read_file (path, FILE_LIMIT, &text, &length, error) && read_text (rules, path, text, length, error);
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static gboolean
load_from_folder (LcRules *rules, const LcFolder *folder, const char *name, GError **error)
{
  g_autofree char *path = lc_folder_dup_path (folder, name);
  g_autofree char *text = NULL;
  gsize length;

  return lc_folder_read (folder, name, FILE_LIMIT, &text, &length, error) &&
         read_text (rules, path, text, length, error);
}

/* Opens the folder at `path`. FALSE without an error: it does not exist, or is no folder. */
static gboolean
rules_open_folder (const char *path, LcFolder **folder, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autoptr (GError) problem = NULL;
  g_autoptr (LcFolder) outer = lc_folder_open (parent, &problem);
  struct stat status;

  if (outer != NULL && lc_folder_stat (outer, name, &status))
    {
      if (S_ISDIR (status.st_mode) || S_ISLNK (status.st_mode))
        *folder = lc_folder_open_inner (outer, name, error);
      return *folder != NULL;
    }
  if (outer != NULL && errno == EACCES)
    lc_file_set_error (&problem, parent, EACCES); /* whatever is in it, it must not be looked for */
  else if (outer != NULL)
    lc_folder_set_error (outer, name, errno, &problem);
  if (!g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT) &&
      !g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/* Lists a folder's files of rules in order. NULL: error. `more` (or NULL) is a further one, which may be there, too. */
static GPtrArray *
rules_list_files (const LcFolder *folder, const char *more, GError **error)
{
  GPtrArray *names = folder != NULL ? lc_folder_list (folder, error) : g_ptr_array_new_with_free_func (g_free);
  guint i = 0;

  if (names == NULL)
    return NULL;
  while (i < names->len)
    if (g_str_has_suffix (names->pdata[i], ".rules") && g_strcmp0 (names->pdata[i], more) != 0)
      i++;
    else
      g_ptr_array_remove_index (names, i);
  if (more != NULL)
    g_ptr_array_add (names, g_strdup (more));
  g_ptr_array_sort (names, compare_strings);
  return names;
}

gboolean
lc_rules_load_directory (LcRules *rules, const char *path, const LcRulesFile *instead, GError **error)
{
  g_autoptr (LcFolder) folder = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GError) problem = NULL;
  const char *replaced = instead != NULL && g_str_equal (instead->folder, path) ? instead->name : NULL;

  if (rules_open_folder (path, &folder, &problem) || problem == NULL)
    names = rules_list_files (folder, replaced, &problem);
  for (guint i = 0; names != NULL && problem == NULL && i < names->len; i++)
    {
      const char *name = names->pdata[i];
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (g_strcmp0 (name, replaced) != 0)
        load_from_folder (rules, folder, name, &problem);
      else if (instead->text != NULL)
        read_text (rules, file, instead->text, strlen (instead->text), &problem);
    }
  if (problem == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

static LcRules *
rules_read_built_in (void)
{
  LcRules *rules = lc_rules_new_empty ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names =
      g_resource_enumerate_children (lc_rules_get_resource (), BUILT_IN, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf (BUILT_IN "/%s", names[i]);
      g_autoptr (GKeyFile) keys = g_key_file_new ();
      g_autoptr (GBytes) bytes =
          g_resource_lookup_data (lc_rules_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

      if (bytes == NULL || !g_key_file_load_from_bytes (keys, bytes, G_KEY_FILE_NONE, &error) ||
          !read_keys (rules, keys, names[i], &error))
        break;
    }
  if (error == NULL)
    lc_rules_check (rules, &error);
  if (error != NULL)
    g_error ("built-in rules: %s", error->message);
  return rules;
}

static gpointer
rules_acquire (gconstpointer rule, gpointer unused G_GNUC_UNUSED)
{
  return g_atomic_rc_box_acquire ((gpointer)rule);
}

static void
rules_share (GPtrArray *rules, GPtrArray *others)
{
  g_ptr_array_extend (rules, others, rules_acquire, NULL);
}

LcRules *
lc_rules_new (void)
{
  static gsize made = 0;
  LcRules *rules = lc_rules_new_empty ();
  GHashTableIter origins;
  gpointer group, file;

  /* Reading them takes milliseconds, and each history that is opened needs them. */
  if (g_once_init_enter (&made))
    g_once_init_leave (&made, (gsize)rules_read_built_in ());
  const LcRules *built_in = (const LcRules *)made;
  rules_share (rules->classes, built_in->classes);
  rules_share (rules->operations, built_in->operations);
  rules_share (rules->arcs, built_in->arcs);
  rules_share (rules->works, built_in->works);
  rules_share (rules->phases, built_in->phases);
  rules->n_arcs_read = built_in->n_arcs_read;
  g_hash_table_iter_init (&origins, built_in->origins);
  while (g_hash_table_iter_next (&origins, &group, &file))
    g_hash_table_insert (rules->origins, g_strdup (group), g_strdup (file));
  return rules;
}

/* --- References -------------------------------------------------------------------------------------------- */

static gconstpointer
rules_find (const GPtrArray *rules, const char *name)
{
  for (guint i = 0; i < rules->len; i++)
    if (strcmp (*(char **)rules->pdata[i], name) == 0)
      return rules->pdata[i];
  return NULL;
}

const LcClassRule *
lc_rules_get_class (const LcRules *rules, const char *name)
{
  return rules_find (rules->classes, name);
}

const LcOperationRule *
lc_rules_get_operation (const LcRules *rules, const char *name)
{
  return rules_find (rules->operations, name);
}

const GPtrArray *
lc_rules_get_arcs (const LcRules *rules)
{
  return rules->arcs;
}

const GPtrArray *
lc_rules_get_operations (const LcRules *rules)
{
  return rules->operations;
}

const GPtrArray *
lc_rules_get_classes (const LcRules *rules)
{
  return rules->classes;
}

const GPtrArray *
lc_rules_get_works (const LcRules *rules)
{
  return rules->works;
}

const GPtrArray *
lc_rules_get_phases (const LcRules *rules)
{
  return rules->phases;
}

/* Checks that an operation named by a group of the class belongs to that class. */
static gboolean
check_operation (const LcRules *rules, const char *sort, const char *name, const char *key, const char *class_name,
                 const char *operation, GError **error)
{
  const LcOperationRule *found = lc_rules_get_operation (rules, operation);
  g_autofree char *group = g_strdup_printf ("%s %s", sort, name);
  const char *path = g_hash_table_lookup (rules->origins, group);

  if (found == NULL)
    g_set_error (error, LC_RULES_ERROR, LC_RULES_ERROR_UNKNOWN, "%s: [%s] %s: there is no operation '%s'", path, group,
                 key, operation);
  else if (strcmp (found->class_name, class_name) != 0)
    g_set_error (error, LC_RULES_ERROR, LC_RULES_ERROR_VALUE, "%s: [%s] %s: operation '%s' is of class '%s', not '%s'",
                 path, group, key, operation, found->class_name, class_name);
  return found != NULL && strcmp (found->class_name, class_name) == 0;
}

static gboolean
check_class (const LcRules *rules, const char *sort, const char *name, const char *class_name, GError **error)
{
  g_autofree char *group = g_strdup_printf ("%s %s", sort, name);

  if (lc_rules_get_class (rules, class_name) != NULL)
    return TRUE;
  g_set_error (error, LC_RULES_ERROR, LC_RULES_ERROR_UNKNOWN, "%s: [%s] class: there is no class '%s'",
               (const char *)g_hash_table_lookup (rules->origins, group), group, class_name);
  return FALSE;
}

/* Checks a group that only names an operation of a class; NULL: any operation. */
static gboolean
check_use (const LcRules *rules, const char *sort, const char *name, const char *class_name, const char *operation,
           GError **error)
{
  return check_class (rules, sort, name, class_name, error) &&
         (operation == NULL || check_operation (rules, sort, name, "operation", class_name, operation, error));
}

gboolean
lc_rules_check (const LcRules *rules, GError **error)
{
  for (guint i = 0; i < rules->classes->len; i++)
    {
      const LcClassRule *rule = rules->classes->pdata[i];

      for (gsize j = 0; rule->holding != NULL && rule->holding[j] != NULL; j++)
        if (!check_operation (rules, "class", rule->name, "holding", rule->name, rule->holding[j], error))
          return FALSE;
    }
  for (guint i = 0; i < rules->operations->len; i++)
    {
      const LcOperationRule *rule = rules->operations->pdata[i];

      if (!check_class (rules, "operation", rule->name, rule->class_name, error))
        return FALSE;
    }
  for (guint i = 0; i < rules->arcs->len; i++)
    {
      const LcArcRule *rule = rules->arcs->pdata[i];

      if (!check_class (rules, "arc", rule->name, rule->class_name, error) ||
          !check_operation (rules, "arc", rule->name, "from", rule->class_name, rule->from, error) ||
          (rule->to_class != NULL && !check_class (rules, "arc", rule->name, rule->to_class, error)) ||
          !check_operation (rules, "arc", rule->name, "to", rule->to_class != NULL ? rule->to_class : rule->class_name,
                            rule->to, error))
        return FALSE;
    }
  for (guint i = 0; i < rules->works->len; i++)
    {
      const LcWorkRule *rule = rules->works->pdata[i];

      if (!check_use (rules, "work", rule->name, rule->class_name, rule->operation, error))
        return FALSE;
    }
  for (guint i = 0; i < rules->phases->len; i++)
    {
      const LcPhaseRule *rule = rules->phases->pdata[i];

      if (!check_use (rules, "phase", rule->name, rule->class_name, rule->operation, error))
        return FALSE;
    }
  return TRUE;
}
