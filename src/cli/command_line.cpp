// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the verbs, and starts the programs behind three of them.
#include "cli/command_line.h"

#include "cli/declare.h"
#include "cli/demo.h"
#include "cli/info.h"
#include "cli/own_driver.h"
#include "cli/ratio.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace upsweep::cli {
namespace {

constexpr int64_t kMostRuns = 1'000'000;

Result<void> become(const std::filesystem::path &program, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program.filename().string());
  std::vector<char *> words;
  for (std::string &word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  std::fflush(stdout);
  execv(program.c_str(), words.data());
  return fail("cannot start '{}': {}", program.string(), std::strerror(errno));
}

void declare_device(CLI::App &app, std::string &device) {
  add_choice(app, "--device", device, "cpu|gpu|NUMBER",
             "the kind of device, or its number in `upsweep info`; default: the first device");
}

// Each occurrence of the option takes one text, even with commas.
void add_list(CLI::App &app, const std::string &name, std::vector<std::string> &list, const std::string &value,
              const std::string &help) {
  app.add_option(name, list, help)->allow_extra_args(false)->type_name(value);
}

}  // namespace

Result<void> become_compiler(const std::vector<std::string> &arguments) {
  return become(executable_folder() / "upsweepc", arguments);
}

Result<void> become_bench(const std::vector<std::string> &arguments) {
  prefer_own_driver();
  return become(executable_folder().parent_path() / "libexec/upsweep/upsweep-bench", arguments);
}

CommandLine::CommandLine(const std::string &version)
    : app_("run OpenCL C on this machine's processors and GPUs, and scan, sort and blur files") {
  app_.set_help_flag("-h,--help", "print this help");
  app_.set_version_flag("--version", version, "print the version");
  app_.require_subcommand(1);
  add_info();
  add_demo();
  add_run();
  add_check();
  add_profile();
  add_explain();
  add_bench_kernel();
  files_.emplace(app_);
  app_.add_subcommand("bench", "measure the textbooks' scans and the library's on this machine")->prefix_command();
  app_.add_subcommand("compile", "compile OpenCL C, with the options of upsweepc")->prefix_command();
  add_cache();
  add_help();
  add_examples(app_, {{"upsweep info", "the devices of this machine"},
                      {"upsweep run scan.cl --global 8 --local 8 --arg range:int:8 --arg zeros:int:8 --print out", "a kernel"},
                      {"upsweep scan sales.csv --column amount", "the running totals of a column"}});
}

void CommandLine::add_info() {
  auto *verb = app_.add_subcommand("info", "list the devices and their features");
  verb->add_flag("--json", is_json_, "print JSON, with every feature and extension");
  declare_device(*verb, device_);
  add_examples(
      *verb, {{"upsweep info", "all devices"}, {"upsweep info --device cpu --json", "everything about the CPU, for programs"}});
}

void CommandLine::add_demo() {
  auto *verb = app_.add_subcommand("demo", "explain a work-group scan, and measure scans of 2^26 ints");
  declare_device(*verb, device_);
  add_examples(*verb, {{"upsweep demo --device cpu", "on the CPU alone"}});
}

// The kernel, its range and its arguments.
void CommandLine::add_launch(CLI::App &verb, RunOptions &options) {
  add_file(verb, "file", options.file, "FILE", "OpenCL C source, or a module of SPIR-V")->required();
  add_text(verb, "--kernel", options.kernel, "NAME", "name of the kernel; needed when the file has several");
  add_text(verb, "--global", options.global, "X[,Y[,Z]]", "work-items")->required();
  add_text(verb, "--local", options.local, "X[,Y[,Z]]", "work-items in a work-group; default: the driver chooses");
  add_text(verb, "--offset", options.offset, "X[,Y[,Z]]", "global offset");
  add_list(verb, "--arg", options.arguments, "ARGUMENT|FILE",
           "the next argument: file.npy, zeros:TYPE:N, range:TYPE:N, random:TYPE:N[:SEED], TYPE:VALUE (int:5, "
           "float4:1,2,3,4), local:BYTES, image:FILE or image:WxH[xD] (image:photo.png,order=RGBA,type=UNORM_INT8) or "
           "sampler:WORDS (sampler:linear,clamp_to_edge,normalized)");
  add_text(verb, "--build-options", options.build_options, "OPTIONS",
           "options for clBuildProgram; -cl-std=CL3.0 is added if they set no version");
  declare_device(verb, options.device);
}

