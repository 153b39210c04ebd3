// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// arc4random() for products with a static libstdc++: std::random_device refers to it, but glibc has it only since 2.36.
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() {
  uint32_t value = 0;
  // A read of four bytes is never partial (getrandom(2)). Signals interrupt it only while the kernel's pool is not yet filled.
  while (getrandom(&value, sizeof value, 0) != sizeof value)
    if (errno != EINTR) abort();  // unreachable since Linux 3.17; arc4random() cannot report errors
  return value;
}
