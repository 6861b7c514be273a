/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up the names of a history's processes, operations and objects. */
#include "names.h"

#include <string.h>

#include "trace/quantities.h"

struct _LcNames
{
  LcHistory *history;
  GMutex mutex;        /* protects the table; its items never change */
  GHashTable *objects; /* id -> LcHistoryObject */
};

static void
free_object (gpointer object)
{
  lc_history_object_clear (object);
  g_free (object);
}

LcNames *
lc_names_new (LcHistory *history)
{
  LcNames *names = g_new0 (LcNames, 1);

  names->history = history;
  g_mutex_init (&names->mutex);
  names->objects = g_hash_table_new_full (NULL, NULL, NULL, free_object);
  return names;
}

void
lc_names_free (LcNames *names)
{
  if (names == NULL)
    return;
  g_hash_table_unref (names->objects);
  g_mutex_clear (&names->mutex);
  g_free (names);
}

LcHistory *
lc_names_get_history (const LcNames *names)
{
  return names->history;
}

const char *
lc_names_process (LcNames *names, guint32 process)
{
  return process != LC_TRACE_NONE ? lc_history_get_process (names->history, process)->name : NULL;
}

static const LcHistoryOperation *
names_get_operation (LcNames *names, guint32 operation)
{
  return operation != LC_TRACE_NONE ? lc_history_get_operation (names->history, operation) : NULL;
}

const char *
lc_names_operation (LcNames *names, guint32 operation)
{
  const LcHistoryOperation *found = names_get_operation (names, operation);

  return found != NULL ? found->name : NULL;
}

const char *
lc_names_operation_class (LcNames *names, guint32 operation)
{
  const LcHistoryOperation *found = names_get_operation (names, operation);

  return found != NULL ? found->class_name : NULL;
}

gboolean
lc_names_is_together (LcNames *names, guint32 operation)
{
  const char *class_name = lc_names_operation_class (names, operation);

  return g_strcmp0 (class_name, "collective") == 0 || g_strcmp0 (class_name, "barrier") == 0;
}

gboolean
lc_names_is_try (LcNames *names, guint32 operation)
{
  static const char *const tries[] = {"lock-failed", "read-failed",  "write-failed",  "wait-failed",
                                      "test-failed", "probe-failed", "finish-failed", NULL};
  const char *name = lc_names_operation (names, operation);

  return name != NULL && g_strv_contains (tries, name);
}

static const LcHistoryObject *
get_object (LcNames *names, guint32 object)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&names->mutex);
  LcHistoryObject *found = g_hash_table_lookup (names->objects, GUINT_TO_POINTER (object));

  (void)locker;
  if (found != NULL || object == LC_TRACE_NONE)
    return found;
  found = g_new0 (LcHistoryObject, 1);
  if (!lc_history_get_object (names->history, object, found, NULL))
    g_clear_pointer (&found, g_free);
  else
    g_hash_table_insert (names->objects, GUINT_TO_POINTER (object), found);
  return found;
}

const char *
lc_names_object (LcNames *names, guint32 object)
{
  const LcHistoryObject *found = get_object (names, object);

  return found != NULL ? found->name : NULL;
}

const char *
lc_names_object_class (LcNames *names, guint32 object)
{
  const LcHistoryObject *found = get_object (names, object);

  return found != NULL ? found->class_name : NULL;
}

/* --- Texts ------------------------------------------------------------------------------------------------------- */

const char *
lc_names_skip_class (const char *name, const char *class_name)
{
  const gsize length = class_name != NULL ? strlen (class_name) : 0;

  return length > 0 && strncmp (name, class_name, length) == 0 && name[length] == ' ' ? name + length + 1 : name;
}

/* The number of objects of one name, behind their last blank; "" if there is none. */
static const char *
names_find_number (const char *name)
{
  const char *blank = strrchr (name, ' ');

  return blank != NULL && blank[1] != '\0' && strspn (blank + 1, "0123456789") == strlen (blank + 1) ? blank : "";
}

/* "mutex of take queue.c:12 3" is "mutex of take 3", and "mutex at pigz+0x11000 34" is "mutex 34". */
static char *
names_dup_without_place (const char *rest, const char *class_name)
{
  const char *number = names_find_number (rest);

  if (g_str_has_prefix (rest, "at "))
    return g_strconcat (class_name, number, NULL);
  return g_strdup_printf ("%s %.*s%s", class_name, (int)(strlen ("of ") + strcspn (rest + strlen ("of "), " ")), rest,
                          number);
}

char *
lc_names_dup_short (const char *name, const char *class_name)
{
  const char *rest = lc_names_skip_class (name, class_name), *start = name, *scope;

  if (rest != name && (g_str_has_prefix (rest, "at ") || g_str_has_prefix (rest, "of ")))
    return names_dup_without_place (rest, class_name);
  if (strchr (name, ' ') != NULL || strchr (name, '<') != NULL)
    return g_strdup (name);
  scope = strrchr (start, '/');
  if (scope != NULL && scope[1] != '\0')
    start = scope + 1;
  scope = g_strrstr (start, "::");
  if (scope != NULL && scope[2] != '\0')
    start = scope + 2;
  return g_strdup (start);
}

char *
lc_history_dup_moment (const LcHistory *history, guint64 ns)
{
  guint64 begin, end;

  lc_history_get_span (history, &begin, &end);
  return lc_format_moment (ns, end - MIN (begin, end));
}
