// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How compile time grows with a kernel's length: upsweepc, offline and without a cache, on kernels of growth_shapes.h whose
// number of lines doubles. Processor time, the least of some runs. With --write the sources go to a folder, for other
// compilers.
#include "bench/child_seconds.h"
#include "bench/growth_shapes.h"
#include "bench/harness.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace upsweep::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Target {
  const char *name;
  const char *option;
};

constexpr Target kTargets[] = {{"vector", "--lanes=vector"}, {"scalar", "--lanes=scalar"}, {"ptx", "--target=cuda"}};

struct GrowthOptions {
  std::string json, compiler, only, target, folder;
  int least = 156, most = 9984, samples = 1;
  unsigned limit = 60;
};

void write_source(const std::filesystem::path &path, const std::string &text) { std::ofstream(path) << text; }

/// Seconds by number of lines, and the largest factor of a doubling. A length beyond the limit ends the row.
Json measure(const GrowthShape &shape, const Target &target, const GrowthOptions &options,
             const std::filesystem::path &folder) {
  Json seconds = Json::object(), row = {{"shape", shape.name}, {"line", shape.about}, {"target", target.name}};
  double before = 0, worst = 0;
  std::string text = fmt::format("{:7}{:21}", target.name, shape.name);
  for (int lines = options.least; lines <= options.most; lines *= 2) {
    const auto source = folder / "kernel.cl";
    write_source(source, shape.source(lines));
    std::optional<double> best;
    for (int i = 0; i < options.samples; ++i) {
      const auto sample = child_seconds(
          {options.compiler, target.option, "-cl-std=CL3.0", "-w", "-o", "/dev/null", source.string()}, options.limit);
      if (sample) best = std::min(best.value_or(*sample), *sample);
    }
    if (!best) {
      seconds[std::to_string(lines)] = nullptr;
      text += fmt::format("  no result in {} s", options.limit);
      break;
    }
    seconds[std::to_string(lines)] = *best;
    text += fmt::format(" {:7.2f}", *best);
    if (before > 0) {
      worst = std::max(worst, *best / before);
      text += fmt::format(" ({:.2f})", *best / before);
    }
    before = *best;
  }
  fmt::print(stderr, "{}\n", text);
  row["seconds"] = seconds;
  row["worst_factor"] = worst;
  return row;
}

Result<void> run(const GrowthOptions &options) {
  if (!options.folder.empty()) {
    std::filesystem::create_directories(options.folder);
    for (const GrowthShape &shape : growth_shapes())
      for (int lines = options.least; lines <= options.most; lines *= 2)
        write_source(std::filesystem::path(options.folder) / fmt::format("{}_{}.cl", shape.name, lines), shape.source(lines));
    return {};
  }
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("upsweep-growth-{}", getpid());
  std::filesystem::create_directories(folder);
  Json rows = Json::array();
  for (const Target &target : kTargets)
    for (const GrowthShape &shape : growth_shapes())
      if ((options.target.empty() || options.target == target.name) &&
          std::string(shape.name).find(options.only) != std::string::npos)
        rows.push_back(measure(shape, target, options, folder));
  std::filesystem::remove_all(folder);
  const Json output = {{"name", "compile_growth"},
                       {"about", "Processor seconds of upsweepc by the kernel's number of lines"},
                       {"context",
                        {{"processor", processor_name()},
                         {"threads", std::thread::hardware_concurrency()},
                         {"samples", options.samples},
                         {"limit_seconds", options.limit}}},
                       {"rows", rows}};
  return write_results(output.dump(1), options.json);
}

}  // namespace
}  // namespace upsweep::bench

int main(int argc, char **argv) {
  CLI::App app("Measures how compile time grows with the length of a kernel");
  upsweep::bench::GrowthOptions options;
  options.compiler = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "upsweepc").string();
  app.add_option("--json", options.json, "file for the results; without it they are printed");
  app.add_option("--compiler", options.compiler, "another upsweepc");
  app.add_option("--only", options.only, "shapes whose names contain this");
  app.add_option("--target", options.target, "one target")->check(CLI::IsMember({"vector", "scalar", "ptx"}));
  app.add_option("--least", options.least, "lines of the shortest kernels")->check(CLI::PositiveNumber);
  app.add_option("--most", options.most, "lines of the longest kernels")->check(CLI::PositiveNumber);
  app.add_option("--samples", options.samples, "runs, of which the shortest counts")->check(CLI::PositiveNumber);
  app.add_option("--limit", options.limit, "seconds that a compilation may take")->check(CLI::PositiveNumber);
  app.add_option("--write", options.folder, "write the sources to this folder and measure nothing");
  CLI11_PARSE(app, argc, argv);
  const auto done = upsweep::bench::run(options);
  if (!done) fmt::print(stderr, "{}\n", done.error());
  return done ? 0 : 1;
}
