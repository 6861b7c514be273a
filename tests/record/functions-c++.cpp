/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a C++ program that are instrumented by the compiler: methods, and those that an exception leaves. */
#include <cstdio>
#include <stdexcept>
#include <thread>

namespace shapes
{
class square
{
public:
  explicit square (int side) : side_ (side)
  {
  }

  int area () const;

private:
  int side_;
};

int
square::area () const
{
  if (side_ < 0)
    throw std::runtime_error ("less than nothing");
  return side_ * side_;
}
}

extern "C" int plain (int side);

extern "C" int
plain (int side)
{
  return shapes::square (side).area ();
}

int
main ()
{
  int in_thread = 0;

  std::printf ("%d\n", plain (3));
  try
    {
      plain (-1);
    }
  catch (const std::exception &error)
    {
      std::printf ("%s\n", error.what ());
    }
  std::thread ([&in_thread] { in_thread = plain (4); }).join ();
  std::printf ("%d\n", in_thread);
  return 0;
}
