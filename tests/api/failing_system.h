// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and threads that run out when a test says so: the driver's allocations and pthread_create are the test program's.
#ifndef UPSWEEP_TESTS_API_FAILING_SYSTEM_H
#define UPSWEEP_TESTS_API_FAILING_SYSTEM_H

#include <cstdint>

namespace upsweep::tests {

/// While it lives, allocations of all threads but for the first `num_given` fail: one of them, or all from there on.
class FailingMemory {
public:
  FailingMemory(int64_t num_given, bool fails_for_good);
  ~FailingMemory();
  /// Whether an allocation has failed.
  bool has_struck() const;
};

/// While it lives, no thread can be started.
class NoThreads {
public:
  NoThreads();
  ~NoThreads();
};

}  // namespace upsweep::tests
#endif
