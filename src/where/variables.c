/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the variables at addresses, and their members, in debugging information. */
#include "variables.h"

#include <dwarf.h>
#include <string.h>

#include "where/demangle.h"
#include "where/entries.h"
#include "where/split-unit.h"

#define DIMENSIONS 8
#define MOST_MEMBERS 65536

typedef struct
{
  guint64 begin;
  guint64 size;
  Dwarf_Die entry;
} Variable;

struct _LcVariables
{
  const LcSymbolTable *symbols;
  GArray *array; /* Variable, sorted */
};

/* Types that somebody locks or waits for: what they are made of is nobody's concern. */
static const char *const whole_types[] = {"pthread_", "sem_t", "mtx_t", "cnd_t", "std::"};

/* --- Types -------------------------------------------------------------------------------------------------------- */

static gboolean
is_whole (Dwarf_Die *type)
{
  g_autofree char *name = lc_entry_dup_name (type, NULL);

  for (gsize i = 0; name != NULL && i < G_N_ELEMENTS (whole_types); i++)
    if (g_str_has_prefix (name, whole_types[i]))
      return TRUE;
  return FALSE;
}

/* Follows a type to what it stands for. FALSE: there is none. */
static gboolean
peel_type (Dwarf_Die *type, gboolean *whole)
{
  for (int i = 0; i < LC_ENTRY_DEPTH; i++)
    switch (dwarf_tag (type))
      {
      case DW_TAG_typedef:
        *whole = *whole || is_whole (type);
        /* fall through */
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_atomic_type:
      case DW_TAG_restrict_type:
        if (!lc_entry_follow (type, DW_AT_type, type))
          return FALSE;
        break;
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        *whole = *whole || is_whole (type);
        return TRUE;
      default:
        return TRUE;
      }
  return FALSE;
}

static gboolean
number_attribute (Dwarf_Die *entry, guint attribute, guint64 *result)
{
  Dwarf_Attribute found;
  Dwarf_Word value;

  if (dwarf_attr (entry, attribute, &found) == NULL || dwarf_formudata (&found, &value) != 0)
    return FALSE;
  *result = value;
  return TRUE;
}

/* How many elements each dimension of an array has; 0: not known. Returns the number of dimensions. */
static guint
dimensions_of (Dwarf_Die *array, guint64 *counts)
{
  Dwarf_Die child;
  guint n = 0;

  if (dwarf_child (array, &child) != 0)
    return 0;
  do
    {
      guint64 last;

      if (dwarf_tag (&child) != DW_TAG_subrange_type)
        continue;
      counts[n] = 0;
      if (!number_attribute (&child, DW_AT_count, &counts[n]) && number_attribute (&child, DW_AT_upper_bound, &last) &&
          last < G_MAXINT64)
        counts[n] = last + 1;
      n++;
    }
  while (n < DIMENSIONS && dwarf_siblingof (&child, &child) == 0);
  return n;
}

/* 0: not known. */
static guint64
size_of_type (Dwarf_Die type, int depth)
{
  guint64 counts[DIMENSIONS], size = 0;
  gboolean whole = FALSE;
  Dwarf_Die element;
  guint n;

  if (depth > LC_ENTRY_DEPTH || !peel_type (&type, &whole))
    return 0;
  if (number_attribute (&type, DW_AT_byte_size, &size))
    return size;
  if (dwarf_tag (&type) != DW_TAG_array_type || !lc_entry_follow (&type, DW_AT_type, &element))
    return 0;
  size = size_of_type (element, depth + 1);
  n = dimensions_of (&type, counts);
  for (guint i = 0; i < n; i++)
    if (__builtin_mul_overflow (size, counts[i], &size))
      return 0;
  return size;
}

/* --- Members ------------------------------------------------------------------------------------------------------ */

/* A part of a variable on the way to an address. */
typedef struct
{
  GString *path;
  Dwarf_Die type;
  guint64 rest; /* bytes from the part's begin to the address */
} Part;

