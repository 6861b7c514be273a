/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that are precompiled for the whole browser if b_pch is on, as ./dev test does in builds that only repeat
 * others. */
#include <adwaita.h>
#include <gtk/gtk.h>
