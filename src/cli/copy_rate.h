// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rate of a copy in this machine's memory, as a scale for kernels' rates.
#ifndef UPSWEEP_CLI_COPY_RATE_H
#define UPSWEEP_CLI_COPY_RATE_H

namespace upsweep::cli {

// The best rate of several copies of 128 MiB, in bytes read and written a second, with all processors that this process may
// use. It takes 0.2 s. The rate is 0 if there is no memory for the copies.
double measure_copy_rate();

}  // namespace upsweep::cli
#endif
