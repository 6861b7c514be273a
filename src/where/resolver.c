/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what is at the addresses of one file of code. */
#include "resolver.h"

#include "where/demangle.h"
#include "where/symbol-table.h"
#include "where/variables.h"

struct _LcResolver
{
  LcCodeFile *file;
  LcSymbolTable *symbols;
  LcFrames *frames;       /* NULL: no debugging information */
  LcVariables *variables; /* NULL: nobody has asked */
};

LcResolver *
lc_resolver_new (const char *path, const char *build_id, const char *debug_directory)
{
  LcResolver *resolver = g_new0 (LcResolver, 1);

  resolver->file = lc_code_file_open (path, build_id, debug_directory);
  resolver->symbols = lc_symbol_table_new (resolver->file);
  if (resolver->file->dwarf != NULL)
    resolver->frames = lc_frames_new (resolver->file, resolver->symbols);
  return resolver;
}

void
lc_resolver_free (LcResolver *resolver)
{
  g_clear_pointer (&resolver->variables, lc_variables_free);
  g_clear_pointer (&resolver->frames, lc_frames_free);
  lc_symbol_table_free (resolver->symbols);
  lc_code_file_free (resolver->file);
  g_free (resolver);
}

LcCodeState
lc_resolver_get_state (const LcResolver *resolver)
{
  return resolver->file->state;
}

gboolean
lc_resolver_is_unread (const LcResolver *resolver)
{
  return lc_code_file_is_unread (resolver->file);
}

static void
clear_frame (gpointer data)
{
  LcFrame *frame = data;

  g_free (frame->function);
}

GArray *
lc_resolver_frames_new (void)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (LcFrame));

  g_array_set_clear_func (frames, clear_frame);
  return frames;
}

void
lc_resolver_find (LcResolver *resolver, guint64 address, gboolean is_entry, GArray *frames)
{
  guint64 inside = is_entry || address == 0 ? address : address - 1; /* a call can be the last of its function */
  const LcCodeSymbol *symbol = lc_symbol_table_find (resolver->symbols->functions, inside);
  LcFrame frame = {.function = NULL};

  if (resolver->frames != NULL && (is_entry ? lc_frames_find_entry (resolver->frames, inside, frames)
                                            : lc_frames_find (resolver->frames, inside, frames)))
    return;
  if (symbol == NULL)
    return;
  frame.function = lc_demangle (symbol->name);
  g_array_append_val (frames, frame);
}

char *
lc_resolver_dup_variable (LcResolver *resolver, guint64 address)
{
  if (resolver->variables == NULL)
    resolver->variables = lc_variables_new (resolver->file, resolver->symbols);
  return lc_variables_dup_name (resolver->variables, address);
}
