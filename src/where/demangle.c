/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the names of C++ and Rust in symbol tables back into those of the source. */
#include "demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

/* A short symbol can stand for a name of gigabytes, by naming its own parts again and again. */
#define LONGEST_SYMBOL 8192
#define LONGEST_NAME 4096

/* What compilers add to the name of a function that they make of another one. */
static const char *const suffixes[] = {".constprop.", ".part.",      ".isra.",    ".cold",        ".lto_priv.",
                                       ".llvm.",      ".localalias", "._omp_fn.", ".omp_outlined"};

typedef struct
{
  GString *name;
  jmp_buf too_long; /* the demangler has no memory of its own, nor another way to be stopped */
} Demangled;

static void
take_piece (const char *text, size_t length, void *data)
{
  Demangled *demangled = data;

  if (demangled->name->len + length > LONGEST_NAME)
    longjmp (demangled->too_long, 1);
  g_string_append_len (demangled->name, text, (gssize)length);
}

/* Names of methods begin as "<Queue<u32>>::put": without the brackets they are as in C++. Those of traits say more. */
static void
drop_brackets (GString *name)
{
  gsize end = 0;
  int depth = 0;

  if (name->str[0] != '<')
    return;
  for (gsize i = 0; i < name->len && end == 0; i++)
    {
      depth += name->str[i] == '<' ? 1 : name->str[i] == '>' && (i == 0 || name->str[i - 1] != '-') ? -1 : 0;
      if (depth == 0)
        end = i;
      if (depth == 1 && g_str_has_prefix (name->str + i, " as "))
        return;
    }
  if (end < 2 || name->str[end + 1] != ':' || !g_ascii_isalpha (name->str[1]))
    return;
  g_string_erase (name, (gssize)end, 1);
  g_string_erase (name, 0, 1);
}

/* "[abi:cxx11]" is for linkers: there is no other function or variable of that name in the source. */
static void
drop_tags (GString *name)
{
  const char *tag;

  while ((tag = strstr (name->str, "[abi:")) != NULL)
    {
      const char *end = strchr (tag, ']');

      g_string_erase (name, tag - name->str, end != NULL ? end + 1 - tag : -1);
    }
}

/* FALSE: it is not such a name. */
static gboolean
demangle_into (Demangled *demangled, const char *symbol)
{
  if (setjmp (demangled->too_long) != 0)
    {
      g_string_append (demangled->name, "...");
      return TRUE;
    }
  if (rust_demangle_callback (symbol, DMGL_NO_OPTS, take_piece, demangled))
    {
      drop_brackets (demangled->name);
      return TRUE;
    }
  g_string_truncate (demangled->name, 0);
  return g_str_has_prefix (symbol, "_Z") && cplus_demangle_v3_callback (symbol, DMGL_NO_OPTS, take_piece, demangled);
}

/* Names of C end at a suffix; a number that tells static variables of functions apart is one, too. */
static gsize
plain_length (const char *symbol)
{
  gsize length = strlen (symbol), digits = length;

  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      const char *found = strstr (symbol, suffixes[i]);

      if (found != NULL && found != symbol)
        length = MIN (length, (gsize)(found - symbol));
    }
  digits = length;
  while (digits > 0 && g_ascii_isdigit (symbol[digits - 1]))
    digits--;
  return digits < length && digits > 1 && symbol[digits - 1] == '.' && strchr (symbol, '.') == symbol + digits - 1
             ? digits - 1
             : length;
}

/* Returns what the source calls the section that a lock of OpenMP is for. NULL: the symbol is no such lock. */
static char *
dup_critical_section (const char *symbol)
{
  static const char lock[] = ".gomp_critical_user_";
  const char *name = symbol + strlen (lock), *end;

  if (!g_str_has_prefix (symbol, lock) || *name == '\0' || strlen (name) > LONGEST_NAME)
    return NULL;
  end = strchr (name, '.'); /* clang adds ".var", also to no name at all */
  if (end == name)
    return g_strdup ("critical");
  return g_strdup_printf ("critical %.*s", (int)(end != NULL ? (gsize)(end - name) : strlen (name)), name);
}

char *
lc_demangle (const char *symbol)
{
  Demangled demangled = {.name = g_string_new (NULL)};
  char *section = dup_critical_section (symbol);
  gsize length;

  if (section != NULL)
    {
      g_string_free (demangled.name, TRUE);
      return section;
    }
  if (strlen (symbol) <= LONGEST_SYMBOL && symbol[0] == '_' && demangle_into (&demangled, symbol) &&
      demangled.name->len > 0)
    {
      drop_tags (demangled.name);
      return g_string_free (demangled.name, FALSE);
    }
  g_string_truncate (demangled.name, 0);
  length = plain_length (symbol);
  g_string_append_len (demangled.name, symbol, (gssize)MIN (length, LONGEST_NAME));
  return g_string_free (demangled.name, FALSE);
}

gboolean
lc_is_outlined (const char *symbol)
{
  const char *found = strstr (symbol, "._omp_fn.");

  if (found == NULL)
    found = strstr (symbol, ".omp_outlined");
  return found != NULL && found != symbol;
}
