/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations of why a trace cannot be opened, with advice. */
#include "app/open/failure.h"

#include <glib/gi18n.h>

#include "lightcone/history.h"
#include "lightcone/rules.h"
#include "lightcone/trace.h"

typedef struct
{
  const char *title;
  const char *advice;
} Failure;

static const Failure missing = {N_ ("There is no such folder"),
                                N_ ("It may have been moved or renamed, or its disk may not be mounted.")};
static const Failure forbidden = {N_ ("This trace may not be read"),
                                  N_ ("Ask whoever recorded it for the right to read the folder and its files.")};
static const Failure no_trace = {
    N_ ("This is not a trace"),
    N_ ("A trace is the folder that a program was recorded into. Choose that folder itself, "
        "or a file of the trace, not a folder around it.")};
static const Failure later = {N_ ("This trace is of a later version"),
                              N_ ("Open it with the version of Lightcone that recorded it, or with a newer one.")};
static const Failure damaged = {N_ ("This trace is damaged"),
                                N_ ("Without this part of it nothing else can be read. If there is a copy, open that; "
                                    "else record the program again.")};
static const Failure rules = {N_ ("The rules are wrong"),
                              N_ ("Correct the file that is named below, or remove it, then try again.")};
static const Failure full = {
    N_ ("There is no room for the history"),
    N_ ("The history is written into the trace’s folder, or into your cache where that may not "
        "be written. Make room on that disk, then try again.")};
static const Failure unkept = {
    N_ ("The history cannot be made or read"),
    N_ ("It is made anew from the trace when its file is removed and the trace opened again.")};
static const Failure other = {N_ ("This trace cannot be opened"), N_ ("Try again, or open another one.")};

static const Failure *
find_of_trace (int code)
{
  return code == LC_TRACE_ERROR_NOT_A_TRACE ? &no_trace
         : code == LC_TRACE_ERROR_VERSION   ? &later
         : code == LC_TRACE_ERROR_DAMAGED   ? &damaged
                                            : &other;
}

static gboolean
is_any (const GError *error, int file_code, int io_code)
{
  return g_error_matches (error, G_FILE_ERROR, file_code) || g_error_matches (error, G_IO_ERROR, io_code);
}

static const Failure *
failure_find (const GError *error)
{
  if (is_any (error, G_FILE_ERROR_NOENT, G_IO_ERROR_NOT_FOUND))
    return &missing;
  if (is_any (error, G_FILE_ERROR_ACCES, G_IO_ERROR_PERMISSION_DENIED))
    return &forbidden;
  if (is_any (error, G_FILE_ERROR_NOSPC, G_IO_ERROR_NO_SPACE))
    return &full;
  if (error->domain == LC_TRACE_ERROR)
    return find_of_trace (error->code);
  if (error->domain == LC_RULES_ERROR)
    return &rules;
  return error->domain == LC_HISTORY_ERROR ? &unkept : &other;
}

const char *
lc_failure_get_title (const GError *error)
{
  return _ (failure_find (error)->title);
}

char *
lc_failure_dup_text (const GError *error)
{
  return g_strdup_printf ("%s\n\n%s", error->message, _ (failure_find (error)->advice));
}
