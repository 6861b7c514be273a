/* SPDX-License-Identifier: Apache-2.0 */
/* How AddressSanitizer is to behave in a recorder that is preloaded into programs which know nothing of it. */

const char *__asan_default_options (void);

/* It comes second, and what the programs test of signals is theirs. */
__attribute__ ((visibility ("default"))) const char *
__asan_default_options (void)
{
  return "verify_asan_link_order=0:detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:"
         "handle_abort=0:use_sigaltstack=0:allow_user_segv_handler=1";
}
