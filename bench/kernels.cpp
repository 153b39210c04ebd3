// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ordinary kernels, as programs have them, beside the copy and the multiply-add peaks of the same run.
#include "bench/cases.h"

int main(int argc, char **argv) {
  return upsweep::bench::run_main(argc, argv, [] {
    std::vector<upsweep::bench::Case> cases;
    upsweep::bench::add_peaks(cases);
    upsweep::bench::add_streams(cases);
    upsweep::bench::add_matrix(cases);
    upsweep::bench::add_stencils(cases);
    upsweep::bench::add_mandelbrot(cases);
    return cases;
  });
}
