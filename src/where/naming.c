/* SPDX-License-Identifier: Apache-2.0 */
/* What objects are called after where they are, and what is said of modules that tell too little. */
#include "naming.h"

#include "where/library-code.h"
#include "where/package.h"

gboolean
lc_wants_name (const LcTraceObject *object)
{
  if (object->name != NULL || object->kind == LC_KIND_MPI || object->process != LC_TRACE_NONE)
    return FALSE;
  return (object->object_class > LC_CLASS_NONE && object->object_class < LC_CLASS_THREAD) ||
         object->object_class == LC_CLASS_FUTEX || object->object_class == LC_CLASS_TEAM ||
         object->object_class == LC_CLASS_TASK;
}

char *
lc_dup_name_by_site (const char *class_name, const LcWhereSite *site, const char *module)
{
  const char *what = class_name != NULL ? class_name : "object";
  g_autofree char *file = site->file != NULL ? g_path_get_basename (site->file) : NULL;
  g_autofree char *base = module != NULL ? g_path_get_basename (module) : NULL;

  if (site->function != NULL && file != NULL && site->line > 0)
    return g_strdup_printf ("%s of %s %s:%u", what, site->function, file, site->line);
  if (site->function != NULL)
    return g_strdup_printf ("%s of %s", what, site->function);
  if (file != NULL && site->line > 0)
    return g_strdup_printf ("%s of %s:%u", what, file, site->line);
  return base != NULL ? g_strdup_printf ("%s at %s+0x%" G_GINT64_MODIFIER "x", what, base, site->offset) : NULL;
}

gboolean
lc_is_packaged (const char *path)
{
  static const char *const folders[] = {"/usr/", "/lib", "/bin/", "/sbin/"};

  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_str_has_prefix (path, folders[i]))
      return !g_str_has_prefix (path, "/usr/local/");
  return lc_is_library_module (path);
}

static char *
dup_bare (const char *path)
{
  g_autofree char *package = lc_is_packaged (path) ? lc_dup_package (path, LC_PACKAGE_LISTS) : NULL;

  if (package != NULL)
    return g_strdup_printf (
        "%s has no debugging information: install that of its package %s (%s-dbgsym or %s-dbg) to see its files and "
        "lines",
        path, package, package, package);
  return g_strdup_printf (
      lc_is_packaged (path) ? "%s has no debugging information: install that of its package to see its files and lines"
                            : "%s has no debugging information: compile it with -g to see its files and lines",
      path);
}

char *
lc_dup_problem (const char *path, LcCodeState state)
{
  switch (state)
    {
    case LC_CODE_SPLIT:
      return g_strdup_printf (
          "%s has its debugging information in .dwo files, of which some are not where they were made: merge "
          "the trace there, or compile it without -gsplit-dwarf, to see all its functions and "
          "variables",
          path);
    case LC_CODE_BARE:
      return dup_bare (path);
    case LC_CODE_OTHER:
      return g_strdup_printf (
          "%s is another version than the one that was recorded, and tells nothing: merge the trace "
          "where that version is",
          path);
    case LC_CODE_KEPT:
      return g_strdup_printf ("%s is not the one that was recorded any more: its functions and lines are those that an "
                              "earlier merge found",
                              path);
    case LC_CODE_MISSING:
      return g_strdup_printf ("%s is not there, or is no file of code: merge the trace where the program is", path);
    case LC_CODE_GOOD:
    default:
      return NULL;
    }
}
