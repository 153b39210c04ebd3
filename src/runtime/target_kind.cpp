// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linked list of the constants, ordered by rank.
#include "runtime/target_kind.h"

namespace upsweep {
namespace {

// Constant-initialised, since constructors in any library may use it.
constinit TargetKind *first = nullptr;

}  // namespace

TargetKind::TargetKind(int rank, Make make) : rank_(rank), make_(make) {
  TargetKind **place = &first;
  while (*place && (*place)->rank_ < rank) place = &(*place)->next_;
  next_ = *place;
  *place = this;
}

std::vector<std::unique_ptr<Target>> TargetKind::make_all() {
  std::vector<std::unique_ptr<Target>> targets;
  for (const TargetKind *kind = first; kind; kind = kind->next_)
    for (auto &target : kind->make_()) targets.push_back(std::move(target));
  return targets;
}

}  // namespace upsweep
