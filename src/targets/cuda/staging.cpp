// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces are kept for reuse.
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
      auto piece = make_ref<Piece>(*this, unused_.back());
      unused_.pop_back();
      return piece;
    }
  }
  {
    std::lock_guard lock(mutex_);
    unused_.reserve(++num_pieces_);
  }
  void *bytes = nullptr;
  if (gpu_.driver.allocate_host(&bytes, kStagingBytes, 0) != 0) return nullptr;
  try {
    return make_ref<Piece>(*this, static_cast<char *>(bytes));
  } catch (...) {
    gpu_.driver.free_host(bytes);
    throw;
  }
}

}  // namespace upsweep
