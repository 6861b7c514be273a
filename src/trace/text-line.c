/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a line of a text trace. */
#include "text-line.h"

#include <string.h>

#include "operations.h"

typedef struct
{
  const char *name;
  guint16 flag;
} Flag;

/* Keys whose value is 0 or 1. */
static const Flag flags[] = {
    {"blind", LC_TRACE_EVENT_BLIND},   {"contended", LC_EVENT_CONTENDED}, {"interrupted", LC_EVENT_INTERRUPTED},
    {"cancelled", LC_EVENT_CANCELLED}, {"timed-out", LC_EVENT_TIMED_OUT}, {"owner-died", LC_EVENT_OWNER_DIED},
    {"unknown", LC_EVENT_UNKNOWN},     {"again", LC_EVENT_AGAIN},         {"fork", LC_EVENT_FORK},
    {"tried", LC_EVENT_TRIED},         {"trapped", LC_EVENT_TRAPPED},
};

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static gboolean
next_word (const char **next, const char *end, LcWord *word)
{
  while (*next < end && is_blank (**next))
    (*next)++;
  word->bytes = *next;
  while (*next < end && !is_blank (**next))
    (*next)++;
  word->length = (gsize)(*next - word->bytes);
  if (word->length == 0)
    word->bytes = NULL;
  return word->length > 0;
}

static gboolean
text_line_is_pair (const LcWord *word)
{
  return memchr (word->bytes, '=', word->length) != NULL;
}

static gboolean
text_line_equals (const LcWord *word, const char *text)
{
  return strlen (text) == word->length && memcmp (word->bytes, text, word->length) == 0;
}

static gboolean
read_unsigned (const LcWord *word, guint64 limit, guint64 *result)
{
  guint64 value = 0;

  if (word->bytes == NULL || word->length == 0)
    return FALSE;
  for (gsize i = 0; i < word->length; i++)
    {
      if (!g_ascii_isdigit (word->bytes[i]) || __builtin_mul_overflow (value, 10, &value) ||
          __builtin_add_overflow (value, (guint64)(word->bytes[i] - '0'), &value))
        return FALSE;
    }
  if (value > limit)
    return FALSE;
  *result = value;
  return TRUE;
}

static gboolean
read_signed (const LcWord *word, gint64 *result)
{
  LcWord digits = *word;
  guint64 value;
  gboolean negative = word->length > 0 && word->bytes[0] == '-';

  digits.bytes += negative;
  digits.length -= negative;
  if (!read_unsigned (&digits, G_MAXINT64, &value))
    return FALSE;
  *result = negative ? -(gint64)value : (gint64)value;
  return TRUE;
}

static void
text_line_count (const LcTextPlace *place, LcProblemKind kind, const LcWord *word)
{
  int length = (int)MIN (word->length, 80);

  if (length > 0)
    lc_problems_count (place->problems, kind, place->file, place->number, "%.*s", length, word->bytes);
  else
    lc_problems_count (place->problems, kind, place->file, place->number, NULL);
}

/* FALSE: there is no such key. Sets `good` if the value is valid. */
static gboolean
read_flag (LcTextLine *line, const LcWord *key, const LcWord *value, gboolean *good)
{
  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      guint64 on = 0;

      if (!text_line_equals (key, flags[i].name))
        continue;
      *good = read_unsigned (value, 1, &on);
      if (*good && on)
        line->flags |= flags[i].flag;
      return TRUE;
    }
  return FALSE;
}

