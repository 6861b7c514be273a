/* SPDX-License-Identifier: Apache-2.0 */
/* The environment that a program was recorded in. */
#ifndef LIGHTCONE_ENVIRONMENT_FILE_H
#define LIGHTCONE_ENVIRONMENT_FILE_H

#include <glib.h>

G_BEGIN_DECLS

/*
 * Reads the variables that the trace in `directory` has, of which none is Lightcone's own. `environment` is NULL if
 * none were kept, else free it with g_strfreev. FALSE: G_FILE_ERROR, G_IO_ERROR or LC_TRACE_ERROR_DAMAGED.
 */
gboolean lc_environment_file_read (const char *directory, char ***environment, GError **error);

G_END_DECLS

#endif
