/* SPDX-License-Identifier: Apache-2.0 */
/* Functions within functions, for -finstrument-functions: a tree summed in parallel, each leaf a Fibonacci number. */
#include <inttypes.h>
#include <stdio.h>

#include "example.h"
#include "lightcone/record.h"

static long depth = 3, forks = 2, leaf_number = 8;

/* The part of the tree below one node: `height` levels. */
struct tree
{
  long height;
  long forks; /* levels at which the left half gets a process of its own */
  uint64_t sum;
};

static uint64_t
fibonacci (long n)
{
  return n < 2 ? (uint64_t)n : fibonacci (n - 1) + fibonacci (n - 2);
}

static uint64_t
sum_leaf (void)
{
  return fibonacci (leaf_number);
}

static void *sum_tree (void *argument);

static void
sum_left_and_right (struct tree *left, struct tree *right)
{
  pthread_t thread;

  if (left->forks < 0)
    {
      sum_tree (left);
      sum_tree (right);
      return;
    }
  example_start (&thread, sum_tree, left);
  sum_tree (right);
  pthread_join (thread, NULL);
}

static void *
sum_tree (void *argument)
{
  struct tree *tree = argument;
  struct tree left = {.height = tree->height - 1, .forks = tree->forks - 1}, right = left;

  if (tree->height == 0)
    {
      tree->sum = sum_leaf ();
      return NULL;
    }
  sum_left_and_right (&left, &right);
  tree->sum = left.sum + right.sum;
  return NULL;
}

static uint64_t
expected_sum (void)
{
  uint64_t number = 0, next = 1;

  for (long i = 0; i < leaf_number; i++)
    {
      uint64_t sum = number + next;

      number = next;
      next = sum;
    }
  return number << depth;
}

int
main (int argc, char **argv)
{
  static bool show_time;
  static const struct example_option options[] = {
      {"depth", "levels of the tree (3)", .number = &depth, .least = 0, .most = 20},
      {"forks", "levels at which a process is created for the left half (2)", .number = &forks, .least = 0, .most = 10},
      {"fibonacci", "which Fibonacci number is in the leaves (8)", .number = &leaf_number, .least = 0, .most = 40},
      {"time", "print how long it took", .flag = &show_time},
      {NULL}};
  struct tree tree;
  uint64_t begin;

  example_options (argc, argv, "The sum of a tree of Fibonacci numbers, by recursion.", options);
  tree = (struct tree){.height = depth, .forks = forks};
  lc_name_process ("root");
  begin = example_now ();
  sum_tree (&tree);
  if (show_time)
    example_print_time (begin, example_now ());
  if (tree.sum != expected_sum ())
    example_fail ("the sum is %" PRIu64 ", not %" PRIu64, tree.sum, expected_sum ());
  printf ("nested: %" PRIu64 "\n", tree.sum);
  return 0;
}
