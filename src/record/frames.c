/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .eh_frame: the part of it that finds callers. Nothing is allocated, and no bytes outside the bounds are read.
 */
#include "frames.h"

#include <string.h>

#if defined(__x86_64__)

/* Numbers of the registers. */
enum
{
  FRAME_POINTER = 6,
  STACK_POINTER = 7,
  RETURN_ADDRESS = 16,
};

/* Encodings of addresses. */
enum
{
  ENCODED_ABSOLUTE = 0x00,
  ENCODED_ULEB = 0x01,
  ENCODED_U2 = 0x02,
  ENCODED_U4 = 0x03,
  ENCODED_U8 = 0x04,
  ENCODED_SLEB = 0x09,
  ENCODED_S2 = 0x0A,
  ENCODED_S4 = 0x0B,
  ENCODED_S8 = 0x0C,
  ENCODED_RELATIVE = 0x10,
  ENCODED_INDIRECT = 0x80,
  ENCODED_OMIT = 0xFF,
  SEARCH_TABLE = 0x3B, /* 4 signed bytes from the header on: what linkers write */
};

/* Instructions; the first three have an operand in the lower six bits. */
enum
{
  CFA_ADVANCE_LOC = 0x40,
  CFA_OFFSET = 0x80,
  CFA_RESTORE = 0xC0,
  CFA_NOP = 0x00,
  CFA_SET_LOC,
  CFA_ADVANCE_LOC1,
  CFA_ADVANCE_LOC2,
  CFA_ADVANCE_LOC4,
  CFA_OFFSET_EXTENDED,
  CFA_RESTORE_EXTENDED,
  CFA_UNDEFINED,
  CFA_SAME_VALUE,
  CFA_REGISTER,
  CFA_REMEMBER_STATE,
  CFA_RESTORE_STATE,
  CFA_DEF_CFA,
  CFA_DEF_CFA_REGISTER,
  CFA_DEF_CFA_OFFSET,
  CFA_DEF_CFA_EXPRESSION,
  CFA_EXPRESSION,
  CFA_OFFSET_EXTENDED_SF,
  CFA_DEF_CFA_SF,
  CFA_DEF_CFA_OFFSET_SF,
  CFA_VAL_OFFSET,
  CFA_VAL_OFFSET_SF,
  CFA_VAL_EXPRESSION,
  CFA_GNU_ARGS_SIZE = 0x2E,
  CFA_GNU_NEGATIVE_OFFSET_EXTENDED,
};

enum
{
  OP_DEREF = 0x06,
  OP_BREG0 = 0x70,
};

enum
{
  REMEMBERED = 4, /* states within states */
};

struct table
{
  const unsigned char *at, *end;
  bool is_bad;
};

/* --- Numbers --------------------------------------------------------------------------------------------------- */

static uint64_t
table_number (struct table *table, unsigned int bytes)
{
  uint64_t value = 0;

  if ((size_t)(table->end - table->at) < bytes)
    {
      table->is_bad = true;
      table->at = table->end;
      return 0;
    }
  memcpy (&value, table->at, bytes);
  table->at += bytes;
  return value;
}

static int64_t
table_signed (struct table *table, unsigned int bytes)
{
  uint64_t value = table_number (table, bytes);
  unsigned int shift = 64 - 8 * bytes;

  return (int64_t)(value << shift) >> shift;
}

static uint64_t
table_leb (struct table *table, bool is_signed)
{
  uint64_t value = 0;
  unsigned int shift = 0;
  uint8_t byte;

  do
    {
      byte = (uint8_t)table_number (table, 1);
      if (shift < 64)
        value |= (uint64_t)(byte & 0x7F) << shift;
      shift += 7;
    }
  while ((byte & 0x80) != 0 && !table->is_bad);
  if (is_signed && (byte & 0x40) != 0 && shift < 64)
    value |= ~UINT64_C (0) << shift;
  return value;
}

static uint64_t
table_uleb (struct table *table)
{
  return table_leb (table, false);
}

static int64_t
table_sleb (struct table *table)
{
  return (int64_t)table_leb (table, true);
}

static uint64_t
table_plain (struct table *table, uint8_t encoding)
{
  switch (encoding & 0x0F)
    {
    case ENCODED_ABSOLUTE:
    case ENCODED_U8:
    case ENCODED_S8:
      return table_number (table, 8);
    case ENCODED_ULEB:
      return table_uleb (table);
    case ENCODED_SLEB:
      return (uint64_t)table_sleb (table);
    case ENCODED_U2:
      return table_number (table, 2);
    case ENCODED_U4:
      return table_number (table, 4);
    case ENCODED_S2:
      return (uint64_t)table_signed (table, 2);
    case ENCODED_S4:
      return (uint64_t)table_signed (table, 4);
    default:
      table->is_bad = true;
      return 0;
    }
}

