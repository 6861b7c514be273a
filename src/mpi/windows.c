/* SPDX-License-Identifier: Apache-2.0 */
/* Finds windows by an MPI attribute, like communicators. */
#include "windows.h"

#include <stdio.h>
#include <string.h>

static int keyval = MPI_KEYVAL_INVALID;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned freed;
static __thread struct
{
  MPI_Win handle;
  struct lc_window *window;
  unsigned freed;
} last;

static size_t
windows_size_of (const struct lc_communicator *communicator)
{
  return sizeof (struct lc_window) + communicator->n_world * sizeof (struct lc_window_target);
}

static int
windows_forget (MPI_Win handle, int key, void *value, void *extra)
{
  struct lc_window *window = value;
  struct lc_communicator *communicator = window->communicator;

  (void)handle, (void)key, (void)extra;
  lc_window_forget_group (&window->targets_started);
  lc_window_forget_group (&window->origins_posted);
  lc_mpi_lock ();
  __atomic_fetch_add (&freed, 1, __ATOMIC_RELEASE);
  lc_mpi_release (window, windows_size_of (communicator));
  lc_communicator_drop (communicator);
  lc_mpi_unlock ();
  return MPI_SUCCESS;
}

static void
make_key (void)
{
  PMPI_Win_create_keyval (MPI_WIN_NULL_COPY_FN, windows_forget, &keyval, NULL);
}

struct lc_window *
lc_window_find (MPI_Win handle)
{
  unsigned now = __atomic_load_n (&freed, __ATOMIC_ACQUIRE);
  struct lc_window *window = NULL;
  int found = 0;

  if (last.window && handle == last.handle && last.freed == now)
    return last.window;
  if (handle == MPI_WIN_NULL || keyval == MPI_KEYVAL_INVALID ||
      PMPI_Win_get_attr (handle, keyval, &window, &found) != MPI_SUCCESS || !found)
    return NULL;
  last.handle = handle;
  last.window = window;
  last.freed = now;
  return window;
}

static struct lc_window *
windows_describe (struct lc_communicator *communicator)
{
  char text[2 * LC_MPI_NAME];
  struct lc_window *window;

  lc_mpi_lock ();
  window = lc_mpi_allocate (windows_size_of (communicator));
  if (window)
    {
      memset (window, 0, windows_size_of (communicator));
      window->communicator = communicator;
      communicator->references++;
      snprintf (window->word, sizeof window->word, "window.%u", ++communicator->windows);
    }
  lc_mpi_unlock ();
  if (!window)
    return NULL;
  snprintf (text, sizeof text, "%s/%s", communicator->name, window->word);
  lc_mpi_name (window->name, text);
  window->object = lc_mpi_hooks->shared_object (LC_CLASS_COLLECTIVE, window->name, communicator->members);
  return window;
}

struct lc_window *
lc_window_name (MPI_Win handle, MPI_Comm comm)
{
  struct lc_communicator *communicator = lc_communicator_find (comm);
  struct lc_window *window = NULL;

  pthread_once (&once, make_key);
  if (communicator && keyval != MPI_KEYVAL_INVALID)
    window = windows_describe (communicator);
  if (!window || PMPI_Win_set_attr (handle, keyval, window) == MPI_SUCCESS)
    return window;
  windows_forget (handle, keyval, window, NULL);
  return NULL;
}

void
lc_window_keep_group (struct lc_window_group *kept, MPI_Group group)
{
  lc_window_forget_group (kept);
  kept->ranks = lc_communicator_list (group, &kept->n);
  if (!kept->ranks)
    kept->n = 0;
}

void
lc_window_forget_group (struct lc_window_group *kept)
{
  lc_mpi_lock ();
  if (kept->ranks)
    lc_mpi_release (kept->ranks, sizeof *kept->ranks * (size_t)kept->n);
  kept->ranks = NULL;
  kept->n = 0;
  lc_mpi_unlock ();
}