static void
read_pair (LcTextLine *line, const LcWord *word, const LcTextPlace *place)
{
  const char *sign = memchr (word->bytes, '=', word->length);
  LcWord key = {word->bytes, (gsize)(sign - word->bytes)};
  LcWord value = {sign + 1, word->length - key.length - 1};
  guint64 number = 0;
  gboolean good = TRUE;

  if (text_line_equals (&key, "value"))
    {
      good = read_signed (&value, &line->value);
      line->flags |= good ? LC_TRACE_EVENT_VALUE : 0;
    }
  else if (text_line_equals (&key, "bytes"))
    {
      good = read_unsigned (&value, G_MAXINT64, &line->bytes);
      line->flags |= good ? LC_TRACE_EVENT_BYTES : 0;
    }
  else if (text_line_equals (&key, "to") || text_line_equals (&key, "from"))
    {
      good = read_unsigned (&value, LC_TRACE_NONE - 1, &number);
      line->peer = good ? (guint32)number : line->peer;
    }
  else if (text_line_equals (&key, "cpu"))
    {
      good = read_unsigned (&value, LC_CPU_UNKNOWN, &number);
      line->cpu = good ? (guint16)number : line->cpu;
    }
  else if (text_line_equals (&key, "at"))
    line->at = value;
  else if (!read_flag (line, &key, &value, &good))
    text_line_count (place, LC_PROBLEM_TEXT_KEY, word);
  if (!good)
    text_line_count (place, LC_PROBLEM_TEXT_VALUE, word);
}

/* An object without a sequence is valid if its operation has none or is unknown. */
static gboolean
needs_sequence (const LcWord *operation)
{
  enum lc_operation number = lc_operation_find (operation->bytes, operation->length);

  return number != LC_NO_OPERATION && (lc_operations[number].flags & LC_TRACE_EVENT_SEQUENCE) != 0;
}

gboolean
lc_text_line_read (LcTextLine *result, const char *line, gsize length, const LcTextPlace *place)
{
  const char *next = line, *end = line + length;
  LcWord first, second, word;

  *result = (LcTextLine){.peer = LC_TRACE_NONE, .cpu = LC_CPU_UNKNOWN};
  next_word (&next, end, &first);
  if (!next_word (&next, end, &second) || !read_unsigned (&first, G_MAXUINT64, &result->begin) ||
      !read_unsigned (&second, G_MAXUINT64, &result->end))
    {
      text_line_count (place, LC_PROBLEM_TEXT_TIME, &(LcWord){line, length});
      return FALSE;
    }
  if (!next_word (&next, end, &result->operation) || text_line_is_pair (&result->operation))
    {
      text_line_count (place, LC_PROBLEM_TEXT_OPERATION, &(LcWord){line, length});
      return FALSE;
    }
  next_word (&next, end, &word);
  if (word.bytes != NULL && !text_line_is_pair (&word))
    {
      result->object = word;
      next_word (&next, end, &word);
      if (word.bytes != NULL && text_line_equals (&word, "-"))
        next_word (&next, end, &word);
      else if (word.bytes != NULL && !text_line_is_pair (&word) && read_signed (&word, &result->sequence))
        {
          result->flags |= LC_TRACE_EVENT_SEQUENCE;
          next_word (&next, end, &word);
        }
      else if (needs_sequence (&result->operation) || (word.bytes != NULL && !text_line_is_pair (&word)))
        {
          text_line_count (place, LC_PROBLEM_TEXT_SEQUENCE, &(LcWord){line, length});
          return FALSE;
        }
    }
  for (; word.bytes != NULL; next_word (&next, end, &word))
    {
      if (text_line_is_pair (&word))
        read_pair (result, &word, place);
      else
        text_line_count (place, LC_PROBLEM_TEXT_WORD, &word);
    }
  return TRUE;
}

gboolean
lc_text_line_read_absence (LcAbsence *result, const char *line, gsize length)
{
  const char *next = line, *end = line + length;
  LcWord first, second, kind, rest;
  guint64 begin, until;

  next_word (&next, end, &first);
  next_word (&next, end, &second);
  next_word (&next, end, &kind);
  if (kind.bytes == NULL || next_word (&next, end, &rest) || !read_unsigned (&first, LC_TIME_LIMIT - 1, &begin) ||
      !read_unsigned (&second, LC_TIME_LIMIT - 1, &until) || until < begin)
    return FALSE;
  *result = (LcAbsence){(gint64)begin, (gint64)until, LC_ABSENCE_BLOCKED};
  if (text_line_equals (&kind, "preempted"))
    result->kind = LC_ABSENCE_PREEMPTED;
  return result->kind == LC_ABSENCE_PREEMPTED || text_line_equals (&kind, "blocked");
}
