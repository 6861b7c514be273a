/* SPDX-License-Identifier: Apache-2.0 */
/* write-otf2 DIR ARCHIVE: the events of a trace as an archive of OTF2, one record for each, at its end. */
#include <otf2/otf2.h>
#include <stdlib.h>

#include "lightcone/trace.h"

enum
{
  EMPTY,
  NODE,
  NODE_CLASS,
  NAMES /* of the processes, from here on */
};

static void
must (OTF2_ErrorCode code)
{
  if (code == OTF2_SUCCESS)
    return;
  g_printerr ("write-otf2: %s\n", OTF2_Error_GetDescription (code));
  exit (2);
}

static OTF2_FlushType
pre_flush (void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {pre_flush, NULL};

/* --- Events ------------------------------------------------------------------------------------------------- */

static OTF2_ErrorCode
write_lock (OTF2_EvtWriter *writer, const LcTraceEvent *event, gboolean release)
{
  return (release ? OTF2_EvtWriter_ThreadReleaseLock : OTF2_EvtWriter_ThreadAcquireLock) (
      writer, NULL, event->end, OTF2_PARADIGM_PTHREAD, event->object, (guint32)event->sequence);
}

static OTF2_ErrorCode
write_thread (OTF2_EvtWriter *writer, const LcTraceEvent *event)
{
  switch (event->operation)
    {
    case LC_CREATE:
      return OTF2_EvtWriter_ThreadCreate (writer, NULL, event->end, 0, event->object);
    case LC_START:
      return OTF2_EvtWriter_ThreadBegin (writer, NULL, event->end, 0, event->object);
    case LC_EXIT:
      return OTF2_EvtWriter_ThreadEnd (writer, NULL, event->end, 0, event->object);
    default:
      return OTF2_EvtWriter_ThreadWait (writer, NULL, event->end, 0, event->object);
    }
}

static OTF2_ErrorCode
write_event (OTF2_EvtWriter *writer, const LcTraceEvent *event)
{
  switch (event->operation)
    {
    case LC_LOCK:
    case LC_READ_START:
    case LC_WRITE_START:
    case LC_WAIT:
      return write_lock (writer, event, FALSE);
    case LC_UNLOCK:
    case LC_READ_END:
    case LC_WRITE_END:
    case LC_POST:
      return write_lock (writer, event, TRUE);
    case LC_BARRIER:
      return OTF2_EvtWriter_MpiCollectiveEnd (writer, NULL, event->end, OTF2_COLLECTIVE_OP_BARRIER, 0, 0, 0, 0);
    case LC_SEND:
      return OTF2_EvtWriter_MpiSend (writer, NULL, event->end, 0, 0, event->object, event->bytes);
    case LC_RECV:
      return OTF2_EvtWriter_MpiRecv (writer, NULL, event->end, 0, 0, event->object, event->bytes);
    case LC_TAG:
      return OTF2_EvtWriter_ParameterUnsignedInt (writer, NULL, event->end, 0, (guint64)event->value);
    case LC_ENTER:
      return OTF2_EvtWriter_Enter (writer, NULL, event->end, 0);
    case LC_LEAVE:
      return OTF2_EvtWriter_Leave (writer, NULL, event->end, 0);
    default:
      return write_thread (writer, event);
    }
}

/* Returns how many there were. */
static guint64
write_process (OTF2_Archive *archive, LcTrace *trace, guint32 process)
{
  OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter (archive, process);
  LcTraceCursor *cursor = lc_trace_cursor_open (trace, process);
  LcTraceBatch batch;
  guint64 written = 0;

  while (lc_trace_cursor_next (cursor, &batch))
    {
      for (gsize i = 0; i < batch.n_events; i++)
        must (write_event (writer, &batch.events[i]));
      written += batch.n_events;
    }
  lc_trace_cursor_close (cursor);
  must (OTF2_Archive_CloseEvtWriter (archive, writer));
  return written;
}

/* --- Definitions -------------------------------------------------------------------------------------------- */

static void
write_processes (OTF2_GlobalDefWriter *writer, const LcTrace *trace, const guint64 *counts)
{
  const guint32 n = lc_trace_get_n_processes (trace);
  g_autofree guint64 *members = g_new (guint64, n);

  for (guint32 i = 0; i < n; i++)
    {
      must (OTF2_GlobalDefWriter_WriteString (writer, NAMES + i, lc_trace_get_process (trace, i)->name));
      must (OTF2_GlobalDefWriter_WriteLocationGroup (writer, i, NAMES + i, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
      must (OTF2_GlobalDefWriter_WriteLocation (writer, i, NAMES + i, OTF2_LOCATION_TYPE_CPU_THREAD, counts[i], i));
      members[i] = i;
    }
  must (OTF2_GlobalDefWriter_WriteGroup (writer, 0, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, n, members));
  must (OTF2_GlobalDefWriter_WriteGroup (writer, 1, EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, n, members));
}

static void
write_definitions (OTF2_Archive *archive, const LcTrace *trace, const guint64 *counts)
{
  OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter (archive);
  guint64 end = 0;

  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    end = MAX (end, lc_trace_get_process (trace, i)->end);
  must (OTF2_GlobalDefWriter_WriteClockProperties (writer, 1000000000, 0, end + 1, OTF2_UNDEFINED_TIMESTAMP));
  must (OTF2_GlobalDefWriter_WriteString (writer, EMPTY, ""));
  must (OTF2_GlobalDefWriter_WriteString (writer, NODE, "nowhere"));
  must (OTF2_GlobalDefWriter_WriteString (writer, NODE_CLASS, "node"));
  must (OTF2_GlobalDefWriter_WriteSystemTreeNode (writer, 0, NODE, NODE_CLASS, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  write_processes (writer, trace, counts);
  must (OTF2_GlobalDefWriter_WriteComm (writer, 0, EMPTY, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
  must (OTF2_GlobalDefWriter_WriteRegion (writer, 0, EMPTY, EMPTY, EMPTY, OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER,
                                          OTF2_REGION_FLAG_NONE, EMPTY, 0, 0));
  must (OTF2_GlobalDefWriter_WriteParameter (writer, 0, EMPTY, OTF2_PARAMETER_TYPE_UINT64));
  must (OTF2_Archive_CloseGlobalDefWriter (archive, writer));
}

int
main (int argc, char **argv)
{
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *counts = NULL;
  OTF2_Archive *archive;

  if (argc == 3)
    trace = lc_trace_open (argv[1], &error);
  if (trace == NULL)
    {
      g_printerr ("write-otf2: %s\n", error != NULL ? error->message : "which trace, and which archive?");
      return 2;
    }
  archive = OTF2_Archive_Open (argv[2], "archive", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                               OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive == NULL)
    return 2;
  must (OTF2_Archive_SetFlushCallbacks (archive, &flush_callbacks, NULL));
  must (OTF2_Archive_SetSerialCollectiveCallbacks (archive));
  must (OTF2_Archive_OpenEvtFiles (archive));
  counts = g_new0 (guint64, lc_trace_get_n_processes (trace));
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    counts[i] = write_process (archive, trace, i);
  must (OTF2_Archive_CloseEvtFiles (archive));
  write_definitions (archive, trace, counts);
  must (OTF2_Archive_Close (archive));
  return 0;
}
