// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An option of sorts and merges over ranks:
//
//   part_of(m)   the results are divided so that this rank gets m of them; by default it gets as many as it gave. The ranks'
//                numbers must add up to the number of results (place.h has equal parts)
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <cstdint>

namespace upsweep::distributed {

struct part_of {
  std::uint64_t elements;
  explicit part_of(std::uint64_t number) : elements(number) {}
};

}  // namespace upsweep::distributed

#endif