/* Reads an address. Those of functions are absolute, or relative to their own place. */
static uintptr_t
table_address (struct table *table, uint8_t encoding)
{
  uintptr_t place = (uintptr_t)table->at;
  uint64_t value = table_plain (table, encoding);

  if ((encoding & 0x70) == ENCODED_RELATIVE)
    return place + value;
  if ((encoding & 0xF0) != 0)
    table->is_bad = true;
  return value;
}

/* --- Finding a function's entry ------------------------------------------------------------------------------------
 */

static bool
frames_are_within (const struct lc_frame_bounds *bounds, const unsigned char *at, size_t bytes)
{
  return at >= bounds->begin && at <= bounds->end && bytes <= (size_t)(bounds->end - at);
}

/* Finds the entry of the last function that begins at or before the address. */
static const unsigned char *
frames_search (const unsigned char *header, const struct lc_frame_bounds *bounds, uintptr_t address)
{
  struct table table = {header, bounds->end, false};
  uint8_t version = (uint8_t)table_number (&table, 1), frame = (uint8_t)table_number (&table, 1),
          count = (uint8_t)table_number (&table, 1), encoding = (uint8_t)table_number (&table, 1);
  int64_t wanted = (int64_t)(address - (uintptr_t)header);
  uint64_t low = 0, high;
  int32_t pair[2];

  if (version != 1 || frame == ENCODED_OMIT || count == ENCODED_OMIT || encoding != SEARCH_TABLE)
    return NULL;
  table_plain (&table, frame);
  high = table_plain (&table, count);
  if (table.is_bad || high == 0 || high > (size_t)(table.end - table.at) / sizeof pair)
    return NULL;
  while (high - low > 1)
    {
      uint64_t middle = low + (high - low) / 2;

      memcpy (pair, table.at + middle * sizeof pair, sizeof pair);
      if (pair[0] <= wanted)
        low = middle;
      else
        high = middle;
    }
  memcpy (pair, table.at + low * sizeof pair, sizeof pair);
  return pair[0] <= wanted ? header + pair[1] : NULL;
}

/* What the common entry of some functions says. */
struct common
{
  struct table first; /* instructions before each function's own */
  uint64_t code_factor;
  int64_t data_factor;
  uint8_t encoding; /* of addresses */
  bool has_data;    /* further bytes of a known number in each function's entry */
  bool is_signal;
};

/* Limits the table to an entry, whose length it begins with. */
static bool
frames_limit_entry (struct table *table)
{
  uint64_t length = table_number (table, 4);

  if (length == UINT32_MAX)
    length = table_number (table, 8);
  if (table->is_bad || length == 0 || length > (size_t)(table->end - table->at))
    return false;
  table->end = table->at + length;
  return true;
}

static void
frames_read_augmentation (struct table *table, const char *letters, struct common *common)
{
  for (; *letters != '\0' && !table->is_bad; letters++)
    {
      if (*letters == 'R')
        common->encoding = (uint8_t)table_number (table, 1);
      else if (*letters == 'L')
        table_number (table, 1);
      else if (*letters == 'P')
        table_plain (table, (uint8_t)table_number (table, 1));
      else if (*letters == 'S')
        common->is_signal = true;
      else
        table->is_bad = true;
    }
}

static bool
frames_read_common (const unsigned char *at, const struct lc_frame_bounds *bounds, struct common *common)
{
  struct table table = {at, bounds->end, false};
  const char *letters;
  uint8_t version;

  if (!frames_are_within (bounds, at, 4) || !frames_limit_entry (&table) || table_number (&table, 4) != 0)
    return false;
  version = (uint8_t)table_number (&table, 1);
  letters = (const char *)table.at;
  if (table.is_bad || memchr (letters, '\0', (size_t)(table.end - table.at)) == NULL)
    return false;
  table.at += strlen (letters) + 1;
  common->code_factor = table_uleb (&table);
  common->data_factor = table_sleb (&table);
  if ((version == 1 ? table_number (&table, 1) : table_uleb (&table)) != RETURN_ADDRESS)
    return false;
  if (*letters == 'z')
    {
      uint64_t length = table_uleb (&table);
      struct table data = table;

      if (table.is_bad || length > (size_t)(table.end - table.at))
        return false;
      common->has_data = true;
      frames_read_augmentation (&data, letters + 1, common);
      table.at += length;
    }
  else if (*letters != '\0')
    return false;
  common->first = table;
  return !table.is_bad;
}

/* --- Instructions ----------------------------------------------------------------------------------------------------
 */

/* The state of the interpreter. */
struct machine
{
  struct lc_frame_rule rule, first, remembered[REMEMBERED];
  const struct common *common;
  uintptr_t at, wanted;
  unsigned int n_remembered;
  bool is_bad;
};