static gboolean
go_to_element (Part *part)
{
  guint64 counts[DIMENSIONS], size, index;
  guint n = dimensions_of (&part->type, counts);

  if (n == 0 || !lc_entry_follow (&part->type, DW_AT_type, &part->type))
    return FALSE;
  size = size_of_type (part->type, 0);
  if (size == 0)
    return FALSE;
  index = part->rest / size;
  part->rest %= size;
  for (guint i = 0; i < n; i++)
    {
      guint64 inner = 1;

      for (guint k = i + 1; k < n; k++)
        inner = counts[k] == 0 || __builtin_mul_overflow (inner, counts[k], &inner) ? G_MAXUINT64 : inner;
      g_string_append_printf (part->path, "[%" G_GUINT64_FORMAT "]", index / inner);
      index %= inner;
    }
  return TRUE;
}

/* Whether a member, or the part that a base class is, holds a byte of its structure. */
static gboolean
member_holds (Dwarf_Die *member, guint64 byte, guint64 *begin, Dwarf_Die *type)
{
  int tag = dwarf_tag (member);

  *begin = 0;
  if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr (member, DW_AT_external) ||
      dwarf_hasattr (member, DW_AT_declaration) || !lc_entry_follow (member, DW_AT_type, type))
    return FALSE;
  if (dwarf_hasattr (member, DW_AT_data_member_location) &&
      !number_attribute (member, DW_AT_data_member_location, begin))
    return FALSE;
  return *begin <= byte && byte - *begin < size_of_type (*type, 0);
}

/* The first member that holds the place of a part; with `only_whole`, that is used as a whole. */
static gboolean
find_member (Part *part, gboolean only_whole)
{
  Dwarf_Die member, type;
  guint64 begin;

  if (dwarf_child (&part->type, &member) != 0)
    return FALSE;
  for (int i = 0; i < MOST_MEMBERS; i++)
    {
      gboolean whole = FALSE;
      Dwarf_Die peeled;

      if (member_holds (&member, part->rest, &begin, &type) &&
          (peeled = type, !only_whole || (peel_type (&peeled, &whole) && whole)))
        {
          const char *name = dwarf_tag (&member) == DW_TAG_member ? dwarf_diename (&member) : NULL;

          if (name != NULL)
            g_string_append_printf (part->path, ".%s", name);
          part->rest -= begin;
          part->type = type;
          return TRUE;
        }
      if (dwarf_siblingof (&member, &member) != 0)
        return FALSE;
    }
  return FALSE;
}

/* Members of a union are in one place: that is meant which somebody locks or waits for. */
static gboolean
go_to_member (Part *part)
{
  return (dwarf_tag (&part->type) == DW_TAG_union_type && find_member (part, TRUE)) || find_member (part, FALSE);
}

static gboolean
go_inwards (Part *part)
{
  switch (dwarf_tag (&part->type))
    {
    case DW_TAG_array_type:
      return go_to_element (part);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
      return go_to_member (part);
    default:
      return FALSE;
    }
}

/*
 * Appends the way to an address in a variable: down to a type that is used as a whole, or if there is none, to the
 * outermost part that begins there.
 */
static void
append_members (GString *path, Dwarf_Die *type, guint64 rest)
{
  Part part = {.path = path, .type = *type, .rest = rest};
  gssize begins = rest == 0 ? (gssize)path->len : -1;
  gboolean whole = FALSE;

  for (int i = 0; i < LC_ENTRY_DEPTH && peel_type (&part.type, &whole); i++)
    {
      gsize length = path->len;

      if (whole)
        return;
      if (!go_inwards (&part))
        break;
      if (part.rest == 0 && begins < 0 && path->len > length)
        begins = (gssize)path->len;
    }
  if (begins >= 0)
    g_string_truncate (path, (gsize)begins);
  else
    g_string_append_printf (path, "+%" G_GUINT64_FORMAT, part.rest);
}

/* --- Variables ---------------------------------------------------------------------------------------------------- */

static int
order_variables (gconstpointer a, gconstpointer b)
{
  const Variable *left = a, *right = b;

  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return left->size != right->size ? (left->size > right->size ? -1 : 1) : 0;
}

static gboolean
address_of (Dwarf_Die *entry, guint64 *address)
{
  Dwarf_Attribute location, where;
  Dwarf_Op *operations;
  Dwarf_Addr found;
  size_t n;

  if (dwarf_attr (entry, DW_AT_location, &location) == NULL || dwarf_getlocation (&location, &operations, &n) != 0 ||
      n != 1)
    return FALSE;
  if (operations[0].atom == DW_OP_addr)
    {
      *address = operations[0].number;
      return TRUE;
    }
  if ((operations[0].atom != DW_OP_addrx && operations[0].atom != DW_OP_GNU_addr_index) ||
      dwarf_getlocation_attr (&location, operations, &where) != 0 || dwarf_formaddr (&where, &found) != 0)
    return FALSE;
  *address = found;
  return TRUE;
}

