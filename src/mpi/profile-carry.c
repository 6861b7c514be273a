/* SPDX-License-Identifier: Apache-2.0 */
/* Carries the sender's delay in front of a message: datatypes of header and message, and what a receive learns from
 * them. */
#include <string.h>
#include <sys/mman.h>

#include "profile.h"

enum
{
  BUCKETS = 1024,
  IDLE = 4, /* unused datatypes that a bucket keeps */
};

static struct lc_carrier *idle[BUCKETS];
static uint64_t epoch;

/* By class of size: the cost of a receive that need not wait, and the least time of a message under way. */
static int64_t least_cost[LC_PROFILE_SIZES], least_latency[LC_PROFILE_SIZES];

/* Sizes at which the cost of carrying (for one side) and of a receive without waiting are measured. */
enum
{
  MEASURED = 3,
};

static const int sizes[MEASURED] = {8, 1 << 12, 1 << 16};
static int64_t carry_costs[MEASURED], receive_costs[MEASURED];
uint64_t lc_profile_messages;

/* --- Datatypes --------------------------------------------------------------------------------------------- */

void
lc_carriers_forget_types (void)
{
  __atomic_fetch_add (&epoch, 1, __ATOMIC_RELAXED);
}

static unsigned int
profile_carry_bucket_of (const void *buffer, int count, MPI_Datatype type)
{
  uint64_t key = (uint64_t)(uintptr_t)buffer, word = 0;

  memcpy (&word, &type, sizeof type);
  key = (key ^ (uint64_t)count << 20 ^ word << 7) * UINT64_C (0x9E3779B97F4A7C15);
  return (unsigned int)(key >> 54) % BUCKETS;
}

static void
drop_type (struct lc_carrier *carrier)
{
  if (carrier->base == MPI_BOTTOM && carrier->type_count == 1)
    PMPI_Type_free (&carrier->type);
  carrier->count = -1;
}