static void
machine_set_cfa (struct machine *machine, uint64_t number, int64_t offset)
{
  machine->rule.cfa_base = number == STACK_POINTER   ? LC_FRAME_STACK
                           : number == FRAME_POINTER ? LC_FRAME_FRAME
                                                     : LC_FRAME_NONE;
  machine->rule.cfa_offset = (int32_t)offset;
  machine->rule.cfa_is_stored = false;
}

/* Says where a register is saved. Others than the two that matter are ignored. */
static void
machine_save (struct machine *machine, uint64_t number, enum lc_frame_base base, int64_t offset)
{
  if (number == FRAME_POINTER)
    {
      machine->rule.frame_base = (uint8_t)base;
      machine->rule.frame_offset = (int32_t)offset;
    }
  else if (number == RETURN_ADDRESS)
    {
      machine->rule.return_base = (uint8_t)base;
      machine->rule.return_offset = (int32_t)offset;
    }
}

static void
machine_restore (struct machine *machine, uint64_t number)
{
  if (number == FRAME_POINTER)
    {
      machine->rule.frame_base = machine->first.frame_base;
      machine->rule.frame_offset = machine->first.frame_offset;
    }
  else if (number == RETURN_ADDRESS)
    {
      machine->rule.return_base = machine->first.return_base;
      machine->rule.return_offset = machine->first.return_offset;
    }
}

/* Reads an expression of the only form that compilers and signal frames use: a register with an offset, or what is
 * stored there. */
static enum lc_frame_base
machine_expression (struct table *table, int64_t *offset, bool *is_stored)
{
  uint64_t length = table_uleb (table);
  struct table body = *table;
  uint8_t operation;

  if (table->is_bad || length > (size_t)(table->end - table->at))
    {
      table->is_bad = true;
      return LC_FRAME_NONE;
    }
  table->at += length;
  body.end = table->at;
  operation = (uint8_t)table_number (&body, 1);
  if (operation != OP_BREG0 + FRAME_POINTER && operation != OP_BREG0 + STACK_POINTER)
    return LC_FRAME_NONE;
  *offset = table_sleb (&body);
  *is_stored = !body.is_bad && body.at + 1 == body.end && *body.at == OP_DEREF;
  if (body.is_bad || (body.at != body.end && !*is_stored))
    return LC_FRAME_NONE;
  return operation == OP_BREG0 + FRAME_POINTER ? LC_FRAME_FRAME : LC_FRAME_STACK;
}

static void
machine_cfa_expression (struct machine *machine, struct table *table)
{
  int64_t offset = 0;
  bool is_stored = false;

  machine->rule.cfa_base = (uint8_t)machine_expression (table, &offset, &is_stored);
  machine->rule.cfa_offset = (int32_t)offset;
  machine->rule.cfa_is_stored = is_stored;
}

static void
machine_save_expression (struct machine *machine, struct table *table)
{
  uint64_t number = table_uleb (table);
  int64_t offset = 0;
  bool is_stored = false;
  enum lc_frame_base base = machine_expression (table, &offset, &is_stored);

  if (number != FRAME_POINTER && number != RETURN_ADDRESS)
    return;
  if (base == LC_FRAME_NONE || is_stored)
    machine->is_bad = true;
  machine_save (machine, number, base, offset);
}

static void
machine_advance (struct machine *machine, uint64_t by)
{
  machine->at += by * machine->common->code_factor;
}

static void
machine_remember (struct machine *machine)
{
  if (machine->n_remembered < REMEMBERED)
    machine->remembered[machine->n_remembered++] = machine->rule;
  else
    machine->is_bad = true;
}

static void
machine_recall (struct machine *machine)
{
  if (machine->n_remembered > 0)
    machine->rule = machine->remembered[--machine->n_remembered];
  else
    machine->is_bad = true;
}

