// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread waits that looks at the GPU's memory or asks the CUDA driver.
#ifndef UPSWEEP_TARGETS_CUDA_PATIENCE_H
#define UPSWEEP_TARGETS_CUDA_PATIENCE_H

#include <cstdint>

namespace upsweep {

/// Between two looks: nothing for a short while, then naps that are short beside what has been waited.
class Patience {
public:
  Patience();
  void pause();
  /// Naps have begun.
  bool is_over() const;
  /// Something has happened.
  void renew();
  uint64_t waited_ns() const;

private:
  uint64_t since_ns_;
};

}  // namespace upsweep
#endif
