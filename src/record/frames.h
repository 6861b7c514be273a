/* SPDX-License-Identifier: Apache-2.0 */
/* Where a function's caller is found, from the tables that programs carry for exceptions. */
#ifndef LC_RECORD_FRAMES_H
#define LC_RECORD_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/* What an offset of a rule counts from. */
enum lc_frame_base
{
  LC_FRAME_NONE,  /* not saved: the register still has the value; for a return address: there is no caller */
  LC_FRAME_STACK, /* the stack pointer */
  LC_FRAME_FRAME, /* the frame pointer */
  LC_FRAME_CFA,   /* the canonical frame address: the stack pointer before the call */
};

/*
 * How to go from one frame to that of its caller. It is the same each time that the program is at this address. The CFA
 * is at the offset from its base, or stored there; the others are stored at theirs.
 */
struct lc_frame_rule
{
  int32_t cfa_offset, frame_offset, return_offset;
  uint8_t cfa_base; /* LC_FRAME_NONE: no rule is known */
  uint8_t cfa_is_stored;
  uint8_t frame_base;
  uint8_t return_base;
  uint8_t is_signal; /* the frame of a signal handler's caller: its address is not a return address */
};

/* The memory of a module that the tables may be in. */
struct lc_frame_bounds
{
  const unsigned char *begin, *end;
};

/*
 * Finds the rule at an address by the module's .eh_frame_hdr. False: the tables do not say, or say it in a way that is
 * not understood. No system call, no memory.
 */
bool lc_frame_rule_find (const void *header, const struct lc_frame_bounds *bounds, uintptr_t address,
                         struct lc_frame_rule *rule);

#endif
