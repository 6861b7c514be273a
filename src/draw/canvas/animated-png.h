/* SPDX-License-Identifier: Apache-2.0 */
/* A PNG that moves (APNG): several pictures of one size, of which programs that know no animations show the first. */
#ifndef LC_DRAW_ANIMATED_PNG_H
#define LC_DRAW_ANIMATED_PNG_H

#include <glib.h>

typedef struct _LcAnimatedPng LcAnimatedPng;

/* Begins an animation of `n_frames` pictures, each shown for `seconds`, repeated for ever. */
LcAnimatedPng *lc_animated_png_new (guint n_frames, double seconds);
void lc_animated_png_free (LcAnimatedPng *png);

/* Adds the next picture, a PNG of the same size and format as the first. FALSE: it is none, and nothing is added. */
gboolean lc_animated_png_add (LcAnimatedPng *png, const guint8 *bytes, gsize n_bytes);

/* Gives the file, when all pictures have been added. Unref with g_byte_array_unref. */
GByteArray *lc_animated_png_finish (LcAnimatedPng *png);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcAnimatedPng, lc_animated_png_free)

#endif
