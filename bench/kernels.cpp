// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common kernels, with the copy and the multiply-add peaks of the same run.
#include "bench/cases.h"

int main(int argc, char **argv) {
  const upsweep::bench::Suite suite = {
      "kernels",
      "Ordinary kernels. Memory-bound ones count each array's bytes once, and their share is that of the best copy kernel; a "
      "copy "
      "also brings the lines it writes into the cache, so kernels that only read, or write what they read, can exceed 100 %. "
      "Compute-bound ones have the best multiply-add kernel on float as 100 %."};
  return upsweep::bench::run_main(argc, argv, suite, [](const upsweep::bench::Options &options) {
    std::vector<upsweep::bench::Case> cases;
    upsweep::bench::add_peaks(cases, options);
    upsweep::bench::add_launches(cases);
    upsweep::bench::add_transfers(cases, options);
    upsweep::bench::add_streams(cases, options);
    upsweep::bench::add_double_streams(cases, options);
    upsweep::bench::add_matrix(cases, options);
    upsweep::bench::add_transposes(cases, options);
    upsweep::bench::add_stencils(cases, options);
    upsweep::bench::add_async_copies(cases, options);
    upsweep::bench::add_atomics(cases, options);
    upsweep::bench::add_locks(cases, options);
    upsweep::bench::add_mandelbrot(cases, options);
    return cases;
  });
}
