/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the objects of a trace. */
#include "objects.h"

#include "operations.h"

/* All objects with the same class and name. */
typedef struct
{
  const char *name;
  guint8 object_class;
  gboolean given; /* the name was given to an object, rather than taken from its class */
  guint32 count;
  guint32 by_name; /* the object that all records of the name mean, or LC_TRACE_NONE */
} Name;

struct _LcObjects
{
  GArray *array;
  GHashTable *names;
};

static guint
hash_name (gconstpointer data)
{
  const Name *name = data;

  return g_str_hash (name->name) * 31 + name->object_class;
}

static gboolean
equal_names (gconstpointer a, gconstpointer b)
{
  const Name *left = a, *right = b;

  return left->object_class == right->object_class && g_str_equal (left->name, right->name);
}

LcObjects *
lc_objects_new (void)
{
  LcObjects *objects = g_new0 (LcObjects, 1);

  objects->array = g_array_new (FALSE, FALSE, sizeof (LcObject));
  objects->names = g_hash_table_new_full (hash_name, equal_names, g_free, NULL);
  return objects;
}

void
lc_objects_free (LcObjects *objects)
{
  g_array_unref (objects->array);
  g_hash_table_unref (objects->names);
  g_free (objects);
}

static Name *
objects_look_up (const LcObjects *objects, guint8 object_class, const char *name)
{
  Name key = {.name = name, .object_class = object_class};

  return g_hash_table_lookup (objects->names, &key);
}

/* Returns the name of an object without its number. */
static const char *
objects_base_name (const LcObject *object)
{
  if (object->name != NULL)
    return object->name;
  return object->object_class == LC_CLASS_NONE ? "object" : lc_class_names[object->object_class];
}

guint32
lc_objects_add (LcObjects *objects, const LcObject *object)
{
  LcObject copy = *object;
  Name *name = objects_look_up (objects, object->object_class, objects_base_name (object));

  if (name == NULL)
    {
      name = g_new0 (Name, 1);
      name->name = objects_base_name (object);
      name->object_class = object->object_class;
      name->by_name = LC_TRACE_NONE;
      g_hash_table_add (objects->names, name);
    }
  if (object->name != NULL)
    name->given = TRUE;
  if (lc_object_is_by_name (object) && name->by_name == LC_TRACE_NONE)
    name->by_name = objects->array->len;
  copy.number = ++name->count;
  g_array_append_val (objects->array, copy);
  return objects->array->len - 1;
}

gboolean
lc_object_is_by_name (const LcObject *object)
{
  return object->name != NULL &&
         (object->kind == LC_KIND_MPI || (object->kind >= LC_KIND_SYSTEM && object->kind <= LC_KIND_EVENTFD));
}

guint32
lc_objects_find_by_name (const LcObjects *objects, guint8 object_class, const char *name)
{
  const Name *found = objects_look_up (objects, object_class, name);

  return found != NULL ? found->by_name : LC_TRACE_NONE;
}

void
lc_objects_share (LcObjects *objects, guint32 index)
{
  g_array_index (objects->array, LcObject, index).instance = LC_TRACE_NONE;
}

guint32
lc_objects_count (const LcObjects *objects)
{
  return objects->array->len;
}

const LcObject *
lc_objects_get (const LcObjects *objects, guint32 index)
{
  return &g_array_index (objects->array, LcObject, index);
}

void
lc_objects_renumber (LcObjects *objects, const guint32 *order)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, objects->names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    ((Name *)name)->count = 0;
  for (guint32 i = 0; i < objects->array->len; i++)
    {
      LcObject *object = &g_array_index (objects->array, LcObject, order[i]);

      object->number = ++objects_look_up (objects, object->object_class, objects_base_name (object))->count;
    }
}

char *
lc_objects_dup_name (const LcObjects *objects, guint32 index)
{
  const LcObject *object = lc_objects_get (objects, index);
  const char *base = objects_base_name (object);
  const Name *name = objects_look_up (objects, object->object_class, base);
  char *result;

  if (object->name != NULL && name->count == 1)
    return g_strdup (base);
  result = g_strdup_printf ("%s %u", base, object->number);
  while ((name = objects_look_up (objects, object->object_class, result)) != NULL && name->given)
    {
      char *longer = g_strconcat (result, "'", NULL);

      g_free (result);
      result = longer;
    }
  return result;
}
