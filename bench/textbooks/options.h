// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the options of `upsweep bench`, for the program and for its manual page.
#ifndef UPSWEEP_BENCH_TEXTBOOKS_OPTIONS_H
#define UPSWEEP_BENCH_TEXTBOOKS_OPTIONS_H

#include "bench/textbooks/bench.h"

namespace CLI {
class App;
}

namespace upsweep::cli::textbooks {

void declare(CLI::App &app, Options &options);

}  // namespace upsweep::cli::textbooks
#endif