/* Makes a datatype of the addresses of header and message, so that nothing is copied. */
static bool
make_type (struct lc_carrier *carrier, const void *buffer, int count, MPI_Datatype type)
{
  int lengths[2] = {2, count}, integers, addresses, types, combiner, size;
  MPI_Aint places[2];
  MPI_Datatype pieces[2] = {MPI_INT64_T, type};

  carrier->buffer = buffer;
  carrier->count = count;
  carrier->inner = type;
  carrier->epoch = __atomic_load_n (&epoch, __ATOMIC_RELAXED);
  carrier->bytes = 0;
  if (PMPI_Type_get_envelope (type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
    return false;
  carrier->is_named = combiner == MPI_COMBINER_NAMED;
  if (count == 0)
    {
      carrier->base = &carrier->header;
      carrier->type = MPI_INT64_T;
      carrier->type_count = 2;
      return true;
    }
  PMPI_Get_address (&carrier->header, &places[0]);
  PMPI_Get_address (buffer, &places[1]);
  if (PMPI_Type_create_struct (2, lengths, places, pieces, &carrier->type) != MPI_SUCCESS)
    return false;
  if (PMPI_Type_commit (&carrier->type) != MPI_SUCCESS)
    return false;
  carrier->base = MPI_BOTTOM;
  carrier->type_count = 1;
  if (PMPI_Type_size (type, &size) == MPI_SUCCESS)
    carrier->bytes = (int64_t)size * count;
  return true;
}

static bool
profile_carry_fits (const struct lc_carrier *carrier, const void *buffer, int count, MPI_Datatype type)
{
  return carrier->buffer == buffer && carrier->count == count && carrier->inner == type &&
         (carrier->is_named || carrier->epoch == __atomic_load_n (&epoch, __ATOMIC_RELAXED));
}

/* Returns a carrier that fits; if too many do not, one of these; or NULL. */
static struct lc_carrier *
profile_carry_take_idle (unsigned int bucket, const void *buffer, int count, MPI_Datatype type)
{
  struct lc_carrier **link = &idle[bucket], *carrier;
  int n = 0;

  while (*link != NULL && !profile_carry_fits (*link, buffer, count, type) && (++n < IDLE || (*link)->next != NULL))
    link = &(*link)->next;
  carrier = *link;
  if (carrier != NULL)
    *link = carrier->next;
  return carrier;
}

struct lc_carrier *
lc_carrier_take (const void *buffer, int count, MPI_Datatype type, int partner)
{
  struct lc_carrier *carrier;
  bool made = true;

  if (!lc_profile_carries || partner == MPI_PROC_NULL || count < 0 || type == MPI_DATATYPE_NULL)
    return NULL;
  lc_profile_lock ();
  carrier = profile_carry_take_idle (profile_carry_bucket_of (buffer, count, type), buffer, count, type);
  lc_profile_unlock ();
  if (carrier == NULL && (carrier = lc_profile_allocate (sizeof *carrier)) != NULL)
    carrier->count = -1;
  if (carrier != NULL && !profile_carry_fits (carrier, buffer, count, type))
    {
      if (carrier->count >= 0)
        drop_type (carrier);
      made = make_type (carrier, buffer, count, type);
    }
  return made ? carrier : NULL;
}

void
lc_carrier_give (struct lc_carrier *carrier)
{
  unsigned int bucket = profile_carry_bucket_of (carrier->buffer, carrier->count, carrier->inner);

  lc_profile_lock ();
  carrier->next = idle[bucket];
  idle[bucket] = carrier;
  lc_profile_unlock ();
}

void
lc_carrier_lose (struct lc_carrier *carrier)
{
  if (carrier != NULL)
    carrier->count = -1;
}

void
lc_carriers_end (void)
{
  for (int i = 0; i < BUCKETS; i++)
    for (struct lc_carrier *carrier = idle[i]; carrier != NULL; carrier = carrier->next)
      if (carrier->count >= 0)
        drop_type (carrier);
}

/* --- Headers ----------------------------------------------------------------------------------------------- */

/* Interpolates linearly between the measured sizes, and extrapolates beyond the last. */
static int64_t
profile_carry_interpolate (const int64_t costs[MEASURED], int64_t bytes)
{
  int i = 1;
  double slope;

  while (i < MEASURED - 1 && bytes > sizes[i])
    i++;
  slope = (double)(costs[i] - costs[i - 1]) / (sizes[i] - sizes[i - 1]);
  return bytes <= sizes[0] ? costs[0] : costs[i - 1] + (int64_t)(slope * (double)(bytes - sizes[i - 1]));
}

int64_t
lc_carry_cost (int64_t bytes)
{
  return profile_carry_interpolate (carry_costs, bytes);
}

void
lc_carrier_send (struct lc_carrier *carrier, struct lc_profile_call *call)
{
  lc_compensation_add (&call->thread->self, lc_carry_cost (carrier->bytes));
  carrier->header.delay = lc_compensation_delay (&call->thread->self);
  carrier->header.sent = lc_profile_one_clock ? call->go : 0;
  __atomic_fetch_add (&lc_profile_messages, 1, __ATOMIC_RELAXED);
}

void
lc_carrier_expect (struct lc_carrier *carrier)
{
  carrier->header.delay = LC_PROFILE_NO_MESSAGE;
}

void
lc_carrier_correct (MPI_Status *status)
{
  MPI_Count bytes;
  int kept;

  if (!lc_profile_carries || status == MPI_STATUS_IGNORE)
    return;
  kept = status->MPI_ERROR;
  if (PMPI_Get_elements_x (status, MPI_BYTE, &bytes) == MPI_SUCCESS &&
      bytes >= (MPI_Count)sizeof (struct lc_profile_header))
    PMPI_Status_set_elements_x (status, MPI_BYTE, bytes - (MPI_Count)sizeof (struct lc_profile_header));
  status->MPI_ERROR = kept;
}

/* --- Waiting ----------------------------------------------------------------------------------------------- */

static int
profile_carry_size_class (int64_t bytes)
{
  int class = bytes > 0 ? 64 - __builtin_clzll ((unsigned long long)bytes) : 0;

  return class < LC_PROFILE_SIZES ? class : LC_PROFILE_SIZES - 1;
}

static void
profile_carry_lower (int64_t *least, int64_t value)
{
  if (value < __atomic_load_n (least, __ATOMIC_RELAXED))
    __atomic_store_n (least, value, __ATOMIC_RELAXED);
}

void
lc_received_add (struct lc_received *received, const struct lc_carrier *carrier)
{
  const struct lc_profile_header *header = &carrier->header;
  int64_t there = INT64_MIN, latency = least_latency[profile_carry_size_class (carrier->bytes)];

  if (header->delay == LC_PROFILE_NO_MESSAGE)
    return;
  if (header->sent != 0)
    there = header->sent + (latency != INT64_MAX ? latency : 0);
  if (received->count == 0)
    *received = (struct lc_received){0, 0, INT64_MAX, INT64_MIN, INT64_MIN};
  received->count++;
  if (carrier->bytes > received->bytes)
    received->bytes = carrier->bytes;
  if (header->delay < received->least)
    received->least = header->delay;
  if (there != INT64_MIN && there > received->there)
    received->there = there;
  if (there != INT64_MIN && there - header->delay > received->bare)
    received->bare = there - header->delay;
}

/* Finds when the last message was there, and when it would have been. A receive that lasted longer than one without
 * waiting has waited for the difference, unless the shared clock shows that its message had come before. */
static void
profile_carry_arrival (const struct lc_profile_call *call, const struct lc_received *received, int64_t begin,
                       int64_t *there, int64_t *bare)
{
  int class = profile_carry_size_class (received->bytes);
  int64_t latency = least_latency[class] != INT64_MAX ? least_latency[class] : 0;

  profile_carry_lower (&least_cost[class], call->back - call->go);
  *there = call->back - least_cost[class];
  if (*there < begin)
    *there = begin;
  *bare = *there - received->least;
  if (received->there == INT64_MIN)
    return;
  if (received->there <= begin)
    *there = received->there;
  else
    profile_carry_lower (&least_latency[class], *there - (received->there - latency));
  *bare = received->bare + (*there - received->there);
}

void
lc_profile_received (struct lc_profile_call *call, const struct lc_received *received)
{
  struct lc_profile_thread *thread = call->thread;
  bool has_polled = thread->poll_begin != 0;
  int64_t begin = has_polled ? thread->poll_begin : call->go, before, measured, there, bare, would_be;

  if (received->count == 0)
    return;
  profile_carry_arrival (call, received, begin, &there, &bare);
  measured = there > begin ? there - begin : 0;
  before = lc_compensation_delay (&thread->self);
  /* The overhead of the polls was spent waiting too. */
  if (has_polled)
    thread->self.adjusted -= thread->self.overhead - thread->poll_overhead;
  would_be = lc_compensation_wait (&thread->self, begin, there, bare);
  if (has_polled)
    lc_profile_move_waiting (thread, lc_compensation_delay (&thread->self) - before, measured, would_be);
  else
    lc_profile_add_waiting (thread, measured, would_be);
  thread->poll_begin = 0;
  lc_compensation_add (&thread->self, lc_carry_cost (received->bytes));
}

/* --- Calibration ------------------------------------------------------------------------------------------- */

enum
{
  TRIES = 40,
};

/* Sends a message to this rank itself. Returns the least time of sending and receiving, and lowers `receive` to the
 * least time of receiving. */
static int64_t
profile_carry_exchange (void *from, void *to, int count, MPI_Datatype out, MPI_Datatype in, int64_t *receive)
{
  int64_t best = INT64_MAX;

  for (int i = 0; i < TRIES; i++)
    {
      MPI_Request request;
      int64_t begin = lc_profile_now (), middle, end;

      PMPI_Isend (from, count, out, 0, 0, MPI_COMM_SELF, &request);
      middle = lc_profile_now ();
      PMPI_Recv (to, count, in, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
      end = lc_profile_now ();
      PMPI_Wait (&request, MPI_STATUS_IGNORE);
      best = end - begin < best ? end - begin : best;
      *receive = end - middle < *receive ? end - middle : *receive;
    }
  return best;
}

/* Returns half of the extra time that a struct takes compared to the plain message. */
static int64_t
profile_carry_extra (unsigned char *from, unsigned char *to, int bytes, int64_t *receive)
{
  static struct lc_carrier out, in;
  int64_t plain = profile_carry_exchange (from, to, bytes, MPI_BYTE, MPI_BYTE, receive), both, unused = INT64_MAX;

  if (!make_type (&out, from, bytes, MPI_BYTE) || !make_type (&in, to, bytes, MPI_BYTE))
    return 0;
  both = profile_carry_exchange (MPI_BOTTOM, MPI_BOTTOM, 1, out.type, in.type, &unused);
  drop_type (&out);
  drop_type (&in);
  return both > plain ? (both - plain) / 2 : 0;
}

void
lc_carry_calibrate (void)
{
  size_t most = (size_t)sizes[MEASURED - 1];
  unsigned char *memory = lc_profile_allocate (2 * most);

  for (int i = 0; i < LC_PROFILE_SIZES; i++)
    least_cost[i] = least_latency[i] = INT64_MAX;
  if (memory == NULL)
    return;
  memset (memory, 1, 2 * most);
  for (int i = 0; i < MEASURED; i++)
    {
      receive_costs[i] = INT64_MAX;
      carry_costs[i] = profile_carry_extra (memory, memory + most, sizes[i], &receive_costs[i]);
      /* A larger message cannot cost less. */
      if (i > 0 && carry_costs[i] < carry_costs[i - 1])
        carry_costs[i] = carry_costs[i - 1];
      if (i > 0 && receive_costs[i] < receive_costs[i - 1])
        receive_costs[i] = receive_costs[i - 1];
    }
  for (int i = 0; i < LC_PROFILE_SIZES; i++)
    least_cost[i] = profile_carry_interpolate (receive_costs, INT64_C (1) << i);
  munmap (memory, 2 * most);
}
