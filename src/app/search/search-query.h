/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of search queries: words, and terms such as object:m2, seq:17, wait>1ms. */
#ifndef LC_APP_SEARCH_QUERY_H
#define LC_APP_SEARCH_QUERY_H

#include <glib.h>

/*
 * Terms are separated by blanks, and an event has to fit all of them; of several operations, objects or processes, one.
 *
 *   word                 whatever has that name: an operation, a class, an object, a process, a place in the source
 *                        (function, file:line, module); a number is a sequence
 *   "two words"          the same, with blanks in it
 *   KEY:NAME             operation, class, object, process, region, tag, from, to, called, marked, or the beginning of
 * one of them; called:PLACE is also in:PLACE, and a place may have a line: in:pipe.cpp:7 KEY:NUMBER           sequence,
 * tag, bytes; also KEY:10..20, KEY>10, KEY<=10; #17 is sequence:17 KEY>DURATION         wait, took; also KEY:DURATION
 * (at least so long), KEY<1ms
 *
 * Terms with an unknown key are words: the names of channels have colons in them.
 */
typedef enum
{
  LC_SEARCH_WORD,
  LC_SEARCH_OPERATION,
  LC_SEARCH_CLASS,
  LC_SEARCH_OBJECT,
  LC_SEARCH_PROCESS,
  LC_SEARCH_FROM,
  LC_SEARCH_TO,
  LC_SEARCH_REGION,
  LC_SEARCH_CALLED,
  LC_SEARCH_MARKED,
  LC_SEARCH_SEQUENCE,
  LC_SEARCH_TAG,
  LC_SEARCH_WAIT,
  LC_SEARCH_LENGTH,
  LC_SEARCH_BYTES,
} LcSearchKind;

typedef struct
{
  LcSearchKind kind;
  char *text;      /* the name; for a number, the text that was typed */
  gboolean number; /* lowest and highest are set */
  gint64 lowest;   /* inclusive, like the highest */
  gint64 highest;
} LcSearchTerm;

/* Parses a query into LcSearchTerm in a new array; empty for blanks. NULL: `problem` is a sentence about what is
 * missing, to be freed. */
GArray *lc_search_query_parse (const char *text, char **problem);

/* Returns a key with an example, for help; keys are not translated. NULL after the last. */
const char *lc_search_query_get_key (guint number, const char **example, const char **meaning);

#endif
