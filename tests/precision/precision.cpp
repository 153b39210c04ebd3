// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the errors of the math functions on the first device of the ICD loader. The results of earlier runs stay in the
// JSON file: precision --json FILE [--exhaustive] [--only NAME] [--random COUNT]. --exhaustive measures all 2^32 arguments of
// float functions with one argument.
#include "inputs.h"
#include "measure.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace upsweep::precision {
namespace {

using Json = nlohmann::ordered_json;
constexpr size_t kBlock = size_t{1} << 17;  // the arrays stay in the cache

struct Options {
  std::string json, only, device;
  bool exhaustive = false;
  size_t random = 20'000;
};

/// All numbers of the type, or chosen ones if that would take too long.
cli::Result<bool> measure(Measurement &measurement, const Function &function, const Format &format, Mode mode,
                          const Options &options) {
  const bool wide = format.bytes == 4 && options.exhaustive && mode == Mode::Full;
  const bool all = function.arguments == Arguments::Unary && (format.bytes == 2 || wide);
  // Chosen points come first: an early large error saves MPFR from many smaller errors, such as those of exp near 0.
  Points points = chosen_points(format, function.arguments, options.random);
  if (auto done = measurement.add(points); !done) return cli::Failure(done.error());
  if (!all) return false;
  const uint64_t end = uint64_t{1} << (8 * format.bytes);
  for (uint64_t first = 0; first < end; first += kBlock) {
    Points block = all_points(format, first, std::min<uint64_t>(kBlock, end - first));
    if (auto done = measurement.add(block); !done) return cli::Failure(done.error());
  }
  return true;
}

Json row_of(const Function &function, const Worst &worst, bool exhaustive) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json("infinite"); };
  return {{"error", number(worst.error)},
          {"bound", number(worst.bound)},
          {"excess", number(worst.excess)},
          {"x", fmt::format("{:a}", worst.at.x)},
          {"y", fmt::format("{:a}", worst.at.y)},
          {"n", worst.at.n},
          {"got", fmt::format("{:a}", worst.got)},
          {"wanted", worst.wanted},
          {"arguments", worst.count},
          {"exhaustive", exhaustive},
          {"float_bound", number(function.float_bound)},
          {"double_bound", number(function.double_bound)},
          {"half_bound", number(function.half_bound)}};
}

Json read_results(const std::string &path) {
  std::ifstream file(path);
  return file ? Json::parse(file, nullptr, false) : Json::object();
}

cli::Result<void> run(const Options &options) {
  const auto device = cli::choose_device(options.device).and_then(cli::open_device);
  if (!device) return cli::Failure(device.error());
  for (const Function &function : functions())
    for (const Format &format : {kHalf, kFloat, kDouble})
      for (const Mode mode : {Mode::Full, Mode::Relaxed, Mode::CorrectlyRounded}) {
        if ((!options.only.empty() && function.name != options.only) || !is_specified(function, format, mode)) continue;
        auto measurement = Measurement::create(*device, function, format, mode);
        if (!measurement) return cli::Failure(measurement.error());
        const auto exhaustive = measure(*measurement, function, format, mode, options);
        if (!exhaustive) return cli::Failure(exhaustive.error());
        const Worst &worst = measurement->worst();
        fmt::print("{} {} {}: {:.4g} ulp, at most {:.4g}{}\n", function.name, format.type, name_of(mode), worst.error,
                   worst.bound, worst.excess > 1 ? " WRONG" : "");
        std::fflush(stdout);
        Json results = read_results(options.json);  // each time: several processes may share the file's functions
        results[std::string(function.name)][std::string(format.type)][std::string(name_of(mode))] =
            row_of(function, worst, *exhaustive);
        std::ofstream(options.json + ".new") << results.dump(1) << '\n';
        std::filesystem::rename(options.json + ".new", options.json);
      }
  return {};
}

}  // namespace
}  // namespace upsweep::precision

int main(int argc, char **argv) {
  upsweep::precision::Options options;
  CLI::App app("Measures the errors of the math functions.");
  app.add_option("--json", options.json, "file with the results of this and earlier runs")->required();
  app.add_option("--only", options.only, "one function");
  app.add_option("--device", options.device, "cpu, gpu or a number");
  app.add_option("--random", options.random, "random arguments beside the special ones");
  app.add_flag("--exhaustive", options.exhaustive, "all arguments of float functions of one");
  CLI11_PARSE(app, argc, argv);
  if (const auto done = upsweep::precision::run(options); !done) {
    fmt::print(stderr, "{}\n", done.error());
    return 1;
  }
  return 0;
}