static gboolean
type_of (Dwarf_Die *entry, Dwarf_Die *type)
{
  Dwarf_Attribute found;

  return dwarf_attr_integrate (entry, DW_AT_type, &found) != NULL && dwarf_formref_die (&found, type) != NULL;
}

static void
take_variable (LcVariables *variables, Dwarf_Die *entry)
{
  Variable variable = {.entry = *entry};
  Dwarf_Die type;

  if (!address_of (entry, &variable.begin))
    return;
  if (type_of (entry, &type))
    variable.size = size_of_type (type, 0);
  variable.size = MAX (variable.size, 1);
  g_array_append_val (variables->array, variable);
}

static void
collect_variables (LcVariables *variables, Dwarf_Die *parent, guint64 *left, int depth)
{
  Dwarf_Die child;

  if (depth > LC_ENTRY_DEPTH || dwarf_child (parent, &child) != 0)
    return;
  do
    {
      if (*left == 0)
        return;
      (*left)--;
      switch (dwarf_tag (&child))
        {
        case DW_TAG_variable:
          take_variable (variables, &child);
          break;
        case DW_TAG_namespace:
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
          collect_variables (variables, &child, left, depth + 1);
          break;
        default:
          break;
        }
    }
  while (dwarf_siblingof (&child, &child) == 0);
}

LcVariables *
lc_variables_new (LcCodeFile *file, const LcSymbolTable *symbols)
{
  LcVariables *variables = g_new0 (LcVariables, 1);
  Dwarf_CU *cu = NULL;
  Dwarf_Die unit;

  variables->symbols = symbols;
  variables->array = g_array_new (FALSE, FALSE, sizeof (Variable));
  while (file->dwarf != NULL && dwarf_get_units (file->dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
    {
      lc_split_unit_follow (file, &unit);
      if (dwarf_tag (&unit) == DW_TAG_compile_unit)
        {
          guint64 left = lc_entry_limit (&unit);

          collect_variables (variables, &unit, &left, 0);
        }
    }
  g_array_sort (variables->array, order_variables);
  return variables;
}

void
lc_variables_free (LcVariables *variables)
{
  g_array_unref (variables->array);
  g_free (variables);
}

/* The last variable that begins at an address or before it, if it is long enough. */
static const Variable *
find_variable (const LcVariables *variables, guint64 address)
{
  const GArray *array = variables->array;
  guint low = 0, high = array->len;
  const Variable *found;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (array, Variable, middle).begin <= address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  found = &g_array_index (array, Variable, low - 1);
  while (found > &g_array_index (array, Variable, 0) && found[-1].begin == found->begin)
    found--;
  return address - found->begin < found->size ? found : NULL;
}

static char *
dup_by_symbol (const LcCodeSymbol *symbol, guint64 address)
{
  g_autofree char *name = lc_demangle (symbol->name);

  return address == symbol->begin ? g_steal_pointer (&name)
                                  : g_strdup_printf ("%s+%" G_GUINT64_FORMAT, name, address - symbol->begin);
}

char *
lc_variables_dup_name (const LcVariables *variables, guint64 address)
{
  const LcCodeSymbol *symbol = lc_symbol_table_find (variables->symbols->variables, address);
  const Variable *found = find_variable (variables, address);
  g_autofree char *name = NULL;
  Dwarf_Die entry, type;
  GString *path;

  if (found == NULL)
    return symbol != NULL ? dup_by_symbol (symbol, address) : NULL;
  entry = found->entry;
  name = lc_entry_dup_name (&entry, symbol != NULL && symbol->begin == found->begin ? symbol->name : NULL);
  if (name == NULL)
    return symbol != NULL ? dup_by_symbol (symbol, address) : NULL;
  path = g_string_new (name);
  if (type_of (&entry, &type))
    append_members (path, &type, address - found->begin);
  return g_string_free (path, FALSE);
}
