/* SPDX-License-Identifier: Apache-2.0 */
/* read-otf2 ARCHIVE: has OTF2's global reader read all events in order, counts them, and prints count and seconds. */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void
must (OTF2_ErrorCode code)
{
  if (code == OTF2_SUCCESS)
    return;
  fprintf (stderr, "read-otf2: %s\n", OTF2_Error_GetDescription (code));
  exit (2);
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* --- Callbacks, which only count ---------------------------------------------------------------------------- */

#define COUNT(name, ...) \
  static OTF2_CallbackCode name (OTF2_LocationRef location, OTF2_TimeStamp time, void *count, \
                                 OTF2_AttributeList *attributes, __VA_ARGS__) \
  { \
    ++*(uint64_t *)count; \
    return OTF2_CALLBACK_SUCCESS; \
  }

COUNT (count_region, OTF2_RegionRef region)
COUNT (count_lock, OTF2_Paradigm model, uint32_t lock, uint32_t order)
COUNT (count_thread, OTF2_CommRef contingent, uint64_t sequence)
COUNT (count_message, uint32_t partner, OTF2_CommRef communicator, uint32_t tag, uint64_t length)
COUNT (count_collective, OTF2_CollectiveOp operation, OTF2_CommRef communicator, uint32_t root, uint64_t sent,
       uint64_t received)
COUNT (count_parameter, OTF2_ParameterRef parameter, uint64_t value)

static OTF2_GlobalEvtReaderCallbacks *
make_callbacks (void)
{
  OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New ();

  OTF2_GlobalEvtReaderCallbacks_SetEnterCallback (callbacks, count_region);
  OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback (callbacks, count_region);
  OTF2_GlobalEvtReaderCallbacks_SetThreadAcquireLockCallback (callbacks, count_lock);
  OTF2_GlobalEvtReaderCallbacks_SetThreadReleaseLockCallback (callbacks, count_lock);
  OTF2_GlobalEvtReaderCallbacks_SetThreadCreateCallback (callbacks, count_thread);
  OTF2_GlobalEvtReaderCallbacks_SetThreadBeginCallback (callbacks, count_thread);
  OTF2_GlobalEvtReaderCallbacks_SetThreadEndCallback (callbacks, count_thread);
  OTF2_GlobalEvtReaderCallbacks_SetThreadWaitCallback (callbacks, count_thread);
  OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback (callbacks, count_message);
  OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback (callbacks, count_message);
  OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback (callbacks, count_collective);
  OTF2_GlobalEvtReaderCallbacks_SetParameterUnsignedIntCallback (callbacks, count_parameter);
  return callbacks;
}

/* --- Reading ------------------------------------------------------------------------------------------------ */

/* All locations, before any is opened. */
static OTF2_CallbackCode
select_location (void *reader, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t events,
                 OTF2_LocationGroupRef group)
{
  must (OTF2_Reader_SelectLocation (reader, self));
  return OTF2_CALLBACK_SUCCESS;
}

static void
read_definitions (OTF2_Reader *reader)
{
  OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader (reader);
  OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New ();
  uint64_t count;

  OTF2_GlobalDefReaderCallbacks_SetLocationCallback (callbacks, select_location);
  must (OTF2_Reader_RegisterGlobalDefCallbacks (reader, definitions, callbacks, reader));
  OTF2_GlobalDefReaderCallbacks_Delete (callbacks);
  must (OTF2_Reader_ReadAllGlobalDefinitions (reader, definitions, &count));
}

/* How many came through the callbacks. */
static uint64_t
read_events (OTF2_Reader *reader)
{
  OTF2_GlobalEvtReaderCallbacks *callbacks = make_callbacks ();
  OTF2_GlobalEvtReader *events;
  uint64_t locations, count = 0, read;

  must (OTF2_Reader_GetNumberOfLocations (reader, &locations));
  must (OTF2_Reader_OpenEvtFiles (reader));
  for (uint64_t i = 0; i < locations; i++)
    OTF2_Reader_GetEvtReader (reader, i);
  events = OTF2_Reader_GetGlobalEvtReader (reader);
  must (OTF2_Reader_RegisterGlobalEvtCallbacks (reader, events, callbacks, &count));
  OTF2_GlobalEvtReaderCallbacks_Delete (callbacks);
  must (OTF2_Reader_ReadAllGlobalEvents (reader, events, &read));
  must (OTF2_Reader_CloseGlobalEvtReader (reader, events));
  must (OTF2_Reader_CloseEvtFiles (reader));
  return count;
}

int
main (int argc, char **argv)
{
  double begin = now ();
  OTF2_Reader *reader = argc == 2 ? OTF2_Reader_Open (argv[1]) : NULL;
  uint64_t count;

  if (reader == NULL)
    {
      fprintf (stderr, "read-otf2: which archive (ARCHIVE.otf2)?\n");
      return 2;
    }
  must (OTF2_Reader_SetSerialCollectiveCallbacks (reader));
  read_definitions (reader);
  count = read_events (reader);
  must (OTF2_Reader_Close (reader));
  printf ("%" PRIu64 " %.6f\n", count, now () - begin);
  return 0;
}
