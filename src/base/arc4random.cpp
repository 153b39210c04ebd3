// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// arc4random() for products with a static libstdc++: its std::random_device names it, and glibc has it only since 2.36.
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() {
  uint32_t value = 0;
  // Four bytes are never cut short (getrandom(2)); a signal interrupts only while the kernel's pool is not yet filled.
  while (getrandom(&value, sizeof value, 0) != sizeof value)
    if (errno != EINTR) abort();  // no kernel since 3.17 gets here; arc4random() has no way to report an error
  return value;
}
