// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps coordinates to texels along one axis, like ../addressing.h for one texel. Every coordinate, including NaN and garbage in
// inactive lanes, gives texels that are in the image or known to be outside.
#pragma once
#include "images/lanes/lanes.h"

#define ADDRESS_MODE(sampler) ((uint)(sampler) & UPSWEEP_SAMPLER_ADDRESS_MASK)
#define IS_NORMALIZED(sampler) (((uint)(sampler) & UPSWEEP_SAMPLER_NORMALIZED) != 0)
#define IS_LINEAR(sampler) (((uint)(sampler) & UPSWEEP_SAMPLER_LINEAR) != 0)

#define IN(i, size) (as_u(i) < (U)(uint)(size))
#define BETWEEN(x, low, high) MIN(MAX(x, (I)(low)), (I)(high))

/// Clamps to [low, high]; NaN becomes low.
INLINE F within(F x, float low, float high) {
  x = x > (F)low ? x : (F)low;
  return x < (F)high ? x : (F)high;
}

/// The unnormalised coordinate, in [0, size] for repeating modes.
INLINE F unnormalised(ulong sampler, F s, int size) {
  switch (ADDRESS_MODE(sampler)) {
  case UPSWEEP_SAMPLER_REPEAT: return (s - FLOOR(s)) * (float)size;
  case UPSWEEP_SAMPLER_MIRRORED_REPEAT:
    return __builtin_elementwise_abs(s - 2.0f * __builtin_elementwise_roundeven(0.5f * s)) * (float)size;
  default: return IS_NORMALIZED(sampler) ? s * (float)size : s;
  }
}

/// CLAMP maps texels outside to -1 or `size`.
INLINE I nearest(ulong sampler, F s, int size) {
  const F u = FLOOR(unnormalised(sampler, s, size));
  const uint mode = ADDRESS_MODE(sampler);
  if (mode == UPSWEEP_SAMPLER_REPEAT) {
    // Repeat restarts at the upper end, and mirrored repeat stays.
    const I i = TO_INT(within(u, 0.0f, (float)size));
    return i > (I)(size - 1) ? (I)0 : i;
  }
  const bool has_border = mode == UPSWEEP_SAMPLER_CLAMP;
  return TO_INT(within(u, has_border ? -1.0f : 0.0f, (float)(has_border ? size : size - 1)));
}

/// Two adjacent texels inside the image, and their weights: 0 for a texel that the border's colour replaces.
struct pair {
  I low, high;
  F low_weight, high_weight;
};

INLINE struct pair neighbours(ulong sampler, F s, int size) {
  const uint mode = ADDRESS_MODE(sampler);
  const F u = unnormalised(sampler, s, size) - 0.5f;
  const F below = FLOOR(u);
  I low = TO_INT(within(below, -2.0f, (float)size));  // farther texels are outside like these
  I high = low + 1;
  struct pair p = {0, 0, 1.0f - (u - below), u - below};
  if (mode == UPSWEEP_SAMPLER_CLAMP) {
    p.low_weight = as_f(IN(low, size) & as_i(p.low_weight));
    p.high_weight = as_f(IN(high, size) & as_i(p.high_weight));
  } else if (mode == UPSWEEP_SAMPLER_REPEAT) {
    low = low < (I)0 ? (I)(size - 1) : low;
    high = high > (I)(size - 1) ? (I)0 : high;
  }
  p.low = BETWEEN(low, 0, size - 1);
  p.high = BETWEEN(high, 0, size - 1);
  return p;
}
