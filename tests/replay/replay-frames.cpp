// SPDX-License-Identifier: Apache-2.0
// Locks of C++, whose code is inlined from headers of the library into what uses them.
#include <mutex>
#include <thread>

namespace {

std::mutex shared;
int count;

void use()
{
  for (int i = 0; i < 3; i++) {
    std::lock_guard<std::mutex> guard(shared);
    count++;
  }
}

}

int main()
{
  std::thread other(use);

  use();
  other.join();
  return count != 6;
}
