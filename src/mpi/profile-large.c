/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: messages with counts of type MPI_Count, mapped to functions with counts of type int. */
#include "profile.h"

#if MPI_VERSION >= 4

/* A count and type with a large count, as another type with a small one. */
struct narrow
{
  MPI_Datatype whole; /* the type made; free it */
  MPI_Datatype type;
  int count;
};

static struct narrow
profile_large_narrow (MPI_Count count, MPI_Datatype type)
{
  struct narrow made = {MPI_DATATYPE_NULL, type, (int)count};

  if (count <= INT32_MAX || PMPI_Type_contiguous_c (count, type, &made.whole) != MPI_SUCCESS)
    return made;
  PMPI_Type_commit (&made.whole);
  made.type = made.whole;
  made.count = 1;
  return made;
}

/* Frees the type; a message that is still under way keeps it. */
static void
narrow_end (struct narrow *made)
{
  if (made->whole == MPI_DATATYPE_NULL)
    return;
  lc_carriers_forget_types ();
  PMPI_Type_free (&made->whole);
}

#define NARROW(function, parameters, ...) \
  LC_PROFILE_EXPORT int MPI_##function##_c parameters \
  { \
    struct narrow made = profile_large_narrow (count, type); \
    int result = MPI_##function (__VA_ARGS__); \
\
    narrow_end (&made); \
    return result; \
  }

#define SEND_PARAMETERS const void *buffer, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm communicator
#define RECEIVE_PARAMETERS void *buffer, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm communicator
#define SENT buffer, made.count, made.type, to, tag, communicator
#define RECEIVED buffer, made.count, made.type, from, tag, communicator

NARROW (Send, (SEND_PARAMETERS), SENT)
NARROW (Bsend, (SEND_PARAMETERS), SENT)
NARROW (Ssend, (SEND_PARAMETERS), SENT)
NARROW (Rsend, (SEND_PARAMETERS), SENT)
NARROW (Isend, (SEND_PARAMETERS, MPI_Request *request), SENT, request)
NARROW (Ibsend, (SEND_PARAMETERS, MPI_Request *request), SENT, request)
NARROW (Issend, (SEND_PARAMETERS, MPI_Request *request), SENT, request)
NARROW (Irsend, (SEND_PARAMETERS, MPI_Request *request), SENT, request)
NARROW (Send_init, (SEND_PARAMETERS, MPI_Request *request), SENT, request)
NARROW (Bsend_init, (SEND_PARAMETERS, MPI_Request *request), SENT, request)
NARROW (Ssend_init, (SEND_PARAMETERS, MPI_Request *request), SENT, request)
NARROW (Rsend_init, (SEND_PARAMETERS, MPI_Request *request), SENT, request)
NARROW (Recv, (RECEIVE_PARAMETERS, MPI_Status *status), RECEIVED, status)
NARROW (Irecv, (RECEIVE_PARAMETERS, MPI_Request *request), RECEIVED, request)
NARROW (Recv_init, (RECEIVE_PARAMETERS, MPI_Request *request), RECEIVED, request)
NARROW (Mrecv, (void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message, MPI_Status *status), buffer,
        made.count, made.type, message, status)
NARROW (Imrecv, (void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message, MPI_Request *request), buffer,
        made.count, made.type, message, request)
NARROW (Sendrecv_replace,
        (void *buffer, MPI_Count count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
         MPI_Comm communicator, MPI_Status *status),
        buffer, made.count, made.type, to, out_tag, from, in_tag, communicator, status)
NARROW (Isendrecv_replace,
        (void *buffer, MPI_Count count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
         MPI_Comm communicator, MPI_Request *request),
        buffer, made.count, made.type, to, out_tag, from, in_tag, communicator, request)
NARROW (Bcast, (void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator), buffer, made.count,
        made.type, root, communicator)

#define NARROW_BOTH(function, last) \
  LC_PROFILE_EXPORT int MPI_##function##_c (const void *out, MPI_Count n_out, MPI_Datatype out_type, int to, \
                                            int out_tag, void *in, MPI_Count n_in, MPI_Datatype in_type, int from, \
                                            int in_tag, MPI_Comm communicator, last) \
  { \
    struct narrow sent = profile_large_narrow (n_out, out_type), got = profile_large_narrow (n_in, in_type); \
    int result = MPI_##function (out, sent.count, sent.type, to, out_tag, in, got.count, got.type, from, in_tag, \
                                 communicator, end); \
\
    narrow_end (&sent); \
    narrow_end (&got); \
    return result; \
  }

NARROW_BOTH (Sendrecv, MPI_Status *end)
NARROW_BOTH (Isendrecv, MPI_Request *end)

#endif
