/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the functions at an address, and their lines, in debugging information. */
#include "frames.h"

#include <dwarf.h>

#include "where/demangle.h"
#include "where/entries.h"
#include "where/library-code.h"
#include "where/split-unit.h"

/* How many ranges of addresses an entry may have, and how many of those before are looked at for one around another. */
#define MOST_RANGES (1 << 20)
#define LOOK_BACK 64

/* Where the code of a unit or function is. */
typedef struct
{
  guint64 begin;
  guint64 end;
  guint32 owner; /* index of the unit, or of the function in its unit */
} Range;

typedef struct
{
  Dwarf_Die entry;
  GArray *ranges;    /* Range of functions, sorted; NULL: not looked at */
  GArray *functions; /* Dwarf_Die */
  guint64 limit;     /* entries that there can be */
} Unit;

struct _LcFrames
{
  LcCodeFile *file;
  const LcSymbolTable *symbols;
  GArray *units;     /* Unit */
  GArray *ranges;    /* Range of units, sorted */
  GHashTable *names; /* Dwarf_Die.addr -> name */
};

static int
order_ranges (gconstpointer a, gconstpointer b)
{
  const Range *left = a, *right = b;

  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return left->end != right->end ? (left->end > right->end ? -1 : 1) : (int)left->owner - (int)right->owner;
}

static void
append_ranges (GArray *ranges, Dwarf_Die *entry, guint32 owner)
{
  Range range = {.owner = owner};
  Dwarf_Addr base, begin, end;
  ptrdiff_t position = 0;

  for (int i = 0; i < MOST_RANGES && (position = dwarf_ranges (entry, position, &base, &begin, &end)) > 0; i++)
    if (begin < end && begin > 0)
      {
        range.begin = begin;
        range.end = end;
        g_array_append_val (ranges, range);
      }
}

/* The smallest of the ranges around an address, among the last that begin before it; NULL: none. */
static const Range *
find_range (const GArray *ranges, guint64 address)
{
  guint low = 0, high = ranges->len;
  const Range *best = NULL;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (ranges, Range, middle).begin <= address)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = low; i > 0 && low - i < LOOK_BACK; i--)
    {
      const Range *range = &g_array_index (ranges, Range, i - 1);

      if (address < range->end && (best == NULL || range->end - range->begin < best->end - best->begin))
        best = range;
    }
  return best;
}

static void
unit_clear (gpointer data)
{
  Unit *unit = data;

  g_clear_pointer (&unit->ranges, g_array_unref);
  g_clear_pointer (&unit->functions, g_array_unref);
}

LcFrames *
lc_frames_new (LcCodeFile *file, const LcSymbolTable *symbols)
{
  LcFrames *frames = g_new0 (LcFrames, 1);
  Dwarf_CU *cu = NULL;
  Unit unit = {.ranges = NULL};

  frames->file = file;
  frames->symbols = symbols;
  frames->units = g_array_new (FALSE, FALSE, sizeof (Unit));
  g_array_set_clear_func (frames->units, unit_clear);
  frames->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  frames->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  while (dwarf_get_units (file->dwarf, cu, &cu, NULL, NULL, &unit.entry, NULL) == 0)
    {
      if (dwarf_tag (&unit.entry) != DW_TAG_compile_unit && dwarf_tag (&unit.entry) != DW_TAG_skeleton_unit)
        continue;
      append_ranges (frames->ranges, &unit.entry, frames->units->len);
      g_array_append_val (frames->units, unit);
    }
  g_array_sort (frames->ranges, order_ranges);
  return frames;
}

void
lc_frames_free (LcFrames *frames)
{
  g_array_unref (frames->units);
  g_array_unref (frames->ranges);
  g_hash_table_unref (frames->names);
  g_free (frames);
}

/* --- Functions -------------------------------------------------------------------------------------------------- */

