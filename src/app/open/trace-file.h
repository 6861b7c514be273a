/* SPDX-License-Identifier: Apache-2.0 */
/* Files that lead to a trace: those that lie in its folder. */
#ifndef LC_APP_TRACE_FILE_H
#define LC_APP_TRACE_FILE_H

#include <gio/gio.h>

/* Finds the folder of the trace that a file belongs to, by its name; of a folder, and of any other file, it is that
 * itself. Free with g_object_unref. */
GFile *lc_trace_file_find_folder (GFile *file);

#endif
