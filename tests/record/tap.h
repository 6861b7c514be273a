/* SPDX-License-Identifier: Apache-2.0 */
/* The Test Anything Protocol, for tests of what must not need GLib. */
#ifndef LC_TEST_TAP_H
#define LC_TEST_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned int tap_count, tap_failed;

/* One line of the result; returns whether it is good. */
__attribute__ ((format (printf, 2, 3), unused)) static bool
tap_ok (bool good, const char *format, ...)
{
  va_list arguments;

  printf ("%sok %u - ", good ? "" : "not ", ++tap_count);
  va_start (arguments, format);
  vprintf (format, arguments);
  va_end (arguments);
  printf ("\n");
  fflush (stdout);
  if (!good)
    tap_failed++;
  return good;
}

__attribute__ ((format (printf, 1, 2), unused)) static void
tap_skip (const char *format, ...)
{
  va_list arguments;

  printf ("ok %u # SKIP ", ++tap_count);
  va_start (arguments, format);
  vprintf (format, arguments);
  va_end (arguments);
  printf ("\n");
}

/* Every line of a text as a comment. */
__attribute__ ((unused)) static void
tap_note (const char *text)
{
  for (const char *line = text, *end; *line != '\0'; line = *end != '\0' ? end + 1 : end)
    {
      end = line + strcspn (line, "\n");
      printf ("# %.*s\n", (int)(end - line), line);
    }
}

__attribute__ ((unused)) static void
tap_same (const char *actual, const char *expected, const char *what)
{
  if (tap_ok (strcmp (actual, expected) == 0, "%s", what))
    return;
  printf ("# expected:\n");
  tap_note (expected);
  printf ("# actual:\n");
  tap_note (actual);
}

/* What main returns. */
__attribute__ ((unused)) static int
tap_end (void)
{
  printf ("1..%u\n", tap_count);
  return tap_failed > 0;
}

#endif
