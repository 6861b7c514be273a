/* SPDX-License-Identifier: Apache-2.0 */
/* Names and explains what kept the recorder from seeing all futexes. */
#include "futex-trouble.h"

#include <glib/gi18n.h>

#include "lightcone/control.h"

static const struct
{
  guint32 trouble;
  const char *name;
  const char *reason;
} futex_troubles[] = {
    {LC_FUTEX_GO, "go", N_ ("Go's threads have no room on their stacks for the signals that it takes")},
    {LC_FUTEX_KERNEL, "kernel", N_ ("the system cannot dispatch system calls (Linux 5.11 on x86-64 can)")},
    {LC_FUTEX_LIBRARY, "library", N_ ("another library stands in front of the C library's function “syscall”")},
    {LC_FUTEX_TAKEN, "taken", N_ ("the program dispatches its system calls itself")},
    {LC_FUTEX_SANDBOX, "sandbox", N_ ("the program has restricted its system calls")},
    {LC_FUTEX_ASIDE, "aside", N_ ("after a call that only the program can make, a thread was left alone")},
};

char *
lc_futex_trouble_names (guint32 trouble)
{
  GString *names = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (futex_troubles); i++)
    if (trouble & futex_troubles[i].trouble)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ";" : "", futex_troubles[i].name);
  return g_string_free (names, FALSE);
}

const char *
lc_futex_trouble_why (const char *names)
{
  g_auto (GStrv) list = g_strsplit (names, ";", -1);

  for (gsize i = 0; i < G_N_ELEMENTS (futex_troubles); i++)
    if (g_strv_contains ((const char *const *)list, futex_troubles[i].name))
      return _ (futex_troubles[i].reason);
  return _ ("the recorder does not say why");
}
