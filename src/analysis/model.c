/* SPDX-License-Identifier: Apache-2.0 */
/* The models of an approximation, by name. */
#include "lightcone/approximate.h"

#include <string.h>

static const char *const model_names[] = {"time", "event", "liberal", "optimistic", "pessimistic", "auto"};

const char *
lc_model_get_name (LcModel model)
{
  g_return_val_if_fail (model < G_N_ELEMENTS (model_names), NULL);
  return model_names[model];
}

gboolean
lc_model_parse (const char *name, LcModel *model)
{
  for (guint i = 0; i < G_N_ELEMENTS (model_names); i++)
    if (strcmp (model_names[i], name) == 0)
      {
        *model = (LcModel)i;
        return TRUE;
      }
  return FALSE;
}
