// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a part in the whole array (place_of).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <cstdint>

namespace upsweep::distributed {

struct part_place {
  std::uint64_t begin, all;
};

}  // namespace upsweep::distributed

#endif
