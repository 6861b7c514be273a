/* SPDX-License-Identifier: Apache-2.0 */
/* The wrapper of the function by which clang's programs begin a region. */
#ifndef LC_RECORD_OPENMP_FORK_H
#define LC_RECORD_OPENMP_FORK_H

#if defined(__x86_64__)
/*
 * Defines __kmpc_fork_call, which asks `forks` (routine, caller) for the library's function.
 *
 * The library tells its tool where it was called, but not for which routine; and where the call is the last of its
 * function, that is the place of another call. How many arguments there are only the library knows, so it is jumped to.
 */
#define LC_OPENMP_FORK_CALL(forks) \
  __asm__(".text\n" \
          ".globl __kmpc_fork_call\n" \
          ".type __kmpc_fork_call, @function\n" \
          "__kmpc_fork_call:\n" \
          ".cfi_startproc\n" \
          "push %rdi\n" \
          "push %rsi\n" \
          "push %rdx\n" \
          "push %rcx\n" \
          "push %r8\n" \
          "push %r9\n" \
          "push %rax\n" \
          ".cfi_adjust_cfa_offset 56\n" \
          "mov %rdx, %rdi\n" \
          "mov 56(%rsp), %rsi\n" \
          "call " #forks "\n" \
          "mov %rax, %r11\n" \
          "pop %rax\n" \
          "pop %r9\n" \
          "pop %r8\n" \
          "pop %rcx\n" \
          "pop %rdx\n" \
          "pop %rsi\n" \
          "pop %rdi\n" \
          ".cfi_adjust_cfa_offset -56\n" \
          "jmp *%r11\n" \
          ".cfi_endproc\n" \
          ".size __kmpc_fork_call, . - __kmpc_fork_call\n")
#endif

#endif
