// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Growth of compile time with a kernel's length: upsweepc, offline and without a cache, compiles kernels of growth_shapes.h,
// whose number of lines doubles. Times are processor time, the least of some runs. With --platforms each platform of the ICD
// loader that has a CPU builds and launches the same kernels; with --write the sources go to a folder, for other compilers.
#include "bench/child_seconds.h"
#include "bench/growth_build.h"
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

/// A compile command, without the source's path.
struct Target {
  std::string name, version;
  std::vector<std::string> command;
  int most;
};

struct GrowthOptions {
  std::string json, compiler, only, target, folder, child_platform, child_source, command_line;
  int least = 156, most = 9984, most_of_peers = 2496, samples = 1;
  unsigned limit = 60;
  bool platforms = false;
};

constexpr const char *kOurs = "Upsweep";

void write_source(const std::filesystem::path &path, const std::string &text) { std::ofstream(path) << text; }

/// `only`: names separated by commas; empty means all.
bool is_chosen(const GrowthShape &shape, const std::string &only) {
  return only.empty() || ("," + only + ",").find("," + std::string(shape.name) + ",") != std::string::npos;
}

/// Seconds by number of lines, and the largest factor of a doubling. A length beyond the time limit ends the row.
Json measure(const GrowthShape &shape, const Target &target, const GrowthOptions &options,
             const std::filesystem::path &folder) {
  std::vector<std::string> command = target.command;
  command.push_back((folder / "kernel.cl").string());
  Json seconds = Json::object(), row = {{"shape", shape.name}, {"line", shape.about}, {"target", target.name}};
  double before = 0, worst = 0;
  std::string text = fmt::format("{:28.27}{:21}", target.name, shape.name);
  for (int lines = options.least; lines <= target.most; lines *= 2) {
    write_source(command.back(), shape.source(lines));
    std::optional<double> best;
    for (int i = 0; i < options.samples; ++i) {
      const auto sample = child_seconds(command, options.limit);
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

std::vector<Target> compiler_targets(const GrowthOptions &options) {
  std::vector<Target> targets;
  for (const auto &[name, option] :
       {std::pair("vector", "--lanes=vector"), {"scalar", "--lanes=scalar"}, {"ptx", "--target=cuda"}})
    if (options.target.empty() || options.target == name)
      targets.push_back({name, "", {options.compiler, option, "-cl-std=CL3.0", "-w", "-o", "/dev/null"}, options.most});
  return targets;
}

/// The drivers' caches are off. Our platform comes first.
Result<std::vector<Target>> platform_targets(const GrowthOptions &options) {
  setenv("UPSWEEP_CACHE", "0", 1);
  setenv("POCL_KERNEL_CACHE", "0", 1);
  const auto platforms = cpu_platforms();
  if (!platforms) return Failure(platforms.error());
  std::vector<Target> targets;
  for (const auto &[name, version] : *platforms) {
    const bool ours = name == kOurs;
    Target target = {name,
                     version,
                     {"/proc/self/exe", "--child", name, "--source"},
                     ours ? options.most : std::min(options.most, options.most_of_peers)};
    targets.insert(ours ? targets.begin() : targets.end(), std::move(target));
  }
  return targets;
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
  const auto targets = options.platforms ? platform_targets(options) : compiler_targets(options);
  if (!targets) return Failure(targets.error());
  Json rows = Json::array(), platforms = Json::array();
  for (const GrowthShape &shape : growth_shapes())
    for (const Target &target : *targets)
      if (is_chosen(shape, options.only)) rows.push_back(measure(shape, target, options, folder));
  if (options.platforms)
    for (Target target : *targets) {
      target.command.push_back("");
      const auto start = child_seconds(target.command, options.limit);
      platforms.push_back({{"name", target.name}, {"version", target.version}, {"start_seconds", start.value_or(0)}});
    }
  std::filesystem::remove_all(folder);
  const Json output = {{"name", "compile_growth"},
                       {"about", "Processor seconds of a compilation by the kernel's number of lines"},
                       {"context",
                        {{"command", options.command_line},
                         {"date", today()},
                         {"processor", processor_name()},
                         {"threads", std::thread::hardware_concurrency()},
                         {"samples", options.samples},
                         {"limit_seconds", options.limit},
                         {"platforms", platforms}}},
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
  app.add_option("--only", options.only, "shapes by name, with commas between");
  app.add_option("--target", options.target, "one target")->check(CLI::IsMember({"vector", "scalar", "ptx"}));
  app.add_option("--least", options.least, "lines of the shortest kernels")->check(CLI::PositiveNumber);
  app.add_option("--most", options.most, "lines of the longest kernels")->check(CLI::PositiveNumber);
  app.add_option("--samples", options.samples, "runs, of which the shortest counts")->check(CLI::PositiveNumber);
  app.add_option("--limit", options.limit, "seconds that a compilation may take")->check(CLI::PositiveNumber);
  app.add_option("--write", options.folder, "write the sources to this folder and measure nothing");
  app.add_flag("--platforms", options.platforms, "build and launch on each platform of the ICD loader that has a CPU");
  app.add_option("--most-of-peers", options.most_of_peers, "--most for other platforms than Upsweep")
      ->check(CLI::PositiveNumber);
  app.add_option("--child", options.child_platform, "build and launch --source on this platform in this process");
  app.add_option("--source", options.child_source, "the source for --child");
  CLI11_PARSE(app, argc, argv);
  options.command_line = upsweep::bench::command_line(argc, argv);
  const auto done = options.child_platform.empty()
                        ? upsweep::bench::run(options)
                        : upsweep::bench::build_and_launch(options.child_platform, options.child_source);
  if (!done) fmt::print(stderr, "{}\n", done.error());
  return done ? 0 : 1;
}
