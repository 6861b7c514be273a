/* SPDX-License-Identifier: Apache-2.0 */
/* Makes small binary traces, byte by byte, for the tests of their readers. */
#ifndef LC_TESTS_MAKER_H
#define LC_TESTS_MAKER_H

#include "lightcone/trace.h"

/* What the made traces have in common: 1 tick is 1 ns, and the recording began at tick 1000. */
#define MAKER_START 1000
#define MAKER_EPOCH G_GINT64_CONSTANT (1700000000000000000)
extern const guint8 maker_uuid[16];

/* A new empty folder with `ctf` in it. maker_remove removes it with all that is there, and frees the name.
 */
char *maker_directory (void);
void maker_remove (char *directory);

/* Writes directory/name. */
void maker_write (const char *directory, const char *name, const void *bytes, gsize size);
void maker_write_text (const char *directory, const char *name, const char *text);
GByteArray *maker_read (const char *directory, const char *name);

/* ctf/metadata of a trace as above. */
void maker_write_metadata (const char *directory);

/* A stream being made. Its packets are as tight as the recorder's. */
typedef struct
{
  GByteArray *bytes;
  gsize packet; /* where the last packet begins */
  guint64 events;
  guint64 packets;
  guint32 process;
  guint64 last; /* the end of the last event */
  guint32 instance;
  guint64 version; /* of the format, of the packets that begin from now on */
  guint32 site;    /* record of the site of the events from now on; 0: none */
  guint32 text;    /* record of the text of tags from now on; 0: none */
} Maker;

Maker *maker_new (guint32 process);
void maker_free (Maker *maker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Maker, maker_free)

/* The last packet's header; valid until something is added. */
struct lc_packet *maker_header (Maker *maker);

/* Begins another packet. The first one is there from the start. */
void maker_packet (Maker *maker);

/* Times in ns from the start of the recording. */
void maker_sync (Maker *maker, guint16 operation, guint32 object, guint64 sequence, guint64 value, guint64 begin,
                 guint64 end, guint8 flags);
void maker_message (Maker *maker, guint16 operation, guint32 object, guint32 sequence, guint32 bytes, guint64 begin,
                    guint64 end);
void maker_flagged_message (Maker *maker, guint16 operation, guint32 object, guint32 sequence, guint64 begin,
                            guint64 end, guint8 flags);
void maker_collective (Maker *maker, guint16 operation, guint32 object, guint64 sequence, guint64 members,
                       guint64 bytes, guint64 begin, guint64 end);
void maker_unknown_collective (Maker *maker, guint16 operation, guint32 object, guint64 sequence, guint64 members,
                               guint64 begin, guint64 end, gboolean unknown);
void maker_mark (Maker *maker, guint16 operation, guint32 value, guint64 at);

/* Writes ctf/process-N; or all but the last packet of it, with that in the given place of heads-0 or beside it. */
void maker_finish (Maker *maker, const char *directory);
void maker_finish_with_head (Maker *maker, const char *directory, guint place);

/* Adds the packet, of a process that has ended, to packets-0. */
void maker_finish_loose (Maker *maker, const char *directory);

/* An objects file being made. */
GByteArray *maker_objects (guint32 instance);
guint32 maker_mpi_object (GByteArray *objects, enum lc_class object_class, const char *name, guint64 value);
void maker_rank (GByteArray *objects, guint32 rank, guint32 ranks, guint64 ready);
guint32 maker_object (GByteArray *objects, enum lc_class object_class, const char *name, guint32 module, guint64 value);

/* A file of code in memory from `begin` to `end`, `build_id` or NULL; a site; and an object that has one, or 0. */
guint32 maker_module (GByteArray *objects, const char *path, const char *build_id, guint64 begin, guint64 end);
guint32 maker_site (GByteArray *objects, guint8 kind, guint32 module, guint32 parent, guint64 offset);
guint32 maker_object_at (GByteArray *objects, enum lc_class object_class, guint32 site, guint64 address);

/* A trace with three processes and one event of every operation, which begin and end 10 ns apart from 100 ns on. */
char *maker_sample (void);

/* The problem of that kind in that file (NULL: any), or NULL. The result is good until the list is freed. */
const LcTraceProblem *maker_problem (GArray *problems, const char *name, const char *file);

/* All events of a process, as LcTraceEvent. */
GArray *maker_events (LcTrace *trace, guint32 process);

#endif
