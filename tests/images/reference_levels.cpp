// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mip levels that a read uses, and their weights: cl_khr_mipmap_image, whose text is OpenGL's "Texture Minification".
#include "reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>

namespace upsweep::tests {
namespace {

/// The error of a level of detail from gradients: squares, sums, a root and a logarithm in float, of at most 3 ulp, of a
/// number below 2^7.
constexpr double kLodError = 0x1p-17;
/// The error of the mixture, relative to the largest texel.
constexpr double kMixError = 0x1p-21;

/// The level of a nearest mip filter: ceil(lod + 0.5) - 1, at least the first.
size_t nearest_level(double lod) { return lod > 0.5 ? static_cast<size_t>(std::ceil(lod + 0.5) - 1) : 0; }

double bounded(const LevelSampler &sampler, double lod, size_t levels) {
  return std::clamp(std::clamp(lod, sampler.lod_min, sampler.lod_max), 0.0, static_cast<double>(levels) - 1);
}

bool may_be_mixed(const PossibleReads &low, const PossibleReads &high, double weight, double error, const Components &got) {
  for (const Colour &a : low.colours)
    for (const Colour &b : high.colours) {
      bool all = true;
      for (size_t c = 0; c < 4; ++c) {
        const double wanted = (1 - weight) * a[c] + weight * b[c];
        all = all && std::fabs(std::bit_cast<float>(got[c]) - wanted) <= error + low.error + high.error;
      }
      if (all) return true;
    }
  return false;
}

}  // namespace

double lod_of(const Image &image, const Coordinate &dx, const Coordinate &dy) {
  double squares[2] = {};
  for (unsigned d = 0; d < image.dimensions(); ++d) {
    squares[0] += std::pow(dx[d] * static_cast<double>(image.size[d]), 2);
    squares[1] += std::pow(dy[d] * static_cast<double>(image.size[d]), 2);
  }
  return std::log2(std::sqrt(std::max(squares[0], squares[1])));
}

std::optional<std::string> wrong_level_read(std::span<const Image> levels, const LevelSampler &sampler, double lod, bool exact,
                                            const Coordinate &at, const Components &got) {
  // lod + 0.5 is exact in float for multiples of 0.5, where the level changes; next to them it rounds by an ulp.
  const bool is_even = exact && 2 * lod == std::rint(2 * lod);
  const double error = is_even ? 0 : exact ? std::fabs(lod) * 0x1p-23 : kLodError;
  const double least = bounded(sampler, lod - error, levels.size()), most = bounded(sampler, lod + error, levels.size());
  std::optional<std::string> wrong;
  if (sampler.mip_filter == CL_FILTER_NEAREST) {
    for (size_t level = nearest_level(least); level <= nearest_level(most); ++level)
      if (wrong = wrong_read(levels[level], sampler.within, at, got, Precision::kFloat); !wrong) return std::nullopt;
  } else {
    // If the level is a whole number, the lower of the two levels may also be the level before it, with a weight near 1.
    for (auto low = static_cast<size_t>(std::floor(least)); low <= static_cast<size_t>(std::floor(most)); ++low) {
      const size_t high = std::min(low + 1, levels.size() - 1);
      if (!is_defined(levels[low], sampler.within, at) || !is_defined(levels[high], sampler.within, at)) return std::nullopt;
      const PossibleReads a = possible_reads(levels[low], sampler.within, at),
                          b = possible_reads(levels[high], sampler.within, at);
      const double largest = std::max(std::max(std::fabs(levels[low].largest), std::fabs(levels[low].smallest)),
                                      std::max(std::fabs(levels[high].largest), std::fabs(levels[high].smallest)));
      const double weight = std::clamp(bounded(sampler, lod, levels.size()) - static_cast<double>(low), 0.0, 1.0);
      if (may_be_mixed(a, b, weight, largest * (kMixError + 2 * error), got)) return std::nullopt;
    }
    wrong = "no mixture of two levels";
  }
  std::ostringstream text;
  text << name_of(levels[0].format) << ", " << levels.size() << " levels of " << levels[0].size[0] << " x " << levels[0].size[1]
       << " x " << levels[0].size[2] << ", lod " << lod << " in " << sampler.lod_min << " to " << sampler.lod_max << ", "
       << sampler.within.expression() << ": " << *wrong << "; got";
  for (const uint32_t bits : got) text << " " << std::bit_cast<float>(bits);
  return text.str();
}

}  // namespace upsweep::tests
