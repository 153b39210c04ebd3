// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of bench_images: each adds its cases.
#ifndef UPSWEEP_BENCH_IMAGE_CASES_H
#define UPSWEEP_BENCH_IMAGE_CASES_H

#include "bench/cases.h"
#include "bench/texels.h"

namespace upsweep::bench {

void add_image_reads(std::vector<Case> &cases, const Options &options);
void add_image_writes(std::vector<Case> &cases, const Options &options);
void add_image_filters(std::vector<Case> &cases, const Options &options);
void add_image_transfers(std::vector<Case> &cases, const Options &options);

// Larger than the caches of most processors, and of an H200.
inline Extent plane_extent(const Options &options) {
  const size_t size = options.on_gpu() ? 4096 : 2048;
  return {size, size};
}

// The same number of texels in three dimensions.
inline Extent volume_extent(const Options &options) { return {256, 256, options.on_gpu() ? 256u : 64u}; }

// The step between results that are compared with a slow reference; it is odd, so that all columns take part.
inline size_t step_of(size_t results) { return results / 20000 | 1; }

}  // namespace upsweep::bench
#endif
