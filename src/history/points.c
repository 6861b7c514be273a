/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table whose entries are in one array; the used ones are in the order of their last use. */
#include "points.h"

typedef struct
{
  LcPointKey key;
  guint32 hash;
  guint32 n_points;
  guint32 needed;       /* number of events that need it; 0: nobody knows */
  guint32 left;         /* number of those events, or of a group's members, that have gone on */
  guint32 waiting;      /* first waiting process, or LC_TRACE_NONE */
  guint32 newer, older; /* neighbours among the used entries, or LC_NO_ENTRY; `older` also links free entries */
  guint8 used, met;
  guint64 made;         /* value of the counter of made entries; 0: free */
  LcSweepPoint *points; /* owned; NULL while there is at most one */
  LcSweepPoint only;
} Entry;

/* Has the hash next to the number of the entry, so that a search seldom looks at wrong entries. */
typedef struct
{
  guint32 hash;
  guint32 entry; /* number + 1; 0: empty */
} Place;

struct _LcPoints
{
  Entry *entries;
  guint32 n_entries, entries_room, free;
  Place *table;
  guint32 table_mask;
  guint32 size, highest;
  guint32 newest, oldest, n_used, kept;
  guint64 made; /* number of entries ever made */
};

LcPoints *
lc_points_new (guint32 kept)
{
  LcPoints *points = g_new0 (LcPoints, 1);

  points->table_mask = 1023;
  points->table = g_new0 (Place, points->table_mask + 1);
  points->free = points->newest = points->oldest = LC_NO_ENTRY;
  points->kept = kept;
  return points;
}

void
lc_points_free (LcPoints *points)
{
  for (guint32 i = 0; i < points->n_entries; i++)
    g_free (points->entries[i].points);
  g_free (points->entries);
  g_free (points->table);
  g_free (points);
}

static guint32
points_hash (const LcPointKey *key)
{
  guint64 value = (guint64)key->object << 32 ^ (guint64)key->sequence * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  value = (value ^ key->operation) * G_GUINT64_CONSTANT (0xFF51AFD7ED558CCD);
  return (guint32)(value >> 32);
}

static gboolean
points_same (const LcPointKey *a, const LcPointKey *b)
{
  return a->sequence == b->sequence && a->object == b->object && a->operation == b->operation;
}

/* Returns the place of the key, or the place where it would be. */
static guint32
points_search (const LcPoints *points, const LcPointKey *key, guint32 hashed)
{
  guint32 place = hashed & points->table_mask;

  while (points->table[place].entry != 0 && (points->table[place].hash != hashed ||
                                             !points_same (&points->entries[points->table[place].entry - 1].key, key)))
    place = (place + 1) & points->table_mask;
  return place;
}

guint32
lc_points_find (const LcPoints *points, const LcPointKey *key)
{
  guint32 entry = points->table[points_search (points, key, points_hash (key))].entry;

  return entry != 0 ? entry - 1 : LC_NO_ENTRY;
}

static void
points_grow (LcPoints *points)
{
  Place *before = points->table;
  guint32 places = points->table_mask + 1;

  points->table_mask = places * 2 - 1;
  points->table = g_new0 (Place, places * 2);
  for (guint32 i = 0; i < places; i++)
    if (before[i].entry != 0)
      {
        guint32 place = before[i].hash & points->table_mask;

        while (points->table[place].entry != 0)
          place = (place + 1) & points->table_mask;
        points->table[place] = before[i];
      }
  g_free (before);
}

static guint32
points_take_entry (LcPoints *points)
{
  guint32 entry = points->free;

  if (entry != LC_NO_ENTRY)
    {
      points->free = points->entries[entry].older;
      return entry;
    }
  if (points->n_entries == points->entries_room)
    {
      points->entries_room = MAX (256, points->entries_room * 2);
      points->entries = g_renew (Entry, points->entries, points->entries_room);
    }
  return points->n_entries++;
}

guint32
lc_points_get (LcPoints *points, const LcPointKey *key)
{
  guint32 hashed = points_hash (key), place, entry;
  Entry *made;

  if (points->size >= points->table_mask / 2)
    points_grow (points);
  place = points_search (points, key, hashed);
  if (points->table[place].entry != 0)
    return points->table[place].entry - 1;
  entry = points_take_entry (points);
  points->table[place] = (Place){hashed, entry + 1};
  made = &points->entries[entry];
  made->key = *key;
  made->hash = hashed;
  made->points = NULL;
  made->n_points = made->needed = made->left = 0;
  made->waiting = LC_TRACE_NONE;
  made->newer = made->older = LC_NO_ENTRY;
  made->used = made->met = FALSE;
  made->made = ++points->made;
  points->size++;
  points->highest = MAX (points->highest, points->size);
  return entry;
}

LcSweepPoint *
lc_points_add (LcPoints *points, guint32 entry)
{
  Entry *to = &points->entries[entry];
  const guint32 place = to->n_points++;

  if (place == 0)
    return &to->only;
  if ((place & (place - 1)) == 0)
    to->points = g_renew (LcSweepPoint, to->points, place * 2);
  if (place == 1)
    to->points[0] = to->only;
  return &to->points[place];
}

