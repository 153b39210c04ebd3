// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and threads that run out when a test says so: the test program provides the driver's allocations and pthread_create.
#ifndef UPSWEEP_TESTS_API_FAILING_SYSTEM_H
#define UPSWEEP_TESTS_API_FAILING_SYSTEM_H

#include <cstdint>

namespace upsweep::tests {

/// During its life, allocations of all threads fail after the first `num_given`: a single one, or all that follow.
class FailingMemory {
public:
  FailingMemory(int64_t num_given, bool fails_for_good);
  ~FailingMemory();
  /// Whether an allocation has failed.
  bool has_struck() const;
};

/// During its life, no thread can be started.
class NoThreads {
public:
  NoThreads();
  ~NoThreads();
};

}  // namespace upsweep::tests
#endif
