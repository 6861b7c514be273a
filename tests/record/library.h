/* SPDX-License-Identifier: Apache-2.0 */
/* A library with a thread of its own. */
#ifndef TESTS_RECORD_LIBRARY_H
#define TESTS_RECORD_LIBRARY_H

/* Asks the library's thread, and waits for its answer: how often it was asked. */
int library_ask (void);

#endif
