/* SPDX-License-Identifier: Apache-2.0 */
/* The unloading of code. */
#include <dlfcn.h>

#include "real.h"
#include "sites.h"
#include "wrap-openmp.h"

/* Other code may come to the addresses of what is unloaded. Loading needs no wrapper: what is new is found when the
 * program is first seen there. */
LC_EXPORT int
dlclose (void *library)
{
  int result = LC_REAL (dlclose) (library);

  if (lc_classes != 0 && lc_control != NULL && !lc_is_sandboxed ())
    lc_sites_renew ();
  lc_openmp_unload ();
  return result;
}
