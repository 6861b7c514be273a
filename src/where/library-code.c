/* SPDX-License-Identifier: Apache-2.0 */
/* Tells code of a language's or the system's library from what a program's author wrote. */
#include "library-code.h"

#include <string.h>

#include "lightcone/trace-format.h"

static const char *const library_names[] = {
#define X(name) name,
    LC_RUNTIME_MODULES (X)
#undef X
};

/* What the paths of their headers and sources begin with. */
static const char *const header_folders[] = {"/usr/include/",     "/usr/lib/gcc/",      "/usr/lib/llvm",
                                             "library/core/src/", "library/alloc/src/", "library/std/src/"};

/* Parts of the paths of headers and sources of languages' libraries, wherever they are installed. */
static const char *const header_parts[] = {"/include/c++/", "/lib/gcc/", "/lib/rustlib/src/"};

/* Where the C library's own sources are, as it was compiled. */
static const char *const libc_folders[] = {"./nptl/", "./csu/", "./misc/", "../sysdeps/", "../nptl/", "../csu/"};

static const char *const namespaces[] = {"std::", "__gnu_cxx::", "__gthread_", "__cxxabiv1::", "core::", "alloc::"};

static gboolean
begins_with_any (const char *text, const char *const *prefixes, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (g_str_has_prefix (text, prefixes[i]))
      return TRUE;
  return FALSE;
}

gboolean
lc_is_library_module (const char *path)
{
  const char *slash = strrchr (path, '/'), *base = slash != NULL ? slash + 1 : path;

  return begins_with_any (base, library_names, G_N_ELEMENTS (library_names));
}

/*
 * What a program or thread begins in before its author's first function, which a static program has in itself. Authors
 * may use the names that are not reserved, so these count only where the file does not say otherwise.
 */
static gboolean
is_beginning (const char *function, const char *file)
{
  static const char *const common[] = {"start_thread", "clone", "clone3"};

  if (g_str_equal (function, "_start") || g_str_equal (function, "execute_native_thread_routine") ||
      g_str_has_prefix (function, "__libc_start_") || g_str_has_prefix (function, "_dl_") ||
      g_str_has_prefix (function, "__clone"))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (common); i++)
    if (g_str_equal (function, common[i]))
      return file == NULL || begins_with_any (file, libc_folders, G_N_ELEMENTS (libc_folders));
  return FALSE;
}

/* The methods of a type in Rust begin as "<alloc::boxed::Box<F> as core::ops::FnOnce>::call_once". */
static gboolean
is_library_function (const char *function)
{
  function += strspn (function, "<&*");
  if (g_str_has_prefix (function, "mut ") || g_str_has_prefix (function, "dyn "))
    function += 4;
  return begins_with_any (function, namespaces, G_N_ELEMENTS (namespaces));
}

/* Rust names its own sources by the compiler's version, /rustc/HASH/library/std/src/thread/mod.rs, or without. */
static gboolean
is_library_file (const char *file)
{
  g_autofree char *plain = strstr (file, "/..") != NULL ? g_canonicalize_filename (file, "/") : g_strdup (file);

  for (gsize i = 0; i < G_N_ELEMENTS (header_parts); i++)
    if (strstr (plain, header_parts[i]) != NULL)
      return TRUE;
  return begins_with_any (plain, header_folders, G_N_ELEMENTS (header_folders)) ||
         (g_str_has_prefix (plain, "/rustc/") && strstr (plain, "/library/") != NULL);
}

gboolean
lc_is_library_code (const char *module, const char *function, const char *file)
{
  return (module != NULL && lc_is_library_module (module)) ||
         (function != NULL && (is_beginning (function, file) || is_library_function (function))) ||
         (file != NULL && is_library_file (file));
}
