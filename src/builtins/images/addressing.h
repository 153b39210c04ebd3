// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps coordinates to texels along one axis (specification: "Addressing and Filter Modes"). No coordinate, NaN and infinity included,
// leads outside the image's memory: a texel outside has the border's colour in every mode without another rule.
#pragma once
#include "images/image.h"

DECLARED float floor(float);
DECLARED float rint(float);
DECLARED float fabs(float);

#define ADDRESS_MODE(sampler) ((uint)(sampler) & 14)
#define IS_NORMALIZED(sampler) (((uint)(sampler) & CLK_NORMALIZED_COORDS_TRUE) != 0)
#define IS_LINEAR(sampler) (((uint)(sampler) & CLK_FILTER_LINEAR) != 0)

/// Clamps to [low, high]; NaN becomes low.
HELPER float within(float x, float low, float high) {
  x = x > low ? x : low;
  return x < high ? x : high;
}

/// The unnormalised coordinate, in [0, size] for repeating modes.
HELPER float unnormalised(uint mode, bool is_normalised, float s, int size) {
  if (mode == CLK_ADDRESS_REPEAT) return (s - floor(s)) * (float)size;
  if (mode == CLK_ADDRESS_MIRRORED_REPEAT) return fabs(s - 2.0f * rint(0.5f * s)) * (float)size;
  return is_normalised ? s * (float)size : s;
}

HELPER int nearest(uint mode, bool is_normalised, float s, int size) {
  const float u = floor(unnormalised(mode, is_normalised, s, size));
  // Repeat restarts at the upper end, and mirrored repeat stays.
  if (mode == CLK_ADDRESS_REPEAT) {
    const int i = (int)within(u, 0.0f, (float)size);
    return i > size - 1 ? 0 : i;
  }
  return mode == CLK_ADDRESS_CLAMP ? (int)within(u, -1.0f, (float)size) : (int)within(u, 0.0f, (float)(size - 1));
}

/// Two adjacent texels inside the image, and their weights: 0 for a texel that the border's colour replaces.
struct pair {
  int low, high;
  float low_weight, high_weight;
};

HELPER struct pair neighbours(uint mode, bool is_normalised, float s, int size) {
  const float u = unnormalised(mode, is_normalised, s, size) - 0.5f;
  const float below = floor(u);
  int low = (int)within(below, -2.0f, (float)size);  // farther texels are outside like these
  int high = low + 1;
  struct pair p = {0, 0, 1.0f - (u - below), u - below};
  if (mode == CLK_ADDRESS_CLAMP) {
    p.low_weight = IN(low, size) ? p.low_weight : 0.0f;
    p.high_weight = IN(high, size) ? p.high_weight : 0.0f;
  } else if (mode == CLK_ADDRESS_REPEAT) {
    low = low < 0 ? size - 1 : low;
    high = high > size - 1 ? 0 : high;
  }
  p.low = BETWEEN(low, 0, size - 1);
  p.high = BETWEEN(high, 0, size - 1);
  return p;
}