void CommandLine::add_run() {
  auto *verb = app_.add_subcommand("run", "run one kernel of a file");
  add_launch(*verb, run_);
  add_list(*verb, "--print", run_.prints, "ARGUMENT[:COUNT]",
           "print a buffer or an image after the run, by its number or name");
  add_list(*verb, "--out", run_.outputs, "ARGUMENT=FILE",
           "store a buffer or an image after the run in a .npy file, or an image as a picture (.png) of 8 bits a channel");
  verb->add_flag("--check", run_.checks, "check the kernel's memory accesses, on the CPU; the status is 1 after a finding");
  add_whole(
      *verb, "--repeat", 1, kMostRuns, [this](int64_t number) { run_.repeat = static_cast<unsigned>(number); },
      "number of timed runs; each starts from the given arguments");
  add_examples(*verb, {{"upsweep run scan.cl --global 8 --local 8 --arg range:int:8 --arg zeros:int:8 --print out",
                        "eight numbers, printed"},
                       {"upsweep run scan.cl --global 2^20 --local 256 --arg random:int:2^20 --arg zeros:int:2^20 --repeat 10 "
                        "--out out=sums.npy",
                        "measured, and stored"}});
}

void CommandLine::add_bench_kernel() {
  auto *verb = app_.add_subcommand("bench-kernel", "measure two versions of a kernel alternately, and compare their results");
  add_launch(*verb, bench_kernel_.run);
  add_text(*verb, "--against", bench_kernel_.against, "FILE", "the earlier version: a file, or REVISION:FILE of git")
      ->required();
  add_whole(
      *verb, "--turns", kLeastTurns, kMostRuns, [this](int64_t number) { bench_kernel_.turns = static_cast<unsigned>(number); },
      "number of turns, each with a run of both versions; default: 50");
  add_real(*verb, "--fail-above", bench_kernel_.fail_above, 0.001, 1000,
           "the status is 1 if the whole interval of the ratio, now to earlier, is above this number");
  add_real(*verb, "--tolerance", bench_kernel_.tolerance, 0, 1,
           "the relative difference of results in reals that is allowed; default: 0");
  verb->add_flag("--json", bench_kernel_.is_json, "print JSON");
  add_examples(*verb,
               {{"upsweep bench-kernel scan.cl --against scan.cl --turns 6 --global 2^16 --local 256 --arg random:int:2^16 "
                 "--arg zeros:int:2^16",
                 "the ratio of a kernel's times to its own, which is about 1"}});
}

void CommandLine::add_check() {
  auto *verb = app_.add_subcommand("check", "run a program, whose name and arguments follow, and check its kernels");
  verb->prefix_command();
  add_text(*verb, "--checks", check_.checks, "memory|barrier|race|init|arithmetic|all|LIST",
           "the checks, with commas between them; default: all, which leaves arithmetic out");
  add_file(*verb, "--log", check_.log, "FILE",
           "also store the findings: as JSON lines, or as SARIF if the name ends with .sarif");
  add_file(*verb, "--suppress", check_.suppress, "FILE", "findings that are not reported");
  add_examples(*verb, {{"upsweep check upsweep info", "a program without findings"}});
}

