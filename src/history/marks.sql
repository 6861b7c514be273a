-- SPDX-License-Identifier: Apache-2.0
-- The tables of a file of marks. docs/schema.md explains them; the number of this version is in schema.h.

-- "first" and "last" are ordinals of an event (the same twice), or the begin and end of a span in ns.
CREATE TABLE mark (
  name TEXT NOT NULL, process INTEGER NOT NULL, span INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (name, process, span, first, last)) WITHOUT ROWID;

CREATE TABLE annotation (
  process INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (process, ordinal)) WITHOUT ROWID;
