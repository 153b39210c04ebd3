// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `upsweep` command: reads the command line and calls the verb.
#include "cli/bench/bench.h"
#include "cli/demo.h"
#include "cli/files/command_line.h"
#include "cli/info.h"
#include "cli/own_driver.h"
#include "cli/run.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <unistd.h>

namespace {

using upsweep::cli::Result;

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

int complain(std::string_view text) {
  std::fflush(stdout);  // output before the failure comes before its message
  fmt::print(stderr, "upsweep: {}\n", text);
  return kFailed;
}

// The compiler is a program of its own; all its options are its own affair.
int compile(char **arguments) {
  const std::string compiler = (upsweep::cli::executable_folder() / "upsweepc").string();
  arguments[0] = const_cast<char *>("upsweepc");
  execv(compiler.c_str(), arguments);
  return complain(fmt::format("cannot start '{}': {}", compiler, std::strerror(errno)));
}

void declare_device(CLI::App &app, std::string &device) {
  app.add_option("--device", device, "cpu, gpu, or a number as in `upsweep info`; without it the first device");
}

void declare_run(CLI::App &app, upsweep::cli::RunOptions &options) {
  app.add_option("file", options.file, "OpenCL C source")->required();
  app.add_option("--kernel", options.kernel, "name of the kernel; needed when the file has several");
  app.add_option("--global", options.global, "work-items: X[,Y[,Z]]")->required();
  app.add_option("--local", options.local, "work-items in a work-group: X[,Y[,Z]]; without it the driver chooses");
  app.add_option("--offset", options.offset, "global offset: X[,Y[,Z]]");
  // One text for each --arg, also when it holds commas.
  const auto add_list = [&](const char *name, std::vector<std::string> &list, const char *help) {
    app.add_option(name, list, help)->allow_extra_args(false);
  };
  add_list("--arg", options.arguments,
           "the next argument: file.npy, zeros:TYPE:N, range:TYPE:N, random:TYPE:N[:SEED], TYPE:VALUE (int:5, "
           "float4:1,2,3,4), local:BYTES, image:FILE or image:WxH[xD] (image:photo.png,order=RGBA,type=UNORM_INT8) or "
           "sampler:WORDS (sampler:linear,clamp_to_edge,normalized)");
  add_list("--print", options.prints, "print a buffer or an image after the run: ARGUMENT[:COUNT], by number or name");
  add_list("--out", options.outputs,
           "store a buffer or an image after the run: ARGUMENT=file.npy, or an image as a picture of 8 "
           "bits a channel: ARGUMENT=file.png");
  app.add_option("--build-options", options.build_options, "options of clBuildProgram; -cl-std=CL3.0 unless it says otherwise");
  declare_device(app, options.device);
  app.add_option("--repeat", options.repeat, "runs to time, each on the arguments as given")->check(CLI::Range(1u, 1000000u));
}

int dispatch(int argc, char **argv) {
  CLI::App app("Upsweep runs OpenCL C on this machine's processors and GPUs, and scans and sorts files.");
  app.set_version_flag("--version", UPSWEEP_VERSION);
  app.require_subcommand(1);
  bool json = false;
  auto *info = app.add_subcommand("info", "devices and their features");
  info->add_flag("--json", json, "as JSON, with every feature and extension");
  std::string device;
  declare_device(*info, device);
  auto *demo = app.add_subcommand(
      "demo", "a work-group scan explained, and scans of 2^26 ints measured on all devices, or on the one of --device");
  declare_device(*demo, device);
  upsweep::cli::bench::Options bench_options;
  auto *bench = app.add_subcommand("bench", "scans of two textbooks and the library's, measured: tables, JSON and plots");
  bench->add_option("--device", bench_options.device, "cpu, gpu or a number as in `upsweep info`; without it threads");
  bench->add_option("--out", bench_options.out, "a folder for bench.json and plots; it is made if it is not there");
  bench->add_flag("--quick", bench_options.is_quick, "up to 2^20 elements instead of 2^26");
  upsweep::cli::RunOptions run_options;
  auto *run = app.add_subcommand("run", "run one kernel of a file");
  declare_run(*run, run_options);
  const upsweep::cli::FileCommands files(app);
  app.add_subcommand("compile", "compile OpenCL C; takes the options of upsweepc")->prefix_command();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : kWrongUsage;
  }
  if (const auto on_files = files.parsed()) {
    const Result<void> done = on_files();
    return done ? 0 : complain(done.error());
  }
  upsweep::cli::prefer_own_driver();
  const Result<void> done = info->parsed()    ? upsweep::cli::info(json, device)
                            : demo->parsed()  ? upsweep::cli::demo(device)
                            : bench->parsed() ? upsweep::cli::bench::run(bench_options)
                            : run->parsed()   ? upsweep::cli::run(run_options)
                                              : Result<void>();
  return done ? 0 : complain(done.error());
}

}  // namespace

int main(int argc, char **argv) {
  if (argc > 1 && std::string_view(argv[1]) == "compile") return compile(argv + 1);
  try {
    return dispatch(argc, argv);
  } catch (const std::bad_alloc &) {
    return complain("there is not enough memory");
  }
}
