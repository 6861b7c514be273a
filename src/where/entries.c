/* SPDX-License-Identifier: Apache-2.0 */
/* What functions and variables of debugging information are called. */
#include "entries.h"

#include <dwarf.h>
#include <string.h>

#include "where/demangle.h"

#define LINKS 16

static const char *
entry_string (Dwarf_Die *entry, guint attribute)
{
  Dwarf_Attribute found;

  return dwarf_attr_integrate (entry, attribute, &found) != NULL ? dwarf_formstring (&found) : NULL;
}

gboolean
lc_entry_follow (Dwarf_Die *entry, guint attribute, Dwarf_Die *result)
{
  Dwarf_Attribute found;

  return dwarf_attr (entry, attribute, &found) != NULL && dwarf_formref_die (&found, result) != NULL;
}

/* dwarf_decl_file would end the program if a unit of a .dwo file has no table of files that can be read. */
const char *
lc_entry_get_file (Dwarf_Die *entry)
{
  Dwarf_Attribute found;
  Dwarf_Files *files;
  Dwarf_Word number;
  Dwarf_Die unit;
  size_t n;

  if (dwarf_attr_integrate (entry, DW_AT_decl_file, &found) == NULL || dwarf_formudata (&found, &number) != 0 ||
      number == 0 || dwarf_cu_die (found.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) == NULL)
    return NULL;
  return dwarf_getsrcfiles (&unit, &files, &n) == 0 && number < n ? dwarf_filesrc (files, number, NULL, NULL) : NULL;
}

