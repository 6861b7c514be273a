/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: messages that are sent or received in one call. */
#include "profile.h"

#define ROUTINE(function) \
  static struct lc_profile_routine routine = {.name = #function, .kind = LC_PROFILE_MPI}; \
  struct lc_profile_call call

typedef int Send (const void *, int, MPI_Datatype, int, int, MPI_Comm);

static int
profile_messages_send_message (struct lc_profile_routine *routine, Send *send, const void *buffer, int count,
                               MPI_Datatype type, int to, int tag, MPI_Comm communicator)
{
  struct lc_profile_call call;
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, routine))
    return send (buffer, count, type, to, tag, communicator);
  carrier = lc_carrier_take (buffer, count, type, to);
  lc_profile_go (&call);
  if (carrier != NULL)
    {
      lc_carrier_send (carrier, &call);
      result = send (carrier->base, carrier->type_count, carrier->type, to, tag, communicator);
    }
  else
    result = send (buffer, count, type, to, tag, communicator);
  lc_profile_back (&call);
  if (carrier != NULL)
    lc_carrier_give (carrier);
  lc_profile_end (&call);
  return result;
}

#define SEND(function) \
  LC_PROFILE_EXPORT int MPI_##function (const void *buffer, int count, MPI_Datatype type, int to, int tag, \
                                        MPI_Comm communicator) \
  { \
    static struct lc_profile_routine routine = {.name = "MPI_" #function, .kind = LC_PROFILE_MPI}; \
\
    return profile_messages_send_message (&routine, PMPI_##function, buffer, count, type, to, tag, communicator); \
  }

SEND (Send)
SEND (Bsend)
SEND (Ssend)
SEND (Rsend)

/* Accounts for the message that came with a carrier, and gives the carrier back. */
static void
arrive (struct lc_profile_call *call, struct lc_carrier *carrier, MPI_Status *status)
{
  struct lc_received received = {0};

  if (carrier == NULL)
    return;
  if (carrier->header.delay != LC_PROFILE_NO_MESSAGE)
    {
      lc_carrier_correct (status);
      lc_received_add (&received, carrier);
      lc_profile_received (call, &received);
    }
  lc_carrier_give (carrier);
}

LC_PROFILE_EXPORT int
MPI_Recv (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Status *status)
{
  ROUTINE (MPI_Recv);
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Recv (buffer, count, type, from, tag, communicator, status);
  carrier = lc_carrier_take (buffer, count, type, from);
  if (carrier != NULL)
    lc_carrier_expect (carrier);
  lc_profile_go (&call);
  if (carrier != NULL)
    result = PMPI_Recv (carrier->base, carrier->type_count, carrier->type, from, tag, communicator, status);
  else
    result = PMPI_Recv (buffer, count, type, from, tag, communicator, status);
  lc_profile_back (&call);
  arrive (&call, carrier, status);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Mrecv (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
  ROUTINE (MPI_Mrecv);
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Mrecv (buffer, count, type, message, status);
  carrier = lc_carrier_take (buffer, count, type, *message == MPI_MESSAGE_NO_PROC ? MPI_PROC_NULL : 0);
  if (carrier != NULL)
    lc_carrier_expect (carrier);
  lc_profile_go (&call);
  if (carrier != NULL)
    result = PMPI_Mrecv (carrier->base, carrier->type_count, carrier->type, message, status);
  else
    result = PMPI_Mrecv (buffer, count, type, message, status);
  lc_profile_back (&call);
  arrive (&call, carrier, status);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Sendrecv (const void *out, int n_out, MPI_Datatype out_type, int to, int out_tag, void *in, int n_in,
              MPI_Datatype in_type, int from, int in_tag, MPI_Comm communicator, MPI_Status *status)
{
  ROUTINE (MPI_Sendrecv);
  struct lc_carrier *sent, *got;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Sendrecv (out, n_out, out_type, to, out_tag, in, n_in, in_type, from, in_tag, communicator, status);
  sent = lc_carrier_take (out, n_out, out_type, to);
  got = lc_carrier_take (in, n_in, in_type, from);
  if (got != NULL)
    lc_carrier_expect (got);
  lc_profile_go (&call);
  if (sent != NULL)
    {
      lc_carrier_send (sent, &call);
      out = sent->base;
      n_out = sent->type_count;
      out_type = sent->type;
    }
  if (got != NULL)
    result = PMPI_Sendrecv (out, n_out, out_type, to, out_tag, got->base, got->type_count, got->type, from, in_tag,
                            communicator, status);
  else
    result = PMPI_Sendrecv (out, n_out, out_type, to, out_tag, in, n_in, in_type, from, in_tag, communicator, status);
  lc_profile_back (&call);
  if (sent != NULL)
    lc_carrier_give (sent);
  arrive (&call, got, status);
  lc_profile_end (&call);
  return result;
}

/* The incoming header replaces the outgoing one, as the message does. */
LC_PROFILE_EXPORT int
MPI_Sendrecv_replace (void *buffer, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                      MPI_Comm communicator, MPI_Status *status)
{
  ROUTINE (MPI_Sendrecv_replace);
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Sendrecv_replace (buffer, count, type, to, out_tag, from, in_tag, communicator, status);
  carrier = lc_carrier_take (buffer, count, type, to == MPI_PROC_NULL ? from : to);
  lc_profile_go (&call);
  if (carrier != NULL)
    {
      lc_carrier_send (carrier, &call);
      result = PMPI_Sendrecv_replace (carrier->base, carrier->type_count, carrier->type, to, out_tag, from, in_tag,
                                      communicator, status);
    }
  else
    result = PMPI_Sendrecv_replace (buffer, count, type, to, out_tag, from, in_tag, communicator, status);
  lc_profile_back (&call);
  if (carrier != NULL && from == MPI_PROC_NULL)
    lc_carrier_expect (carrier);
  arrive (&call, carrier, status);
  lc_profile_end (&call);
  return result;
}

/* --- The buffer for MPI_Bsend ------------------------------------------------------------------------------ */

static void *attached;
static int attached_size;

/* Attaches a larger buffer, with room for the headers of all messages that fit into the program's buffer. */
LC_PROFILE_EXPORT int
MPI_Buffer_attach (void *buffer, int size)
{
  ROUTINE (MPI_Buffer_attach);
  size_t messages = (size_t)(size > 0 ? size : 0) / MPI_BSEND_OVERHEAD + 1;
  size_t enough = (size_t)(size > 0 ? size : 0) + messages * 64;
  void *larger;
  int result;

  if (!lc_profile_carries || enough > INT32_MAX || !lc_profile_begin (&call, &routine))
    return PMPI_Buffer_attach (buffer, size);
  larger = lc_profile_allocate (enough);
  lc_profile_go (&call);
  result = larger != NULL ? PMPI_Buffer_attach (larger, (int)enough) : PMPI_Buffer_attach (buffer, size);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS && larger != NULL)
    {
      attached = buffer;
      attached_size = size;
    }
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Buffer_detach (void *buffer, int *size)
{
  ROUTINE (MPI_Buffer_detach);
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Buffer_detach (buffer, size);
  lc_profile_go (&call);
  result = PMPI_Buffer_detach (buffer, size);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS && attached != NULL)
    {
      *(void **)buffer = attached;
      *size = attached_size;
      attached = NULL;
    }
  lc_profile_end (&call);
  return result;
}

#if MPI_VERSION >= 4
LC_PROFILE_EXPORT int
MPI_Buffer_attach_c (void *buffer, MPI_Count size)
{
  return size <= INT32_MAX ? MPI_Buffer_attach (buffer, (int)size) : PMPI_Buffer_attach_c (buffer, size);
}

LC_PROFILE_EXPORT int
MPI_Buffer_detach_c (void *buffer, MPI_Count *size)
{
  int small = 0, result;

  if (attached == NULL)
    return PMPI_Buffer_detach_c (buffer, size);
  result = MPI_Buffer_detach (buffer, &small);
  *size = small;
  return result;
}
#endif

LC_PROFILE_EXPORT int
MPI_Type_free (MPI_Datatype *type)
{
  ROUTINE (MPI_Type_free);
  int result;

  lc_carriers_forget_types ();
  if (!lc_profile_begin (&call, &routine))
    return PMPI_Type_free (type);
  lc_profile_go (&call);
  result = PMPI_Type_free (type);
  lc_profile_back (&call);
  lc_profile_end (&call);
  return result;
}
