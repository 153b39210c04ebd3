// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The images of a random kernel: a picture that it reads anywhere, and a canvas with one texel for each work-item.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_PICTURES_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_PICTURES_H

#include "kernel_program.h"

namespace upsweep::fuzz {

/// Adds images to the program, and accesses to them where they cannot change which work-items reach a collective. They are
/// drawn separately, so that a seed keeps its kernel.
void illustrate(Program &program, uint64_t seed);

[[nodiscard]] size_t texel_bytes(const Picture &picture);
/// The initial texels of an image, as rows without gaps.
[[nodiscard]] std::vector<uint8_t> texels(const Picture &picture);
/// The components that the printed expressions compute, all as uint.
[[nodiscard]] std::array<uint32_t, 4> read_texel(const Picture &picture, const uint8_t *texel);
[[nodiscard]] std::array<uint32_t, 4> border(const Picture &picture);
/// The texel that a kPaint of this value stores.
void paint_texel(const Picture &canvas, uint32_t value, uint8_t *texel);
/// A coordinate of a kTexel.
[[nodiscard]] constexpr int32_t place_in_picture(uint64_t value) { return static_cast<int32_t>(value & 31) - 4; }

}  // namespace upsweep::fuzz
#endif
