// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of targets that are linked in. Each target's library defines a constant of this class, so the runtime need not name
// the targets.
#ifndef UPSWEEP_RUNTIME_TARGET_KIND_H
#define UPSWEEP_RUNTIME_TARGET_KIND_H

#include "runtime/target.h"
#include <memory>
#include <vector>

namespace upsweep {

class TargetKind {
public:
  using Make = std::vector<std::unique_ptr<Target>> (*)();

  /// `rank` orders the platform's devices; the first device of the lowest rank is the default. For objects of static storage
  /// duration, which register themselves while the library loads, before any use of the platform.
  TargetKind(int rank, Make make);
  TargetKind(const TargetKind &) = delete;
  TargetKind &operator=(const TargetKind &) = delete;

  /// The targets of all kinds, by rank. They live until the process ends.
  static std::vector<std::unique_ptr<Target>> make_all();

private:
  const int rank_;
  const Make make_;
  TargetKind *next_;  ///< with the next higher rank
};

}  // namespace upsweep
#endif
