// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images compared with buffers of the same texels, and with other drivers' images.
#include "bench/image_cases.h"

int main(int argc, char **argv) {
  const upsweep::bench::Suite suite = {"images", "Reads, writes and filters of images, and the host's commands on them. The "
                                                 "share is that of the fastest plain loads, stores or "
                                                 "copies of the same bytes by buffers, on any of the platforms."};
  return upsweep::bench::run_main(argc, argv, suite, [](const upsweep::bench::Options &options) {
    std::vector<upsweep::bench::Case> cases;
    upsweep::bench::add_image_reads(cases, options);
    upsweep::bench::add_image_writes(cases, options);
    upsweep::bench::add_image_filters(cases, options);
    upsweep::bench::add_image_transfers(cases, options);
    return cases;
  });
}
