/* SPDX-License-Identifier: Apache-2.0 */
/* Gives every process a unique name that shows which rank or thread it is. */
#include <string.h>

#include "reader.h"

/* Longest thread name in bytes on Linux. */
#define SYSTEM_NAME 15

typedef struct
{
  const LcTrace *trace;
  GHashTable *inherited; /* names that threads have from their executable, because the program gave them none */
  GHashTable *counts;    /* stem -> number of processes with it */
  GHashTable *numbered;  /* stem -> number of processes numbered so far */
  GHashTable *used;
} Names;

static void
process_names_count (GHashTable *counts, const char *stem)
{
  g_hash_table_insert (counts, g_strdup (stem),
                       GUINT_TO_POINTER (1 + GPOINTER_TO_UINT (g_hash_table_lookup (counts, stem))));
}

/* The words of the command are taken as names of executables: it may start with a launcher, or have the program's name
 * in an argument of a shell. */
static void
process_names_find_inherited (Names *names)
{
  g_autofree char *command = g_key_file_get_string (names->trace->settings, "trace", "command", NULL);
  g_auto (GStrv) words = g_strsplit_set (command != NULL ? command : "", " \t\n\"';&|()", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *slash = strrchr (words[i], '/');

      g_hash_table_add (names->inherited, g_strndup (slash != NULL ? slash + 1 : words[i], SYSTEM_NAME));
    }
}

static gboolean
process_names_is_nameless (const Names *names, const LcTraceProcess *process)
{
  return *process->given_name == '\0' || g_hash_table_contains (names->inherited, process->given_name);
}

/* Makes the name without a number: `own`, if it is not NULL. For a rank, the program's own name for a thread follows
 * the rank. `function`: what it runs, which is its name if it has none of its own; or NULL. */
static char *
make_stem (const Names *names, const LcTraceProcess *process, const char *function, const char *own)
{
  const gboolean is_named_by = function != NULL && process_names_is_nameless (names, process);
  const char *given = is_named_by ? function : process->given_name;
  g_autofree char *rank = NULL;
  gsize length;

  if (own != NULL)
    return g_strdup (own);
  if (process->rank == LC_TRACE_NONE)
    return g_strdup (*given != '\0' ? given : "process");
  rank = g_strdup_printf ("rank %u", process->rank);
  length = strlen (rank);
  if (g_str_has_prefix (given, rank) && (given[length] == '\0' || given[length] == ' '))
    return g_strdup (given);
  if (!is_named_by && process_names_is_nameless (names, process))
    given = "thread";
  return g_strdup_printf ("%s %s", rank, given);
}

/* Threads of a rank are numbered within the rank; other processes that share a name are told apart by their numbers in
 * the trace. */
static char *
process_names_number (Names *names, const LcTraceProcess *process, const char *stem)
{
  g_autoptr (GString) name = g_string_new (stem);
  gboolean is_rank = process->rank != LC_TRACE_NONE;
  gboolean unnamed =
      is_rank ? g_str_has_suffix (stem, " thread") : *process->given_name == '\0' && g_str_equal (stem, "process");

  process_names_count (names->numbered, stem);
  if (unnamed || GPOINTER_TO_UINT (g_hash_table_lookup (names->counts, stem)) > 1)
    g_string_append_printf (name, " %u",
                            is_rank ? GPOINTER_TO_UINT (g_hash_table_lookup (names->numbered, stem)) : process->number);
  while (g_hash_table_contains (names->used, name->str))
    g_string_append_c (name, '\'');
  g_hash_table_add (names->used, g_strdup (name->str));
  return g_strdup (name->str);
}

GPtrArray *
lc_trace_make_process_names (const LcTrace *trace, const char *const *functions, const char *const *given)
{
  g_autoptr (GHashTable) inherited = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) numbered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) stems = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *result = g_ptr_array_new_with_free_func (g_free);
  Names names = {trace, inherited, counts, numbered, used};

  process_names_find_inherited (&names);
  for (guint i = 0; i < trace->processes->len; i++)
    {
      const LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);

      g_ptr_array_add (
          stems, make_stem (&names, process, functions != NULL ? functions[i] : NULL, given != NULL ? given[i] : NULL));
      process_names_count (counts, stems->pdata[i]);
    }
  for (guint i = 0; i < trace->processes->len; i++)
    g_ptr_array_add (
        result, process_names_number (&names, &g_array_index (trace->processes, LcTraceProcess, i), stems->pdata[i]));
  return result;
}

void
lc_trace_name_processes (LcTrace *trace)
{
  g_autoptr (GPtrArray) names = lc_trace_make_process_names (trace, NULL, NULL);

  for (guint i = 0; i < trace->processes->len; i++)
    g_array_index (trace->processes, LcTraceProcess, i).name = g_string_chunk_insert (trace->strings, names->pdata[i]);
}