void
lc_points_need (LcPoints *points, guint32 entry, guint32 uses)
{
  points->entries[entry].needed = uses;
}

guint32
lc_points_count (const LcPoints *points, guint32 entry)
{
  return points->entries[entry].n_points;
}

const LcSweepPoint *
lc_points_list (LcPoints *points, guint32 entry)
{
  Entry *of = &points->entries[entry];

  return of->points != NULL ? of->points : &of->only;
}

void
lc_points_set_rule (LcPoints *points, guint32 entry, guint32 process, guint64 ordinal, const LcArcRule *rule)
{
  Entry *of = &points->entries[entry];
  LcSweepPoint *list = of->points != NULL ? of->points : &of->only;

  for (guint32 i = 0; i < of->n_points; i++)
    if (list[i].process == process && list[i].ordinal == ordinal)
      list[i].rule = rule;
}

guint32
lc_points_first_waiting (const LcPoints *points, guint32 entry)
{
  return points->entries[entry].waiting;
}

void
lc_points_set_first_waiting (LcPoints *points, guint32 entry, guint32 process)
{
  points->entries[entry].waiting = process;
}

static void
take_out_of_used (LcPoints *points, guint32 entry)
{
  Entry *of = &points->entries[entry];

  if (!of->used)
    return;
  if (of->newer != LC_NO_ENTRY)
    points->entries[of->newer].older = of->older;
  else
    points->newest = of->older;
  if (of->older != LC_NO_ENTRY)
    points->entries[of->older].newer = of->newer;
  else
    points->oldest = of->newer;
  of->used = FALSE;
  points->n_used--;
}

/* Later places of the same run move up, so that no search ends at the gap. */
static void
take_out_of_table (LcPoints *points, guint32 entry)
{
  guint32 gap = points->entries[entry].hash & points->table_mask, place;

  while (points->table[gap].entry != entry + 1)
    gap = (gap + 1) & points->table_mask;
  for (place = (gap + 1) & points->table_mask; points->table[place].entry != 0;
       place = (place + 1) & points->table_mask)
    {
      guint32 home = points->table[place].hash & points->table_mask;

      if (((place - home) & points->table_mask) < ((place - gap) & points->table_mask))
        continue;
      points->table[gap] = points->table[place];
      gap = place;
    }
  points->table[gap].entry = 0;
}

void
lc_points_remove (LcPoints *points, guint32 entry)
{
  Entry *of = &points->entries[entry];

  take_out_of_used (points, entry);
  take_out_of_table (points, entry);
  g_clear_pointer (&of->points, g_free);
  of->n_points = 0;
  of->made = 0;
  of->older = points->free;
  points->free = entry;
  points->size--;
}

static void
points_forget (LcPoints *points, guint32 kept, gboolean unused_too)
{
  for (guint32 i = 0; i < points->n_entries; i++)
    {
      const Entry *entry = &points->entries[i];

      if (entry->made != 0 && points->made - entry->made >= kept && entry->waiting == LC_TRACE_NONE &&
          (unused_too || (entry->needed > 0 && entry->left > 0)))
        lc_points_remove (points, i);
    }
}

void
lc_points_forget (LcPoints *points, guint32 kept)
{
  points_forget (points, kept, FALSE);
  if (points->size > kept)
    points_forget (points, kept, TRUE);
}

static void
points_keep (LcPoints *points, guint32 entry)
{
  Entry *of = &points->entries[entry];

  take_out_of_used (points, entry);
  of->used = TRUE;
  of->newer = LC_NO_ENTRY;
  of->older = points->newest;
  if (points->newest != LC_NO_ENTRY)
    points->entries[points->newest].newer = entry;
  else
    points->oldest = entry;
  points->newest = entry;
  points->n_used++;
  if (points->n_used > points->kept && points->entries[points->oldest].waiting == LC_TRACE_NONE)
    lc_points_remove (points, points->oldest);
}

void
lc_points_used (LcPoints *points, guint32 entry)
{
  Entry *of = &points->entries[entry];

  of->left++;
  if (of->needed == 0 || (of->left >= of->needed && of->waiting != LC_TRACE_NONE))
    points_keep (points, entry);
  else if (of->left >= of->needed)
    lc_points_remove (points, entry);
}

void
lc_points_meet (LcPoints *points, guint32 entry)
{
  points->entries[entry].met = TRUE;
}

void
lc_points_visit_lonely (LcPoints *points, LcPointsVisit visit, gpointer data)
{
  for (guint32 i = 0; i < points->n_entries; i++)
    {
      const Entry *entry = &points->entries[i];

      if (entry->made != 0 && entry->n_points > 0 && !entry->met)
        visit (&entry->key, lc_points_list (points, i), data);
    }
}

gboolean
lc_points_leave (LcPoints *points, guint32 entry)
{
  return ++points->entries[entry].left >= points->entries[entry].n_points;
}

guint64
lc_points_size (const LcPoints *points)
{
  return points->size;
}

guint64
lc_points_highest (const LcPoints *points)
{
  return points->highest;
}