void CommandLine::add_profile() {
  auto *verb = app_.add_subcommand("profile", "run a program, whose name and arguments follow, and print where its time went");
  verb->prefix_command();
  add_file(*verb, "--trace", profile_.trace, "FILE", "also store a timeline, which ui.perfetto.dev opens");
  add_file(*verb, "--json", profile_.json, "FILE", "also store the tables as JSON");
  add_file(*verb, "--summary", profile_.summary, "FILE", "store the tables here instead of printing them to standard error");
  add_text(*verb, "--kernel", profile_.kernel, "NAME", "the only kernel in the tables");
  add_examples(*verb, {{"upsweep profile upsweep run scan.cl --global 8 --local 8 --arg range:int:8 --arg zeros:int:8",
                        "where the time of a program went"},
                       {"upsweep profile --trace timeline.json upsweep info", "with a timeline"}});
}

void CommandLine::add_explain() {
  auto *verb =
      app_.add_subcommand("explain", "show what the compiler makes of each access, branch and barrier of a kernel, on CPUs");
  add_file(*verb, "file", explain_.file, "FILE", "OpenCL C source")->required();
  add_text(*verb, "--build-options", explain_.build_options, "OPTIONS",
           "options for clBuildProgram; -cl-std=CL3.0 is added if they set no version");
  verb->add_flag("--json", explain_.is_json, "print the remarks alone, as JSON");
  add_file(*verb, "--html", explain_.page, "FILE", "store the source with its remarks, beside the machine code, as a page");
  add_examples(*verb, {{"upsweep explain scan.cl", "the source, with remarks below its lines"}});
}

void CommandLine::add_cache() {
  auto *verb = app_.add_subcommand("cache", "show the driver's cache of compiled programs, or empty it");
  verb->add_flag("--purge", purges_, "remove all compiled programs; other files stay");
  add_examples(*verb, {{"upsweep cache", "its place, size and bound"}, {"upsweep cache --purge", "free the disk"}});
}

void CommandLine::add_help() {
  std::string verbs;
  for (const CLI::App *verb : app_.get_subcommands([](const CLI::App *) { return true; })) verbs += verb->get_name() + "|";
  verbs.pop_back();
  auto *verb = app_.add_subcommand("help", "list the verbs, or show the options of one");
  add_text(*verb, "verb", of_help_, verbs, "a verb");
  add_examples(*verb, {{"upsweep help scan", "the same as `upsweep scan --help`"}});
}

// The words behind the options of a verb that starts a program.
Result<std::vector<std::string>> CommandLine::program_of(const CLI::App &verb) {
  std::vector<std::string> words = verb.remaining();
  // CLI11 takes an unknown option for the program.
  if (!words.empty() && words[0].starts_with('-'))
    return misuse("unknown option '{}'{}", words[0],
                  usage::suggestion(words[0], usage::option_names(describe(verb, verb.get_name()))));
  return words;
}

Result<int> CommandLine::run() const {
  if (const CLI::App *verb = app_.get_subcommand("profile"); verb->parsed())
    return program_of(*verb).and_then([&](const std::vector<std::string> &words) { return profile_program(profile_, words); });
  return run_verb().map([] { return 0; });
}

Result<void> CommandLine::run_verb() const {
  if (const auto on_files = files_->parsed()) return on_files();
  if (app_.got_subcommand("cache")) return become_compiler({purges_ ? "--cache=purge" : "--cache=show"});
  prefer_own_driver();
  if (app_.got_subcommand("info")) return info(is_json_, device_);
  if (app_.got_subcommand("demo")) return demo(device_);
  if (app_.got_subcommand("bench-kernel")) return bench_kernel(bench_kernel_);
  if (app_.got_subcommand("explain")) return explain(explain_);
  if (const CLI::App *verb = app_.get_subcommand("check"); verb->parsed())
    return program_of(*verb).and_then([&](const std::vector<std::string> &words) { return check_program(check_, words); });
  return cli::run(run_);
}

}  // namespace upsweep::cli
