// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each turn runs both versions, in a random order, so that changes of the machine's speed reach both alike.
#include "cli/bench_kernel.h"

#include "cli/git_file.h"
#include "cli/launch.h"
#include "cli/prepare.h"
#include "cli/ratio.h"
#include "cli/results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>

namespace upsweep::cli {
namespace {

constexpr unsigned kWarmUps = 2;

struct Version {
  std::string label;
  std::string source;
  PreparedKernel prepared{};
  Launcher launcher{};
  std::vector<double> seconds{};
};

Failure about(const Version &version, const Error &error) {
  return Failure(Error(fmt::format("{}: {}", version.label, error), error.is_misuse));
}

Result<std::string> read_version(const std::string &name) {
  std::error_code error;
  const bool is_in_git = !std::filesystem::exists(name, error) && name.find(':') != std::string::npos;
  return is_in_git ? read_from_git(name) : read_text(name);
}

Result<void> prepare(const Device &device, const BenchKernelOptions &options, const LaunchRange &range, Version &version) {
  std::string log;
  const auto program = build_program(device, version.source, complete_build_options(options.run.build_options), &log);
  if (!program) return about(version, program.error());
  if (!log.empty()) fmt::print(stderr, "{}:\n{}\n", version.label, log);
  auto prepared = prepare_kernel(*program, options.run.kernel, options.run.arguments);
  if (!prepared) return about(version, prepared.error());
  version.prepared = *std::move(prepared);
  auto &[kernel, parameters, arguments] = version.prepared;
  auto launcher = Launcher::create(device, kernel, parameters, range, arguments);
  if (!launcher) return about(version, launcher.error());
  version.launcher = *std::move(launcher);
  return {};
}

Result<void> run_once(Version &version) {
  const auto seconds = version.launcher.run_once(version.prepared.arguments);
  if (!seconds) return about(version, seconds.error());
  version.seconds.push_back(std::max(*seconds, 1e-9));  // a clock's step
  return {};
}

// The first runs, which are not counted, and their results.
Result<void> warm_up(Version &ours, Version &theirs, double tolerance) {
  std::vector<HostArgument> results[2];
  for (Version *version : {&ours, &theirs}) {
    for (unsigned i = 0; i < kWarmUps; ++i)
      if (auto done = run_once(*version); !done) return done;
    version->seconds.clear();
    auto &into = results[version == &theirs];
    into = version->prepared.arguments;
    if (auto done = version->launcher.read_results(into); !done) return about(*version, done.error());
  }
  return compare_results(ours.prepared.parameters, results[0], results[1], tolerance);
}

Result<Ratio> measure(Version &ours, Version &theirs, unsigned turns) {
  std::mt19937 random(std::random_device{}());
  std::vector<double> ratios;
  for (unsigned turn = 0; turn < turns; ++turn) {
    const bool is_ours_first = random() % 2;
    for (Version *version : {is_ours_first ? &ours : &theirs, is_ours_first ? &theirs : &ours})
      if (auto done = run_once(*version); !done) return Failure(done.error());
    ratios.push_back(ours.seconds.back() / theirs.seconds.back());
  }
  return ratio_of(ratios);
}

nlohmann::json json_of(const Version &version) {
  return {{"version", version.label},
          {"median_ns", std::llround(median_of(version.seconds) * 1e9)},
          {"best_ns", std::llround(*std::ranges::min_element(version.seconds) * 1e9)}};
}

void print_json(const Device &device, const BenchKernelOptions &options, const Version &ours, const Version &theirs,
                const Ratio &ratio, bool fails) {
  nlohmann::json all{{"kernel", ours.prepared.kernel.getInfo<CL_KERNEL_FUNCTION_NAME>()},
                     {"device", device.device.getInfo<CL_DEVICE_NAME>()},
                     {"turns", options.turns},
                     {"now", json_of(ours)},
                     {"earlier", json_of(theirs)},
                     {"ratio", {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}}},
                     {"confidence", kConfidence},
                     {"fails", fails}};
  all["fail_above"] = options.fail_above > 0 ? nlohmann::json(options.fail_above) : nlohmann::json();
  fmt::print("{}\n", all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(const Version &ours, const Version &theirs, const Ratio &ratio, unsigned turns) {
  const size_t width = std::max(ours.label.size(), theirs.label.size());
  for (const Version *version : {&ours, &theirs})
    fmt::print("{:<{}}  {:.4f} ms (median of {}, best {:.4f} ms)\n", version->label, width, median_of(version->seconds) * 1e3,
               turns, *std::ranges::min_element(version->seconds) * 1e3);
  const char *verdict = ratio.low > 1 ? "slower" : ratio.high < 1 ? "faster" : "no difference was found";
  fmt::print("ratio  {:.3f}, from {:.3f} to {:.3f} with a confidence of {:.0f} %: {}\n", ratio.median, ratio.low, ratio.high,
             kConfidence * 100, verdict);
}

}  // namespace

Result<void> bench_kernel(const BenchKernelOptions &options) {
  const auto range = parse_range(options.run.global, options.run.local, options.run.offset);
  if (!range) return Failure(range.error());
  const auto our_source = read_text(options.run.file);
  if (!our_source) return Failure(our_source.error());
  const auto their_source = read_version(options.against);
  if (!their_source) return Failure(Error(fmt::format("--against: {}", their_source.error()), their_source.error().is_misuse));
  Version ours{options.run.file.string(), *our_source}, theirs{options.against, *their_source};
  const auto device = choose_device(options.run.device).and_then(open_device);
  if (!device) return Failure(device.error());
  for (Version *version : {&ours, &theirs})
    if (auto done = prepare(*device, options, *range, *version); !done) return done;
  if (auto done = warm_up(ours, theirs, options.tolerance); !done) return done;
  const auto ratio = measure(ours, theirs, options.turns);
  if (!ratio) return Failure(ratio.error());
  const bool fails = options.fail_above > 0 && ratio->low > options.fail_above;
  if (options.is_json)
    print_json(*device, options, ours, theirs, *ratio, fails);
  else
    print_text(ours, theirs, *ratio, options.turns);
  if (fails)
    return fail("the kernel is slower: the ratio's interval begins at {:.3f}, above {}", ratio->low, options.fail_above);
  return {};
}

}  // namespace upsweep::cli