/* Carries out an instruction about where the CFA or a register is. False: it is none of them. */
static bool
machine_define (struct machine *machine, struct table *table, uint8_t code)
{
  int64_t factor = machine->common->data_factor;
  uint64_t number;

  switch (code)
    {
    case CFA_DEF_CFA:
      number = table_uleb (table);
      machine_set_cfa (machine, number, (int64_t)table_uleb (table));
      return true;
    case CFA_DEF_CFA_SF:
      number = table_uleb (table);
      machine_set_cfa (machine, number, table_sleb (table) * factor);
      return true;
    case CFA_DEF_CFA_REGISTER:
      machine_set_cfa (machine, table_uleb (table), machine->rule.cfa_offset);
      return true;
    case CFA_DEF_CFA_OFFSET:
      machine->rule.cfa_offset = (int32_t)table_uleb (table);
      return true;
    case CFA_DEF_CFA_OFFSET_SF:
      machine->rule.cfa_offset = (int32_t)(table_sleb (table) * factor);
      return true;
    case CFA_DEF_CFA_EXPRESSION:
      machine_cfa_expression (machine, table);
      return true;
    case CFA_EXPRESSION:
      machine_save_expression (machine, table);
      return true;
    case CFA_OFFSET_EXTENDED:
      number = table_uleb (table);
      machine_save (machine, number, LC_FRAME_CFA, (int64_t)table_uleb (table) * factor);
      return true;
    case CFA_OFFSET_EXTENDED_SF:
      number = table_uleb (table);
      machine_save (machine, number, LC_FRAME_CFA, table_sleb (table) * factor);
      return true;
    case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
      number = table_uleb (table);
      machine_save (machine, number, LC_FRAME_CFA, -(int64_t)table_uleb (table) * factor);
      return true;
    case CFA_UNDEFINED:
    case CFA_SAME_VALUE:
      machine_save (machine, table_uleb (table), LC_FRAME_NONE, 0);
      return true;
    case CFA_RESTORE_EXTENDED:
      machine_restore (machine, table_uleb (table));
      return true;
    default:
      return false;
    }
}

/* Carries out one of the other instructions. */
static void
machine_move (struct machine *machine, struct table *table, uint8_t code)
{
  switch (code)
    {
    case CFA_NOP:
      break;
    case CFA_SET_LOC:
      machine->at = table_address (table, machine->common->encoding);
      break;
    case CFA_ADVANCE_LOC1:
      machine_advance (machine, table_number (table, 1));
      break;
    case CFA_ADVANCE_LOC2:
      machine_advance (machine, table_number (table, 2));
      break;
    case CFA_ADVANCE_LOC4:
      machine_advance (machine, table_number (table, 4));
      break;
    case CFA_REMEMBER_STATE:
      machine_remember (machine);
      break;
    case CFA_RESTORE_STATE:
      machine_recall (machine);
      break;
    case CFA_GNU_ARGS_SIZE:
      table_uleb (table);
      break;
    default: /* a register in another, or as a value: not what compilers do with the two that matter */
      machine->is_bad = true;
    }
}

/* Carries out instructions up to those for addresses after the wanted one. */
static void
machine_run (struct machine *machine, struct table *table)
{
  while (table->at < table->end && !table->is_bad && !machine->is_bad)
    {
      uint8_t code = (uint8_t)table_number (table, 1), operand = code & 0x3F;

      if ((code & 0xC0) == CFA_ADVANCE_LOC)
        machine_advance (machine, operand);
      else if ((code & 0xC0) == CFA_OFFSET)
        machine_save (machine, operand, LC_FRAME_CFA, (int64_t)table_uleb (table) * machine->common->data_factor);
      else if ((code & 0xC0) == CFA_RESTORE)
        machine_restore (machine, operand);
      else if (!machine_define (machine, table, code))
        machine_move (machine, table, code);
      if (machine->at > machine->wanted)
        return;
    }
  machine->is_bad |= table->is_bad;
}

bool
lc_frame_rule_find (const void *header, const struct lc_frame_bounds *bounds, uintptr_t address,
                    struct lc_frame_rule *rule)
{
  const unsigned char *entry = frames_are_within (bounds, header, 12) ? frames_search (header, bounds, address) : NULL;
  struct table table = {entry, bounds->end, false};
  struct common common = {.encoding = ENCODED_ABSOLUTE};
  struct machine machine = {.common = &common, .wanted = address};
  const unsigned char *here;

  if (entry == NULL || !frames_are_within (bounds, entry, 8) || !frames_limit_entry (&table))
    return false;
  here = table.at;
  if (!frames_read_common (here - table_number (&table, 4), bounds, &common) || (common.encoding & ENCODED_INDIRECT))
    return false;
  machine.at = table_address (&table, common.encoding);
  if (table.is_bad || address - machine.at >= table_plain (&table, common.encoding & 0x0F))
    return false;
  if (common.has_data)
    {
      uint64_t length = table_uleb (&table);

      if (table.is_bad || length > (size_t)(table.end - table.at))
        return false;
      table.at += length;
    }
  machine.rule.is_signal = common.is_signal;
  machine_run (&machine, &common.first);
  machine.first = machine.rule;
  machine_run (&machine, &table);
  *rule = machine.rule;
  return !machine.is_bad && rule->cfa_base != LC_FRAME_NONE;
}

#else

/* Elsewhere callers are found by frame pointers alone. */
bool
lc_frame_rule_find (const void *header, const struct lc_frame_bounds *bounds, uintptr_t address,
                    struct lc_frame_rule *rule)
{
  (void)header;
  (void)bounds;
  (void)address;
  (void)rule;
  return false;
}

#endif
