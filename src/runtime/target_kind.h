// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of targets that are linked in. Each target's library holds a constant of this class, so that the runtime names
// none.
#ifndef UPSWEEP_RUNTIME_TARGET_KIND_H
#define UPSWEEP_RUNTIME_TARGET_KIND_H

#include "runtime/target.h"
#include <memory>
#include <vector>

namespace upsweep {

class TargetKind {
public:
  using Make = std::vector<std::unique_ptr<Target>> (*)();

  /// `rank` orders the platform's devices; the first device of the least rank is the default. For objects of static storage
  /// duration: they register while the library is loaded, before anything asks for the platform.
  TargetKind(int rank, Make make);
  TargetKind(const TargetKind &) = delete;
  TargetKind &operator=(const TargetKind &) = delete;

  /// The targets of every kind, in the order of their ranks. They live until the process ends.
  static std::vector<std::unique_ptr<Target>> make_all();

private:
  const int rank_;
  const Make make_;
  TargetKind *next_;  ///< of the next greater rank
};

}  // namespace upsweep
#endif
