/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the CTF metadata from the table of operations, and reads back the values that differ between traces. */
#include "ctf-metadata.h"

#include <string.h>

#include "operations.h"
#include "timescale.h"

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

void
lc_ctf_description_clear (LcCtfDescription *description)
{
  g_clear_pointer (&description->hostname, g_free);
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

/*
 * `name` is declared to reach up to first_ordinal, which hides the fields in between: for CTF readers a text ends at
 * its first zero byte. A field with a larger alignment would align the whole packet context.
 */
#define HIDDEN_NAME (G_STRUCT_OFFSET (struct lc_packet, first_ordinal) - (G_STRUCT_OFFSET (struct lc_packet, name)))

/* Sizes that are not powers of two have an alignment of one bit, because Babeltrace 1 reads no others. */
static const char types[] = "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
                            "typealias integer { size = 8; align = 8; signed = false; base = 16; } := flags_t;\n"
                            "typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := text_t;\n"
                            "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
                            "typealias integer { size = 24; align = 1; signed = false; } := uint24_t;\n"
                            "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
                            "typealias integer { size = 40; align = 1; signed = false; } := uint40_t;\n"
                            "typealias integer { size = 56; align = 1; signed = false; } := uint56_t;\n"
                            "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n";

static void
append_text (GString *out, const char *key, const char *text)
{
  g_string_append_printf (out, "  %s = \"", key);
  for (; *text != '\0'; text++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_c (out, '\\');
      if (!g_ascii_iscntrl (*text))
        g_string_append_c (out, *text);
    }
  g_string_append (out, "\";\n");
}

static void
append_uuid (GString *out, const guint8 *uuid)
{
  for (guint i = 0; i < 16; i++)
    g_string_append_printf (out, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
}

/* A text that is cut between two events is as good as any other, so the head says how many there are. */
static guint
ctf_metadata_count_events (void)
{
  guint n = 0;

  for (guint i = 0; i < LC_OPERATION_END; i++)
    n += lc_operations[i].name != NULL;
  return n;
}

static void
append_trace (GString *out, const LcCtfDescription *description)
{
  g_string_append (out, "trace {\n  major = 1;\n  minor = 8;\n  uuid = \"");
  append_uuid (out, description->uuid);
  g_string_append (out, "\";\n"
                        "  byte_order = le;\n"
                        "  packet.header := struct {\n"
                        "    uint32_t magic;\n"
                        "    uint8_t uuid[16];\n"
                        "    uint32_t stream_id;\n"
                        "  };\n"
                        "};\n\nenv {\n");
  if (description->hostname != NULL)
    append_text (out, "hostname", description->hostname);
  append_text (out, "tracer_name", "lightcone");
  g_string_append_printf (out, "  tracer_major = %d;\n  tracer_minor = %d;\n", LC_VERSION_MAJOR, LC_VERSION_MINOR);
  g_string_append_printf (out, "  lightcone_format = %d;\n", LC_FORMAT_VERSION);
  g_string_append_printf (out, "  recording_start = %" G_GUINT64_FORMAT ";\n", description->start);
  g_string_append_printf (out, "  recording_epoch = %" G_GINT64_FORMAT ";\n", description->epoch);
  g_string_append_printf (out, "  lightcone_event_classes = %u;\n", ctf_metadata_count_events ());
  g_string_append (out, "};\n\n");
}

/* A tick's wall-clock time is offset_s + (offset + tick) / freq. */
static void
append_clock (GString *out, const LcCtfDescription *description)
{
  LcWide uptime = (LcWide)description->start * NS_PER_SECOND / description->frequency;
  gint64 zero = description->epoch - (gint64)MIN (uptime, (LcWide)G_MAXINT64 / 2);
  gint64 seconds = zero / NS_PER_SECOND - (zero % NS_PER_SECOND < 0);
  guint64 rest = (guint64)(zero - seconds * NS_PER_SECOND);

  g_string_append_printf (out,
                          "clock {\n"
                          "  name = \"recording\";\n"
                          "  description = \"%s\";\n"
                          "  freq = %" G_GUINT64_FORMAT ";\n"
                          "  offset_s = %" G_GINT64_FORMAT ";\n"
                          "  offset = %" G_GUINT64_FORMAT ";\n"
                          "};\n\n",
                          description->tsc ? "time stamp counter" : "CLOCK_MONOTONIC", description->frequency, seconds,
                          lc_scale (rest, description->frequency, NS_PER_SECOND));
}

static void
append_stream (GString *out)
{
  g_string_append_printf (
      out,
      "typealias integer { size = 64; align = 8; signed = false; map = clock.recording.value; } := ticks_t;\n\n"
      "stream {\n"
      "  id = 0;\n"
      "  packet.context := struct {\n"
      "    ticks_t timestamp_begin;\n"
      "    ticks_t timestamp_end;\n"
      "    uint64_t content_size;\n"
      "    uint64_t packet_size;\n"
      "    uint64_t packet_seq_num;\n"
      "    uint64_t events_discarded;\n"
      "    uint32_t process;\n"
      "    uint32_t instance;\n"
      "    uint32_t pid;\n"
      "    uint32_t thread;\n"
      "    text_t name[%d];\n"
      "    uint64_t first_ordinal;\n"
      "    uint64_t format_version;\n"
      "  };\n"
      "  event.header := struct {\n"
      "    ticks_t timestamp;\n"
      "    uint16_t id;\n"
      "  };\n"
      "};\n",
      (int)HIDDEN_NAME);
}

static void
append_events (GString *out)
{
  static const char *const fields[] = {
      [LC_LAYOUT_SYNC] = "uint32_t object; uint56_t duration; flags_t flags; uint40_t sequence; uint24_t value; "
                         "uint32_t site; uint32_t detail;",
      [LC_LAYOUT_MESSAGE] = "uint32_t object; uint56_t duration; flags_t flags; uint32_t sequence; uint32_t bytes; "
                            "uint32_t site; uint32_t detail;",
      [LC_LAYOUT_COLLECTIVE] = "uint32_t object; uint56_t duration; flags_t flags; uint40_t sequence; uint24_t value; "
                               "uint32_t site; uint32_t detail; uint64_t bytes;",
      [LC_LAYOUT_MARK] = "uint32_t object;",
      [LC_LAYOUT_TAG] = "uint32_t value; uint32_t site; uint32_t text;",
  };

  for (guint i = 0; i < LC_OPERATION_END; i++)
    {
      const LcOperationInfo *operation = &lc_operations[i];

      if (operation->name == NULL)
        continue;
      g_string_append_printf (out,
                              "\nevent {\n"
                              "  id = %u;\n"
                              "  name = \"%s\";\n"
                              "  stream_id = 0;\n"
                              "  fields := struct { uint16_t cpu; %s };\n"
                              "};\n",
                              i, operation->name, fields[operation->layout]);
    }
}

char *
lc_ctf_metadata_write (const LcCtfDescription *description)
{
  GString *out = g_string_new ("/* CTF 1.8 */\n\n");

  g_string_append (out, types);
  g_string_append_c (out, '\n');
  append_trace (out, description);
  append_clock (out, description);
  append_stream (out);
  append_events (out);
  return g_string_free (out, FALSE);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *next, *end;
  GString *token; /* without quotes; empty at the end of the text */
  gboolean quoted;
} Lexer;

static void
skip_blank (Lexer *lexer)
{
  while (lexer->next < lexer->end)
    {
      gsize left = (gsize)(lexer->end - lexer->next);
      const char *close = NULL;

      if (g_ascii_isspace (*lexer->next))
        lexer->next++;
      else if (left >= 2 && memcmp (lexer->next, "/*", 2) == 0)
        {
          close = memmem (lexer->next + 2, left - 2, "*/", 2);
          lexer->next = close != NULL ? close + 2 : lexer->end;
        }
      else
        break;
    }
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-' || c == '.';
}

static gboolean
next_token (Lexer *lexer)
{
  skip_blank (lexer);
  g_string_truncate (lexer->token, 0);
  lexer->quoted = lexer->next < lexer->end && *lexer->next == '"';
  if (lexer->quoted)
    {
      for (lexer->next++; lexer->next < lexer->end && *lexer->next != '"'; lexer->next++)
        {
          if (*lexer->next == '\\' && lexer->next + 1 < lexer->end)
            lexer->next++;
          g_string_append_c (lexer->token, *lexer->next);
        }
      lexer->next += lexer->next < lexer->end;
      return TRUE;
    }
  while (lexer->next < lexer->end && is_word (*lexer->next))
    g_string_append_c (lexer->token, *lexer->next++);
  if (lexer->token->len == 0 && lexer->next < lexer->end)
    g_string_append_c (lexer->token, *lexer->next++);
  return lexer->token->len > 0;
}

static gboolean
read_uuid (const char *text, guint8 *uuid)
{
  guint digits = 0;

  if (!g_uuid_string_is_valid (text))
    return FALSE;
  for (; *text != '\0'; text++)
    {
      if (*text == '-')
        continue;
      uuid[digits / 2] = (guint8)((guint)uuid[digits / 2] << 4 | (guint)g_ascii_xdigit_value (*text));
      digits++;
    }
  return TRUE;
}

static LcCtfParts
ctf_metadata_take_value (const char *key, const char *value, LcCtfDescription *description, guint64 *format)
{
  guint64 number = 0;
  gboolean is_number = g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT64, &number, NULL);

  if (g_str_equal (key, "trace.uuid"))
    return read_uuid (value, description->uuid) ? LC_CTF_HAS_UUID : 0;
  if (g_str_equal (key, "env.tracer_name"))
    return g_str_equal (value, "lightcone") ? LC_CTF_HAS_TRACER : 0;
  if (g_str_equal (key, "env.hostname"))
    {
      g_free (description->hostname);
      description->hostname = g_utf8_make_valid (value, -1);
    }
  else if (g_str_equal (key, "clock.description"))
    description->tsc = g_str_equal (value, "time stamp counter");
  else if (g_str_equal (key, "env.recording_epoch"))
    description->epoch = g_ascii_strtoll (value, NULL, 10);
  else if (g_str_equal (key, "clock.freq") && is_number && number > 0)
    {
      description->frequency = number;
      return LC_CTF_HAS_FREQUENCY;
    }
  else if (g_str_equal (key, "env.recording_start") && is_number)
    {
      description->start = number;
      return LC_CTF_HAS_START;
    }
  else if (g_str_equal (key, "env.lightcone_format") && is_number)
    {
      *format = number;
      return LC_CTF_HAS_FORMAT;
    }
  return 0;
}

/* What of the text has been read. */
typedef struct
{
  LcCtfDescription *description;
  guint64 *format;
  LcCtfParts parts;
  guint depth;
  GString *block;           /* the word before the outermost brace: what the statement declares */
  gboolean in_statement;    /* one has begun and not ended */
  guint streams, events;    /* declared so far */
  guint64 announced_events; /* 0: the text does not say */
} MetadataReading;

static void
ctf_metadata_end_statement (MetadataReading *reading)
{
  reading->in_statement = FALSE;
  reading->streams += g_str_equal (reading->block->str, "stream");
  reading->events += g_str_equal (reading->block->str, "event");
  g_string_truncate (reading->block, 0);
}

/* Reads what follows the equals sign of `word`, which is a value or a structure. A value cut off by the end of the text
 * is ignored. */
static void
ctf_metadata_read_value (MetadataReading *reading, Lexer *lexer, GString *word)
{
  g_autofree char *key = g_strconcat (reading->block->str, ".", word->str, NULL);

  if (next_token (lexer))
    g_string_assign (word, lexer->token->str);
  if (next_token (lexer) && g_str_equal (lexer->token->str, ";"))
    {
      if (g_str_equal (key, "env.lightcone_event_classes"))
        reading->announced_events = g_ascii_strtoull (word->str, NULL, 10);
      reading->parts |= ctf_metadata_take_value (key, word->str, reading->description, reading->format);
    }
  else if (g_str_equal (lexer->token->str, "{"))
    reading->depth++;
}

static void
ctf_metadata_read_token (MetadataReading *reading, Lexer *lexer, GString *word)
{
  char sign = lexer->quoted || lexer->token->len != 1 ? '\0' : lexer->token->str[0];

  reading->in_statement = TRUE;
  if (sign == '{' && reading->depth++ == 0)
    g_string_assign (reading->block, word->str);
  else if (sign == '}')
    reading->depth -= reading->depth > 0;
  else if (sign == '=' && reading->depth == 1)
    ctf_metadata_read_value (reading, lexer, word);
  else if (sign == ';' && reading->depth == 0)
    ctf_metadata_end_statement (reading);
  else if (!lexer->quoted)
    g_string_assign (word, lexer->token->str);
}

static gboolean
ctf_metadata_is_whole (const MetadataReading *reading)
{
  return !reading->in_statement && reading->streams > 0 && reading->events >= MAX (reading->announced_events, 1);
}

LcCtfParts
lc_ctf_metadata_read (const char *text, gsize length, LcCtfDescription *description, guint64 *format)
{
  Lexer lexer = {.next = text, .end = text + length, .token = g_string_new (NULL)};
  g_autoptr (GString) block = g_string_new (NULL);
  g_autoptr (GString) word = g_string_new (NULL);
  MetadataReading reading = {.description = description, .format = format, .block = block};

  while (next_token (&lexer))
    ctf_metadata_read_token (&reading, &lexer, word);
  g_string_free (lexer.token, TRUE);
  return reading.parts | (ctf_metadata_is_whole (&reading) ? LC_CTF_IS_WHOLE : 0);
}
