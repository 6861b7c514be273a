/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded queue between threads, made of Qt's lock and conditions, and a semaphore for the answers. */
#include <QMutex>
#include <QQueue>
#include <QSemaphore>
#include <QThread>
#include <QWaitCondition>
#include <cstdio>

#include "compute.h"

constexpr int items = 150, room = 4;

static QMutex mutex;
static QWaitCondition filled, emptied;
static QQueue<int> queue;
static QSemaphore answers;
static int sum;

class Consumer : public QThread
{
  void run () override
  {
    for (;;)
      {
        mutex.lock ();
        while (queue.isEmpty ())
          filled.wait (&mutex);
        const int item = queue.dequeue ();
        emptied.wakeOne ();
        mutex.unlock ();
        if (item == 0)
          return;
        compute (4);
        mutex.lock ();
        sum += item;
        mutex.unlock ();
        answers.release ();
      }
  }
};

static void
put (int item)
{
  mutex.lock ();
  while (queue.size () >= room)
    emptied.wait (&mutex);
  queue.enqueue (item);
  filled.wakeOne ();
  mutex.unlock ();
}

int
main ()
{
  Consumer consumers[2];

  for (auto &consumer : consumers)
    consumer.start ();
  for (int i = 1; i <= items; i++)
    {
      compute (1);
      put (i);
    }
  answers.acquire (items);
  put (0);
  put (0);
  for (auto &consumer : consumers)
    consumer.wait ();
  std::printf ("%d\n", sum);
  return sum == items * (items + 1) / 2 ? 0 : 1;
}
