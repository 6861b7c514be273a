// SPDX-License-Identifier: Apache-2.0
// Threads of Java: a monitor, a bounded queue, a barrier.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CyclicBarrier;

class Threads {
  static int sum;

  static void compute(long milliseconds) {
    final long end = System.nanoTime() + milliseconds * 1000000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  static synchronized void add(int value) {
    compute(2);
    sum += value;
  }

  public static void main(String[] arguments) throws Exception {
    final var queue = new ArrayBlockingQueue<Integer>(2);
    final var barrier = new CyclicBarrier(3);
    final var all = new Thread[3];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Thread(() -> {
        try {
          for (int round = 0; round < 40; round++) {
            add(queue.take());
            barrier.await();
          }
        } catch (Exception problem) {
          throw new RuntimeException(problem);
        }
      });
      all[i].start();
    }
    for (int i = 0; i < 120; i++) {
      compute(1);
      queue.put(i);
    }
    for (final var thread : all) {
      thread.join();
    }
    System.out.println(sum);
  }
}
