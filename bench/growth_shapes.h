// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C sources with a given number of lines. There is a generator for each shape of code that has made a compiler's time
// grow faster than the source.
#ifndef UPSWEEP_BENCH_GROWTH_SHAPES_H
#define UPSWEEP_BENCH_GROWTH_SHAPES_H

#include <span>
#include <string>

namespace upsweep::bench {

struct GrowthShape {
  const char *name;
  const char *about;  ///< the line that is repeated
  std::string (*source)(int lines);
};

std::span<const GrowthShape> growth_shapes();

}  // namespace upsweep::bench
#endif