/* Collects the functions with code in an entry. FALSE: there are more entries than there can be. */
static gboolean
collect_functions (Unit *unit, Dwarf_Die *parent, guint64 *left, int depth)
{
  Dwarf_Die child;

  if (depth > LC_ENTRY_DEPTH || dwarf_child (parent, &child) != 0)
    return TRUE;
  do
    {
      if (*left == 0)
        return FALSE;
      (*left)--;
      if (dwarf_tag (&child) == DW_TAG_subprogram)
        {
          append_ranges (unit->ranges, &child, unit->functions->len);
          g_array_append_val (unit->functions, child);
        }
      if (dwarf_haschildren (&child) > 0 && !collect_functions (unit, &child, left, depth + 1))
        return FALSE;
    }
  while (dwarf_siblingof (&child, &child) == 0);
  return TRUE;
}

static void
look_at_unit (LcFrames *frames, Unit *unit)
{
  guint64 left;

  lc_split_unit_follow (frames->file, &unit->entry);
  left = unit->limit = lc_entry_limit (&unit->entry);
  unit->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  unit->functions = g_array_new (FALSE, FALSE, sizeof (Dwarf_Die));
  if (!collect_functions (unit, &unit->entry, &left, 0))
    g_array_set_size (unit->ranges, 0);
  g_array_sort (unit->ranges, order_ranges);
}

static Unit *
find_unit (LcFrames *frames, guint64 address)
{
  const Range *range = find_range (frames->ranges, address);
  Unit *unit = range != NULL ? &g_array_index (frames->units, Unit, range->owner) : NULL;

  if (unit != NULL && unit->ranges == NULL)
    look_at_unit (frames, unit);
  return unit;
}

/* NULL: the address is in none of the unit's functions. */
static Dwarf_Die *
find_function (Unit *unit, guint64 address)
{
  const Range *range = find_range (unit->ranges, address);

  return range != NULL ? &g_array_index (unit->functions, Dwarf_Die, range->owner) : NULL;
}

/* The part of a function around an address: a block, or what was put into it. */
static gboolean
frames_find_block (Dwarf_Die *parent, guint64 address, guint64 *left, Dwarf_Die *result)
{
  if (dwarf_child (parent, result) != 0)
    return FALSE;
  do
    {
      int tag = dwarf_tag (result);

      if (*left == 0)
        return FALSE;
      (*left)--;
      if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
           tag == DW_TAG_catch_block) &&
          dwarf_haspc (result, address) > 0)
        return TRUE;
    }
  while (dwarf_siblingof (result, result) == 0);
  return FALSE;
}

/* The functions around an address, the outermost first; at most LC_ENTRY_DEPTH. */
static guint
find_functions (Unit *unit, guint64 address, Dwarf_Die *found)
{
  Dwarf_Die *function = find_function (unit, address), part;
  guint64 left = unit->limit;
  guint n = 0;

  if (function == NULL)
    return 0;
  found[n++] = part = *function;
  for (int i = 0; i < 2 * LC_ENTRY_DEPTH && n < LC_ENTRY_DEPTH && frames_find_block (&part, address, &left, &part); i++)
    if (dwarf_tag (&part) == DW_TAG_inlined_subroutine)
      found[n++] = part;
  return n;
}

/* --- Names and lines ---------------------------------------------------------------------------------------------- */

static char *
dup_function_name (LcFrames *frames, Dwarf_Die *function)
{
  const char *known = g_hash_table_lookup (frames->names, function->addr);
  const LcCodeSymbol *symbol = NULL;
  Dwarf_Addr begin;
  char *name;

  if (known != NULL)
    return g_strdup (known);
  if (dwarf_tag (function) == DW_TAG_subprogram && dwarf_lowpc (function, &begin) == 0)
    symbol = lc_symbol_table_find (frames->symbols->functions, begin);
  name = lc_entry_dup_name (function, symbol != NULL && symbol->begin == begin ? symbol->name : NULL);
  if (name != NULL)
    g_hash_table_insert (frames->names, function->addr, g_strdup (name));
  return name;
}

static guint32
number_of (Dwarf_Die *entry, guint attribute)
{
  Dwarf_Attribute found;
  Dwarf_Word value;

  return dwarf_attr_integrate (entry, attribute, &found) != NULL && dwarf_formudata (&found, &value) == 0 &&
                 value <= G_MAXINT32
             ? (guint32)value
             : 0;
}

/* NULL: there is no such file in the unit's table. */
static const char *
name_of_file (Unit *unit, guint32 file)
{
  Dwarf_Files *files;
  size_t n;

  return dwarf_getsrcfiles (&unit->entry, &files, &n) == 0 && file < n ? dwarf_filesrc (files, file, NULL, NULL) : NULL;
}

