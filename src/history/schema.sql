-- SPDX-License-Identifier: Apache-2.0
-- The tables of a history file. docs/schema.md explains them; the number of this version is in store.h.

CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE process (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent INTEGER, host TEXT, rank INTEGER, pid INTEGER, thread INTEGER,
  events INTEGER NOT NULL, begin INTEGER, "end" INTEGER, layers INTEGER NOT NULL, instance INTEGER, file TEXT,
  state TEXT NOT NULL, lost INTEGER NOT NULL, pending_operation TEXT, pending_object INTEGER, pending_sequence INTEGER,
  pending_begin INTEGER, pending_stack INTEGER, pending_unlimited INTEGER, start INTEGER,
  followed INTEGER NOT NULL DEFAULT 0,
  -- What the kernel has counted, NULL where it did not tell: times in ns.
  running INTEGER, runnable INTEGER, blocked INTEGER, switches INTEGER, preemptions INTEGER, unseen INTEGER,
  unseen_waits INTEGER,
  -- 1: when it was off its processors was recorded, and is in the blocks.
  scheduled INTEGER NOT NULL DEFAULT 0);

CREATE TABLE object (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, class TEXT, process INTEGER, instance INTEGER, address INTEGER,
  value INTEGER, events INTEGER NOT NULL, waited INTEGER NOT NULL, held INTEGER NOT NULL, stack INTEGER);

-- Where events, objects and processes come from: files of code, places, and stacks of frames, the innermost first.
CREATE TABLE module (id INTEGER PRIMARY KEY, path TEXT NOT NULL, build_id TEXT, problem TEXT);
CREATE TABLE site (
  id INTEGER PRIMARY KEY, function TEXT, file TEXT, line INTEGER, module INTEGER, offset INTEGER,
  library INTEGER NOT NULL);
CREATE TABLE stack (
  id INTEGER PRIMARY KEY, parent INTEGER, site INTEGER NOT NULL, own INTEGER NOT NULL, kind TEXT NOT NULL);

CREATE TABLE operation (id INTEGER PRIMARY KEY, name TEXT NOT NULL, class TEXT);

CREATE TABLE arc_rule (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, class TEXT NOT NULL, from_operation TEXT NOT NULL,
  from_point TEXT NOT NULL, to_operation TEXT NOT NULL, step INTEGER NOT NULL, kind TEXT NOT NULL);

-- A process holds an object of this class from the end of one operation to the begin of the other.
CREATE TABLE holding (
  class TEXT NOT NULL, from_operation TEXT NOT NULL, to_operation TEXT NOT NULL,
  PRIMARY KEY (class, from_operation, to_operation)) WITHOUT ROWID;

-- "own": its events, arcs and order are its own; else those of the timeline 0 with other times.
CREATE TABLE timeline (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, model TEXT, parameters TEXT, own INTEGER NOT NULL DEFAULT 0);

-- What begins a phase, as the rules say; and the phases of the definition that was asked for last ("phases" in meta).
CREATE TABLE phase_rule (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, class TEXT NOT NULL, operation TEXT, object TEXT, number TEXT NOT NULL,
  point TEXT NOT NULL);
CREATE TABLE phase (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, begin INTEGER, "end" INTEGER, events INTEGER NOT NULL,
  first_layer INTEGER, last_layer INTEGER);
CREATE TABLE phase_index (process INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE problem (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, severity TEXT NOT NULL, count INTEGER NOT NULL, file TEXT, line INTEGER,
  byte INTEGER, process INTEGER, ordinal INTEGER, operation TEXT, object INTEGER, sequence INTEGER, wants TEXT,
  wants_sequence INTEGER, there INTEGER, needed INTEGER, other_process INTEGER, other_ordinal INTEGER,
  description TEXT, detail TEXT);

-- How much of each operation each process carried out.
CREATE TABLE operation_total (
  timeline INTEGER, process INTEGER, operation INTEGER, events INTEGER NOT NULL, time INTEGER NOT NULL,
  waited INTEGER NOT NULL, longest INTEGER NOT NULL, PRIMARY KEY (timeline, process, operation)) WITHOUT ROWID;

-- In each key "id" of what follows, the 8 bits from the 55th on are the number of the timeline.
-- Many: events as column blocks (block.h) in the order in which they were made, and which of them belong to a process.
CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE block_index (timeline INTEGER, process INTEGER, data BLOB NOT NULL, PRIMARY KEY (timeline, process));

-- (object, sequence) to events (postings.h).
CREATE TABLE posting (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE posting_index (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The same from events of the measured timeline to those of a timeline with an order of its own, where runs of
-- neighbours begin.
CREATE TABLE origin (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE origin_index (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The pyramids (pyramid.h); a packed key says which.
CREATE TABLE summary (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE summary_index (timeline INTEGER, process INTEGER, data BLOB NOT NULL, PRIMARY KEY (timeline, process));
CREATE TABLE longest_arcs (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
