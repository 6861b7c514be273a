/* SPDX-License-Identifier: Apache-2.0 */
/* What is compiled once for all of the browser, where b_pch is on: ./dev test does so in builds that only repeat it. */
#include <adwaita.h>
#include <gtk/gtk.h>
