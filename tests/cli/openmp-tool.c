/* SPDX-License-Identifier: Apache-2.0 */
/* A tool of an OpenMP library that prints that it has begun, and listens to nothing. */
#include <stdint.h>
#include <unistd.h>

struct tool
{
  int (*begin) (void *lookup, int device, void *data);
  void (*end) (void *data);
  uint64_t data;
};

static int
tool_begin (void *lookup, int device, void *data)
{
  static const char text[] = "another tool\n";

  (void)lookup, (void)device, (void)data;
  return write (STDOUT_FILENO, text, sizeof text - 1) > 0;
}

static void
tool_end (void *data)
{
  (void)data;
}

struct tool *ompt_start_tool (unsigned int version, const char *runtime);

struct tool *
ompt_start_tool (unsigned int version, const char *runtime)
{
  static struct tool tool = {tool_begin, tool_end, 0};

  (void)version, (void)runtime;
  return &tool;
}
