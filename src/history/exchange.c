/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the kinds of MPI's calls apart, by their operations. */
#include "lightcone/exchange.h"

guint
lc_exchange_of (const char *class_name, const char *operation)
{
  static const char *const classes[] = {"channel", "collective", "barrier", NULL};

  if (class_name == NULL || operation == NULL || !g_strv_contains (classes, class_name))
    return LC_EXCHANGE_NONE;
  if (g_str_equal (operation, "complete") || g_str_equal (operation, "test-failed") ||
      g_str_has_prefix (operation, "finish-"))
    return LC_EXCHANGE_REQUEST;
  return g_str_equal (class_name, "channel") ? LC_EXCHANGE_MESSAGE : LC_EXCHANGE_COLLECTIVE;
}
