// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The images of a random kernel: a picture that it reads anywhere, and a canvas of which each work-item has one texel.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_PICTURES_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_PICTURES_H

#include "kernel_program.h"

namespace upsweep::fuzz {

/// Adds images to the program, and accesses to them where they cannot change which work-items come to a collective. Drawn apart
/// from the rest, so that a seed keeps its kernel.
void illustrate(Program &program, uint64_t seed);

[[nodiscard]] size_t texel_bytes(const Picture &picture);
/// What an image holds at first, rows without gaps.
[[nodiscard]] std::vector<uint8_t> texels(const Picture &picture);
/// The components as the printed expressions give them, all as uint.
[[nodiscard]] std::array<uint32_t, 4> read_texel(const Picture &picture, const uint8_t *texel);
[[nodiscard]] std::array<uint32_t, 4> border(const Picture &picture);
/// What a kPaint of this value leaves.
void paint_texel(const Picture &canvas, uint32_t value, uint8_t *texel);
/// A coordinate of a kTexel.
[[nodiscard]] constexpr int32_t place_in_picture(uint64_t value) { return static_cast<int32_t>(value & 31) - 4; }

}  // namespace upsweep::fuzz
#endif