guint64
lc_entry_limit (Dwarf_Die *unit)
{
  Dwarf_Off begin = dwarf_dieoffset (unit) - dwarf_cuoffset (unit), end = 0;

  return dwarf_next_unit (dwarf_cu_getdwarf (unit->cu), begin, &end, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == 0
             ? end - begin
             : 0;
}

/* The entry that says what another one is: of what was inlined, its function; of a member, its declaration. */
static void
find_declaration (Dwarf_Die *entry, Dwarf_Die *result)
{
  Dwarf_Die next;

  *result = *entry;
  for (int i = 0; i < LINKS && (lc_entry_follow (result, DW_AT_abstract_origin, &next) ||
                                lc_entry_follow (result, DW_AT_specification, &next));
       i++)
    *result = next;
}

static gboolean
has_scopes (Dwarf_Die *unit)
{
  switch (dwarf_srclang (unit))
    {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Go:
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
      return FALSE;
    default:
      return TRUE;
    }
}

static gboolean
is_class (Dwarf_Die *entry)
{
  int tag = dwarf_tag (entry);

  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* A class without a name that can be called. */
static gboolean
is_lambda (Dwarf_Die *class)
{
  guint64 left = LC_ENTRY_DEPTH;
  Dwarf_Die child;

  if (dwarf_child (class, &child) != 0)
    return FALSE;
  do
    if (dwarf_tag (&child) == DW_TAG_subprogram && g_strcmp0 (entry_string (&child, DW_AT_name), "operator()") == 0)
      return TRUE;
  while (--left > 0 && dwarf_siblingof (&child, &child) == 0);
  return FALSE;
}

/* As in names that are told by symbols, but for the number and parameters, which are not told here. */
static void
append_lambda (GString *name)
{
  if (g_str_has_suffix (name->str, "()::"))
    g_string_truncate (name, name->len - strlen ("()::"));
  else if (g_str_has_suffix (name->str, "::"))
    g_string_truncate (name, name->len - strlen ("::"));
  g_string_append_printf (name, "%s{lambda}::", name->len > 0 ? "::" : "");
}

/* Adds the name of what an entry is in, if names in it begin with that. */
static void
append_scope (GString *name, Dwarf_Die *scope, gboolean has_types)
{
  const char *own;

  switch (dwarf_tag (scope))
    {
    case DW_TAG_namespace:
      own = entry_string (scope, DW_AT_name);
      g_string_append_printf (name, "%s::", own != NULL ? own : "(anonymous namespace)");
      break;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
      own = entry_string (scope, DW_AT_name);
      if (own != NULL && has_types)
        g_string_append_printf (name, "%s::", own);
      else if (own == NULL && has_types && is_lambda (scope))
        append_lambda (name);
      break;
    case DW_TAG_subprogram:
      own = entry_string (scope, DW_AT_name);
      if (own != NULL)
        g_string_append_printf (name, "%s()::", own);
      break;
    default:
      break;
    }
}

/* Finds the last child that does not begin behind an offset: what is there is in it. */
static gboolean
find_child (Dwarf_Die *parent, Dwarf_Off offset, guint64 *left, Dwarf_Die *result)
{
  Dwarf_Die next;

  if (dwarf_child (parent, &next) != 0 || dwarf_dieoffset (&next) > offset)
    return FALSE;
  do
    {
      *result = next;
      if (*left == 0)
        return FALSE;
      (*left)--;
    }
  while (dwarf_siblingof (result, &next) == 0 && dwarf_dieoffset (&next) <= offset);
  return TRUE;
}

static void
append_scopes (GString *name, Dwarf_Die *entry)
{
  Dwarf_Off offset = dwarf_dieoffset (entry);
  Dwarf_Die scope, child;
  guint64 left;
  gboolean has_types;

  if (dwarf_diecu (entry, &scope, NULL, NULL) == NULL)
    return;
  left = lc_entry_limit (&scope);
  has_types = has_scopes (&scope);
  for (int i = 0; i < LC_ENTRY_DEPTH && find_child (&scope, offset, &left, &child); i++)
    {
      if (dwarf_dieoffset (&child) == offset)
        return;
      append_scope (name, &child, has_types);
      scope = child;
    }
}

gboolean
lc_entry_find_class (Dwarf_Die *entry, Dwarf_Die *result)
{
  Dwarf_Die declaration, unit, child;
  Dwarf_Off offset;
  guint64 left;

  find_declaration (entry, &declaration);
  offset = dwarf_dieoffset (&declaration);
  if (dwarf_diecu (&declaration, result, NULL, NULL) == NULL)
    return FALSE;
  unit = *result;
  left = lc_entry_limit (&unit);
  for (int i = 0; i < LC_ENTRY_DEPTH && find_child (result, offset, &left, &child); i++)
    {
      if (dwarf_dieoffset (&child) == offset)
        return is_class (result);
      *result = child;
    }
  return FALSE;
}

/* Finds the function whose source is around that of another: the last one before it in the file that is not made by the
 * compiler. */
static gboolean
find_function_around (Dwarf_Die *entry, Dwarf_Die *result)
{
  const char *file = lc_entry_get_file (entry), *name, *other;
  int line = 0, best = 0, begin;
  Dwarf_Die child;
  guint64 left;

  if (file == NULL || dwarf_decl_line (entry, &line) != 0 || dwarf_diecu (entry, &child, NULL, NULL) == NULL)
    return FALSE;
  left = lc_entry_limit (&child);
  if (dwarf_child (&child, &child) != 0)
    return FALSE;
  do
    {
      if (dwarf_tag (&child) != DW_TAG_subprogram || dwarf_decl_line (&child, &begin) != 0 || begin <= best ||
          begin > line)
        continue;
      name = entry_string (&child, DW_AT_name);
      other = lc_entry_get_file (&child);
      if (name == NULL || name[0] == '.' || lc_is_outlined (name) || other == NULL || strcmp (other, file) != 0)
        continue;
      best = begin;
      *result = child;
    }
  while (left-- > 0 && dwarf_siblingof (&child, &child) == 0);
  return best > 0;
}

char *
lc_entry_dup_name (Dwarf_Die *entry, const char *symbol)
{
  const char *mangled = entry_string (entry, DW_AT_linkage_name), *own = entry_string (entry, DW_AT_name);
  g_autofree char *plain = NULL;
  Dwarf_Die declaration;
  GString *name;

  if (mangled == NULL)
    mangled = entry_string (entry, DW_AT_MIPS_linkage_name);
  if (mangled == NULL && symbol != NULL && symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R'))
    mangled = symbol;
  if (mangled != NULL)
    return lc_demangle (mangled);
  if (own == NULL)
    return NULL;
  if (g_str_has_prefix (own, ".omp_outlined") && find_function_around (entry, &declaration))
    return lc_entry_dup_name (&declaration, NULL);
  if (lc_is_outlined (own))
    return lc_demangle (own);
  find_declaration (entry, &declaration);
  name = g_string_new (NULL);
  append_scopes (name, &declaration);
  plain = lc_demangle (own);
  g_string_append (name, plain);
  return g_string_free (name, FALSE);
}
