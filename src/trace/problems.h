/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of a trace: each kind has a name, is counted per file, and keeps the place of its first occurrence. */
#ifndef LC_TRACE_PROBLEMS_H
#define LC_TRACE_PROBLEMS_H

#include "lightcone/trace.h"

/* X (identifier, name, severity, where: BYTE or LINE, description). Names never change: tests and scripts use them. */
#define LC_PROBLEMS(X) \
  X (FILE_UNREADABLE, "file-unreadable", FAULT, BYTE, "the file cannot be read") \
  X (SETTINGS_DAMAGED, "settings-damaged", WARNING, BYTE, "the settings cannot be read and are ignored") \
  X (SETTINGS_CUT, "settings-cut", WARNING, BYTE, \
     "the file is cut short: what the settings said from there on is not known (events lost, gaps, costs); copy it " \
     "again") \
  X (BAD_GAP, "bad-gap", WARNING, BYTE, "a time in which nothing was recorded makes no sense, and is ignored") \
  X (METADATA_DAMAGED, "metadata-damaged", WARNING, BYTE, "a part of the description is missing or makes no sense") \
  X (METADATA_CUT, "metadata-cut", WARNING, BYTE, \
     "the file is cut short: other readers of CTF do not read the trace; copy it again") \
  X (CLOCK_UNKNOWN, "clock-unknown", FAULT, BYTE, "the clock is not known: times are guesses") \
  X (CLOCK_NOT_ALIGNED, "clock-not-aligned", WARNING, BYTE, \
     "the host's clock was never compared with that of the others: where its events stand among theirs is a guess") \
  X (BAD_CLOCK_SAMPLE, "bad-clock-sample", WARNING, BYTE, "a comparison of clocks that makes no sense is ignored") \
  X (PART_UNREADABLE, "part-unreadable", FAULT, BYTE, "what was recorded on one of the hosts cannot be read") \
  X (STREAM_EMPTY, "stream-empty", WARNING, BYTE, "the process has a file with nothing in it") \
  X (STREAM_OPEN, "stream-open", NOTE, BYTE, "nobody closed the stream: the recording goes on, or was killed") \
  X (WRONG_PROCESS, "wrong-process", WARNING, BYTE, "the stream says that it is another process's") \
  X (DUPLICATE_PROCESS, "duplicate-process", WARNING, BYTE, "another stream is the same process's") \
  X (BAD_PACKET, "bad-packet", FAULT, BYTE, "no packet begins where one should") \
  X (FOREIGN_PACKET, "foreign-packet", FAULT, BYTE, "a packet of another recording") \
  X (PACKET_VERSION, "packet-version", FAULT, BYTE, "a packet of a later version of the format") \
  X (BAD_PACKET_SIZE, "bad-packet-size", FAULT, BYTE, "a packet's sizes make no sense") \
  X (TRUNCATED_PACKET, "truncated-packet", FAULT, BYTE, "the file ends within a packet") \
  X (PACKET_ORDER, "packet-order", WARNING, BYTE, "packets are missing, or in another order") \
  X (ORDINAL_GAP, "ordinal-gap", FAULT, BYTE, "a packet does not begin with the event that should be next") \
  X (TRUNCATED_EVENT, "truncated-event", FAULT, BYTE, "a packet ends within an event") \
  X (UNKNOWN_OPERATION, "unknown-operation", FAULT, BYTE, \
     "an unknown operation: the rest of its packet is unreadable") \
  X (TIME_BACKWARDS, "time-backwards", WARNING, BYTE, "an event begins before the one before it ends") \
  X (TIME_BEFORE_START, "time-before-start", WARNING, BYTE, "an event begins before the recording does") \
  X (TIME_TOO_LARGE, "time-too-large", WARNING, BYTE, \
     "a time after the end of the recording, or 73 years or more after its start") \
  X (HEADS_TOO_LARGE, "heads-too-large", FAULT, BYTE, "only the first packets of the file are read") \
  X (OBJECT_UNKNOWN, "object-unknown", WARNING, BYTE, "an event of an object without a record") \
  X (PROCESS_UNKNOWN, "process-unknown", WARNING, BYTE, "an event about a process without a stream") \
  X (EVENTS_LOST, "events-lost", WARNING, BYTE, "events could not be recorded") \
  X (OBJECTS_DAMAGED, "objects-damaged", WARNING, BYTE, "the file does not begin as a file of objects does") \
  X (OBJECTS_TOO_LARGE, "objects-too-large", WARNING, BYTE, "only the first part of the file is read") \
  X (BAD_OBJECT, "bad-object", WARNING, BYTE, "an object's record makes no sense") \
  X (TRUNCATED_OBJECT, "truncated-object", WARNING, BYTE, "the file ends within an object's record or name") \
  X (TRUNCATED_REQUEST, "truncated-request", WARNING, BYTE, "the file ends within the record of a request") \
  X (BAD_MODULE, "bad-module", WARNING, BYTE, "the record of a file of code makes no sense") \
  X (BAD_SITE, "bad-site", WARNING, BYTE, "the record of a place in the code makes no sense") \
  X (SITE_UNKNOWN, "site-unknown", WARNING, BYTE, "a place in the code without a record") \
  X (SWITCHES_DAMAGED, "switches-damaged", WARNING, BYTE, \
     "no file of switches, or one of another recording, is ignored") \
  X (SWITCHES_OPEN, "switches-open", NOTE, BYTE, \
     "nobody closed the file of switches: the last ones of each thread may be missing") \
  X (SWITCHES_LOST, "switches-lost", WARNING, BYTE, \
     "switches could not be recorded: not all times off the processor are known") \
  X (SWITCHES_TOO_LARGE, "switches-too-large", WARNING, BYTE, "only the first part of the switches is read") \
  X (BAD_SWITCHES, "bad-switches", WARNING, BYTE, "switches that make no sense: nothing is read from there on") \
  X (BAD_ABSENCE, "bad-absence", WARNING, BYTE, "a time off the processor makes no sense, and is ignored") \
  X (BAD_SYMBOL, "bad-symbol", WARNING, LINE, "a line that names no function") \
  X (LONG_LINE, "long-line", FAULT, LINE, "a line of more than 1 MiB: nothing is read from it on") \
  X (BAD_TEXT, "bad-text", WARNING, LINE, "not UTF-8 text") \
  X (TEXT_VERSION, "text-version", FAULT, LINE, "the first line must be `%lightcone-events 1`") \
  X (TEXT_DIRECTIVE, "text-directive", WARNING, LINE, "an unknown directive") \
  X (TEXT_TIME, "text-time", FAULT, LINE, "an event must begin with two times in ns") \
  X (TEXT_TIME_LARGE, "text-time-large", WARNING, LINE, \
     "a time after the end of the recording, or 73 years or more after its start") \
  X (TEXT_BACKWARDS, "text-backwards", WARNING, LINE, \
     "an event ends before it begins, or begins before the last one ends") \
  X (TEXT_OPERATION, "text-operation", FAULT, LINE, "no operation is named, or there are too many different ones") \
  X (TEXT_SEQUENCE, "text-sequence", FAULT, LINE, "after the object there must be a sequence number") \
  X (TEXT_KEY, "text-key", WARNING, LINE, "an unknown key is ignored") \
  X (TEXT_VALUE, "text-value", WARNING, LINE, "a key's value is no number in its range, and is ignored") \
  X (TEXT_PLACE, "text-place", WARNING, LINE, \
     "a place in the source that is no FUNCTION, FUNCTION@FILE:LINE or several of them is ignored") \
  X (TEXT_ABSENCE, "text-absence", WARNING, LINE, \
     "what is no `%absent BEGIN END preempted` or `blocked`, or comes before the last one's end, is ignored") \
  X (TEXT_PENDING, "text-pending", WARNING, LINE, "what follows `%pending`, which ends a process, is ignored") \
  X (TEXT_PEER, "text-peer", WARNING, LINE, "a message to or from a process that is not there") \
  X (TEXT_WORD, "text-word", WARNING, LINE, "a word that is no KEY=VALUE is ignored")

typedef enum
{
#define X(identifier, name, severity, where, description) LC_PROBLEM_##identifier,
  LC_PROBLEMS (X)
#undef X
} LcProblemKind;

/* The counts of problems; thread-safe. */
typedef struct _LcProblems LcProblems;

LcProblems *lc_problems_new (void);
void lc_problems_free (LcProblems *problems);

/*
 * Counts a problem at `where` in `file`. Files must be read from front to back, because problems before the last known
 * one of a kind are not counted again. `format` adds a detail and may be NULL.
 */
void lc_problems_count (LcProblems *problems, LcProblemKind kind, const char *file, guint64 where, const char *format,
                        ...) G_GNUC_PRINTF (5, 6);

/* TRUE if the problem is that the time of an event cannot be right, so that the event stands at another one. */
gboolean lc_problem_is_of_time (const char *name);

/* Sorts LcTraceProblem by file and place. */
void lc_problems_sort (GArray *list);

/* Returns LcTraceProblem, sorted; the strings belong to `problems`. */
GArray *lc_problems_list (LcProblems *problems);

#endif
