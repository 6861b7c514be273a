/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what a process got from outside: what is accepted is given back, as it is in a replayed program. And as
 * the environment of one. The first byte says as which. */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "given-back.h"
#include "lightcone/environment-file.h"
#include "lightcone/given.h"
#include "maker.h"

static const guint8 header[32] = {'L', 'C', 'I', 'N', 'P', 'U', 'T', 'S', LC_INPUTS_VERSION};

/* What an input is. */
enum
{
  OF_ENDED, /* inputs of a process that has ended */
  OF_KILLED,
  ENVIRONMENT,
  KINDS
};

/* A trace of a process that has ended, and one of a process that was killed; made once. */
static struct
{
  char *directory;
  LcTrace *trace;
} traces[2];

static void
traces_remove (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      lc_trace_free (traces[i].trace);
      maker_remove (traces[i].directory);
    }
}

static void
traces_make (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      g_autoptr (Maker) maker = maker_new (0);

      traces[i].directory = maker_directory ();
      maker_mark (maker, LC_TAG, 1, 20);
      maker_header (maker)->state = i == OF_ENDED ? LC_STATE_ENDED : LC_STATE_RUNNING;
      maker_write_metadata (traces[i].directory);
      maker_finish (maker, traces[i].directory);
      traces[i].trace = lc_trace_open (traces[i].directory, NULL);
      g_assert_nonnull (traces[i].trace);
    }
  atexit (traces_remove);
}

/* No process has a number by which a signal would go to others. */
static void
inputs_check (const struct lc_input_record *record)
{
  g_assert_cmpuint (record->how, <, LC_INPUT_HOWS);
  g_assert_nonnull (lc_given_get_name (record->call));
  if (record->call == LC_INPUT_PID || record->call == LC_INPUT_TID)
    g_assert_true (record->result > 0 && record->result <= G_MAXINT32);
  else if (record->call == LC_INPUT_PARENT)
    g_assert_true (record->result >= 0 && record->result <= G_MAXINT32);
}

static void
inputs_follow (const char *path)
{
  g_autofree char *content = NULL;
  struct lc_inputs_plan *plan;
  struct lc_inputs_process *process;
  const struct lc_input_record *record;
  gsize size;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  plan = (struct lc_inputs_plan *)(void *)content;
  lc_given_begin (plan);
  process = (struct lc_inputs_process *)lc_given_find (plan, 0);
  g_assert_nonnull (process);
  while ((record = lc_given_peek (plan, process)) != NULL)
    {
      inputs_check (record);
      process->next += sizeof *record + (record->bytes + G_GUINT64_CONSTANT (7)) / 8 * 8;
      process->done++;
    }
  g_assert_cmpuint (process->done, ==, process->n);
  g_assert_cmpuint (process->next, ==, process->end);
  lc_given_begin (plan);
  given_back (plan, size, 0);
}

static void
inputs_read (guint which, const uint8_t *bytes, size_t size)
{
  g_autofree char *path = g_build_filename (traces[which].directory, "plan", NULL);
  g_autoptr (GError) error = NULL;

  maker_write (traces[which].directory, "inputs-0", bytes, size);
  if (lc_given_write (traces[which].trace, lc_trace_get_process (traces[which].trace, 0)->instance, path, &error))
    inputs_follow (path);
  else
    g_assert_nonnull (strstr (error->message, "inputs-0"));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* What is accepted is what is there, and none of it is one of ours. */
static void
environment_read (const uint8_t *bytes, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) variables = NULL;
  size_t at = 0;

  maker_write (traces[0].directory, "environment", bytes, size);
  if (!lc_environment_file_read (traces[0].directory, &variables, &error))
    {
      g_assert_nonnull (strstr (error->message, "environment"));
      return;
    }
  for (char **variable = variables; *variable != NULL; variable++)
    {
      const size_t length = strlen (*variable) + 1;

      g_assert_true (strchr (*variable, '=') > *variable && !g_str_has_prefix (*variable, "LIGHTCONE_"));
      g_assert_true (size - at >= length && memcmp (bytes + at, *variable, length) == 0);
      at += length;
    }
  g_assert_cmpuint (at, ==, size);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  if (size == 0)
    return 0;
  if (traces[0].trace == NULL)
    traces_make ();
  if (bytes[0] % KINDS == ENVIRONMENT)
    environment_read (bytes + 1, size - 1);
  else
    inputs_read (bytes[0] % KINDS, bytes + 1, size - 1);
  return 0;
}

/* --- What there is to begin with ------------------------------------------------------------------------------------
 */

static void
seed_add (GByteArray *bytes, struct lc_input_record record, const void *data, guint32 size)
{
  static const guint8 zeros[8];

  record.bytes = size;
  g_byte_array_append (bytes, (const guint8 *)&record, sizeof record);
  if (size > 0)
    g_byte_array_append (bytes, data, size);
  g_byte_array_append (bytes, zeros, -size % 8);
}

/* Records of each call, and an environment. */
gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const guint16 calls[] = {
#define X(identifier, number, name) identifier,
      LC_INPUT_CALLS (X)
#undef X
  };
  static const guint8 hows[] = {LC_INPUT_GIVEN, LC_INPUT_FREE, LC_INPUT_DONE, LC_INPUT_FOLLOWED};
  const guint8 how = hows[number / G_N_ELEMENTS (calls) % G_N_ELEMENTS (hows)], killed = number % 2;
  guint8 data[600] = {8, 0, 0, 0, 1, 0, 0, 0, 3};
  gint64 count = 1;

  if (number == G_N_ELEMENTS (calls) * G_N_ELEMENTS (hows))
    g_byte_array_append (bytes, (const guint8 *)"\2HOME=/here\0EMPTY=\0A=b=c", sizeof "\2HOME=/here\0EMPTY=\0A=b=c");
  if (number >= G_N_ELEMENTS (calls) * G_N_ELEMENTS (hows))
    return bytes->len > 0;
  g_byte_array_append (bytes, &killed, 1);
  g_byte_array_append (bytes, header, sizeof header);
  for (guint32 size = 0; size <= sizeof data; size = size * 5 + 8)
    seed_add (bytes,
              (struct lc_input_record){
                  .call = calls[number % G_N_ELEMENTS (calls)], .how = how, .result = count++, .asked = 16},
              data, size);
  return TRUE;
}
