/* SPDX-License-Identifier: Apache-2.0 */
/* The metadata text that describes the streams to any CTF reader, and the values that our own reader takes from it. */
#ifndef LC_TRACE_CTF_METADATA_H
#define LC_TRACE_CTF_METADATA_H

#include <glib.h>

typedef struct
{
  guint8 uuid[16];
  gboolean tsc;
  guint64 frequency; /* ticks a second */
  guint64 start;     /* ticks when the recording began */
  gint64 epoch;      /* the same moment, in ns of the Unix epoch */
  char *hostname;    /* or NULL */
} LcCtfDescription;

void lc_ctf_description_clear (LcCtfDescription *description);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcCtfDescription, lc_ctf_description_clear)

/* The parts that the text has. */
typedef enum
{
  LC_CTF_HAS_TRACER = 1 << 0, /* the trace was written by Lightcone */
  LC_CTF_HAS_UUID = 1 << 1,
  LC_CTF_HAS_FREQUENCY = 1 << 2,
  LC_CTF_HAS_START = 1 << 3,
  LC_CTF_HAS_FORMAT = 1 << 4,
  LC_CTF_HAS_ALL = (1 << 5) - 1,
  LC_CTF_IS_WHOLE = 1 << 5, /* the text does not end too early */
} LcCtfParts;

char *lc_ctf_metadata_write (const LcCtfDescription *description);

/* Reads the metadata, and never fails: values that are missing stay unchanged. `format` is set to the version of the
 * binary layout. */
LcCtfParts lc_ctf_metadata_read (const char *text, gsize length, LcCtfDescription *description, guint64 *format);

#endif