/* The line that code at an address was made of. */
static void
frames_set_line (Unit *unit, guint64 address, LcFrame *frame)
{
  Dwarf_Line *line = dwarf_getsrc_die (&unit->entry, address);
  int number = 0;

  if (line == NULL)
    return;
  frame->file = dwarf_linesrc (line, NULL, NULL);
  if (dwarf_lineno (line, &number) == 0 && number > 0)
    frame->line = (guint32)number;
}

/* A unit may have no more than lines: of assembly, or if the rest is in another file. */
static gboolean
find_by_symbol (LcFrames *frames, Unit *unit, guint64 address, GArray *result)
{
  const LcCodeSymbol *symbol = lc_symbol_table_find (frames->symbols->functions, address);
  LcFrame frame = {.function = NULL};

  frames_set_line (unit, address, &frame);
  if (frame.line == 0)
    return FALSE;
  frame.function = symbol != NULL ? lc_demangle (symbol->name) : NULL;
  g_array_append_val (result, frame);
  return TRUE;
}

gboolean
lc_frames_find (LcFrames *frames, guint64 address, GArray *result)
{
  Unit *unit = find_unit (frames, address);
  Dwarf_Die functions[LC_ENTRY_DEPTH];
  guint n = unit != NULL ? find_functions (unit, address, functions) : 0;
  LcFrame frame = {.function = NULL};

  if (n == 0)
    return unit != NULL && find_by_symbol (frames, unit, address, result);
  frames_set_line (unit, address, &frame);
  for (guint i = n; i > 0; i--)
    {
      frame.function = dup_function_name (frames, &functions[i - 1]);
      g_array_append_val (result, frame);
      frame.line = number_of (&functions[i - 1], DW_AT_call_line);
      frame.file = name_of_file (unit, number_of (&functions[i - 1], DW_AT_call_file));
    }
  return TRUE;
}

/*
 * Sets where a function is declared. What gcc makes of a lambda is declared with its class only, and of a parallel
 * region nowhere: that begins at its first line.
 */
static void
frames_set_declaration (Unit *unit, Dwarf_Die *function, LcFrame *frame)
{
  Dwarf_Die scope;
  Dwarf_Addr begin;

  frame->file = lc_entry_get_file (function);
  frame->line = number_of (function, DW_AT_decl_line);
  if (frame->line == 0 && lc_entry_find_class (function, &scope))
    {
      frame->file = lc_entry_get_file (&scope);
      frame->line = number_of (&scope, DW_AT_decl_line);
    }
  if ((frame->file == NULL || frame->line == 0) && dwarf_entrypc (function, &begin) == 0)
    frames_set_line (unit, begin, frame);
}

/* Sets the outermost function at an address that is no library's. FALSE: there is none. */
static gboolean
frames_find_own (LcFrames *frames, Unit *unit, guint64 address, LcFrame *frame)
{
  Dwarf_Die functions[LC_ENTRY_DEPTH];
  guint n = find_functions (unit, address, functions);

  for (guint i = 0; i < n; i++)
    {
      frame->function = dup_function_name (frames, &functions[i]);
      frames_set_declaration (unit, &functions[i], frame);
      if (!lc_is_library_code (NULL, frame->function, frame->file))
        return TRUE;
      g_clear_pointer (&frame->function, g_free);
    }
  return FALSE;
}

/* An address may be that to which a call returns, and so the first one behind what was put there. */
gboolean
lc_frames_find_entry (LcFrames *frames, guint64 address, GArray *result)
{
  Unit *unit = find_unit (frames, address);
  Dwarf_Die *function = unit != NULL ? find_function (unit, address) : NULL;
  LcFrame frame = {.function = NULL};

  if (function == NULL)
    return unit != NULL && find_by_symbol (frames, unit, address, result);
  if (!frames_find_own (frames, unit, address, &frame) &&
      !(dwarf_haspc (function, address - 1) > 0 && frames_find_own (frames, unit, address - 1, &frame)))
    {
      frame.function = dup_function_name (frames, function);
      frames_set_declaration (unit, function, &frame);
    }
  g_array_append_val (result, frame);
  return TRUE;
}
