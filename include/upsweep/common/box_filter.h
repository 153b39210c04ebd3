// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The radius of a box filter that follows from a pixel's depth. C++17.
#pragma once

#include <upsweep/common/standard.h>

#ifndef __CUDACC_RTC__
#include <cmath>
#endif

namespace upsweep::common {

// The radius of a pixel's box by its depth: `strength` * |1 - focus / depth| pixels, at most `most`. It is 0 in the plane of
// focus and approaches `strength` behind it, like the circle of confusion of a thin lens. NaNs are in focus.
template <class Depth>
struct circle_of_confusion {
  const Depth *depth;  // of each pixel: images x height x width
  float focus, strength;
  std::uint64_t most;

  UPSWEEP_HOST_DEVICE circle_of_confusion(const Depth *depths, float in_focus, float pixels, std::uint64_t at_most)
      : depth(depths), focus(in_focus), strength(pixels), most(at_most) {}
  UPSWEEP_HOST_DEVICE std::uint64_t operator()(std::uint64_t pixel) const {
    const float radius = strength * ::fabsf(1.0F - focus / static_cast<float>(depth[pixel]));
    if (!(radius > 0)) {
      return 0;
    }
    return radius < static_cast<float>(most) ? static_cast<std::uint64_t>(::roundf(radius)) : most;
  }
};

}  // namespace upsweep::common
