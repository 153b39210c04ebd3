// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of `upsweep bench`.
#include "bench/textbooks/options.h"

#include "cli/declare.h"

namespace upsweep::cli::textbooks {

void declare(CLI::App &app, Options &options) {
  app.description("measure the textbooks' scans and the library's on this machine");
  app.set_help_flag("-h,--help", "print this help");
  add_choice(app, "--device", options.device, "cpu|gpu|NUMBER",
             "measure an OpenCL device, by its kind or its number in `upsweep info`; default: CPU threads");
  add_file(app, "--out", options.out, "FOLDER", "a folder for bench.json and plots; created if it does not exist");
  app.add_flag("--quick", options.is_quick, "up to 2^20 elements instead of 2^26");
  add_examples(app, {{"upsweep bench --quick", "a minute's impression of this machine's threads"},
                     {"upsweep bench --device cpu --quick --out measured", "a device, with JSON and plots"}});
}

}  // namespace upsweep::cli::textbooks
