// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pieces stay for the next who needs one.
#include "targets/cuda/staging.h"

namespace upsweep {

Staging::Piece::~Piece() {
  std::lock_guard lock(staging_.mutex_);
  staging_.unused_.push_back(bytes_);
}

Ref<Staging::Piece> Staging::take() {
  {
    std::lock_guard lock(mutex_);
    if (!unused_.empty()) {
      char *bytes = unused_.back();
      unused_.pop_back();
      return make_ref<Piece>(*this, bytes);
    }
  }
  void *bytes = nullptr;
  if (gpu_.driver.allocate_host(&bytes, kStagingBytes, 0) != 0) return nullptr;
  return make_ref<Piece>(*this, static_cast<char *>(bytes));
}

}  // namespace upsweep
