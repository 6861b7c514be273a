/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum CRC-32 of ISO 3309, as links to debugging information and chunks of a PNG have it. */
#ifndef LC_TRACE_CRC_H
#define LC_TRACE_CRC_H

#include <glib.h>

/* Gives the checksum of what `before` is the checksum of (0: of nothing), with these bytes after it. */
guint32 lc_crc (guint32 before, gconstpointer bytes, gsize n_bytes);

#endif
