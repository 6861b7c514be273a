/* SPDX-License-Identifier: Apache-2.0 */
/* LTTng-UST's way to say what lc_tag says: a tracepoint with two integers. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lightcone_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "record-tracepoint.h"

#if !defined(RECORD_TRACEPOINT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define RECORD_TRACEPOINT_H

#include <lttng/tracepoint.h>
#include <stdint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT (lightcone_bench, tag,
  LTTNG_UST_TP_ARGS (uint32_t, number, uint32_t, value),
  LTTNG_UST_TP_FIELDS (
    lttng_ust_field_integer (uint32_t, number, number)
    lttng_ust_field_integer (uint32_t, value, value)))
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
