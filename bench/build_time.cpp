// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time that a program waits for its kernels, on every platform of the ICD loader: the first build in a process, later
// ones, and builds from the disk cache. Each sample is a process (this program with --child), and the platforms take turns.
#include "bench/opencl/build_time.h"
#include "bench/harness.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <thread>
#include <unistd.h>

namespace upsweep::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kBuilds = 6;  // per process: the first and five later ones

/// Seconds until clCreateKernel has returned, and until the first result. Some drivers compile at the first launch.
struct Times {
  double kernel = 0;
  double result = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Result<Times> build_and_run(const Device &device, const cl::Buffer &buffer, const std::string &seed) {
  constexpr cl_uint kCount = 64;
  Times times;
  const auto start = std::chrono::steady_clock::now();
  auto kernel = make_kernel(device, kBuildTimeSource, "-DSEED=" + seed, "small");
  if (!kernel) return Failure(kernel.error());
  times.kernel = seconds_since(start);
  kernel->setArg(0, buffer);
  kernel->setArg(1, buffer);
  kernel->setArg(2, 1.0f);
  kernel->setArg(3, kCount);
  const cl_int error = device.queue.enqueueNDRangeKernel(*kernel, cl::NullRange, cl::NDRange(kCount), cl::NDRange(kCount));
  if (auto done = cli::check(error, "launch"); !done) return Failure(done.error());
  if (auto done = cli::check(device.queue.finish(), "run"); !done) return Failure(done.error());
  times.result = seconds_since(start);
  return times;
}

Result<cl::Device> find_device(const std::string &platform, const std::string &type) {
  const auto devices = cli::find_devices();
  if (!devices) return Failure(devices.error());
  for (const cl::Device &device : *devices)
    if (has_type(device, type) && cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>() == platform)
      return device;
  return cli::fail("no platform '{}'", platform);
}

/// In the child: a line of two numbers for each build.
Result<void> run_child(const std::string &platform, const std::string &type, const std::string &seed) {
  const auto found = find_device(platform, type);
  if (!found) return Failure(found.error());
  const auto opened = cli::open_device(*found);
  if (!opened) return Failure(opened.error());
  const Device device{*opened};
  const auto buffer = make_buffer(device, 4096, nullptr);
  if (!buffer) return Failure(buffer.error());
  for (int i = 0; i < kBuilds; ++i) {
    const auto times = build_and_run(device, *buffer, fmt::format("{}{}", seed, i));
    if (!times) return Failure(times.error());
    fmt::print("{} {}\n", times->kernel, times->result);
  }
  return {};
}

Result<std::vector<Times>> sample(const std::string &platform, const std::string &type, const std::string &seed) {
  const std::string command = fmt::format("'/proc/{}/exe' --child '{}'{} --seed {} 2>/dev/null", getpid(), platform,
                                          type.empty() ? "" : " --device " + type, seed);
  FILE *output = popen(command.c_str(), "r");
  std::vector<Times> all;
  for (Times times; output && std::fscanf(output, "%lf %lf", &times.kernel, &times.result) == 2;) all.push_back(times);
  if (!output || pclose(output) != 0 || all.size() != kBuilds) return cli::fail("the child process failed");
  return all;
}

/// A row of the result by its name, and the samples of each platform.
using Samples = std::map<std::pair<int, int>, std::map<std::string, std::vector<double>>>;
constexpr const char *kRows[] = {"first build", "later build", "from the disk cache"};
constexpr const char *kVariants[] = {"until the kernel exists", "until its first result"};

void add(Samples &samples, const std::string &platform, int row, const Times &times) {
  samples[{row, 0}][platform].push_back(times.kernel);
  samples[{row, 1}][platform].push_back(times.result);
}

Json to_json(Samples &samples) {
  Json rows = Json::array();
  for (auto &[key, platforms] : samples) {
    Json row = {{"name", kRows[key.first]},
                {"variant", kVariants[key.second]},
                {"group", ""},
                {"bound", "none"},
                {"ceiling", false},
                {"bytes", 0},
                {"operations", 0},
                {"elements", 0}};
    for (auto &[platform, values] : platforms) {
      std::ranges::sort(values);
      row["results"][platform] = {{"median_seconds", values[values.size() / 2]}, {"best_seconds", values.front()}};
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<void> run_all(const std::string &command, const std::string &path, int count, const std::string &type) {
  const auto devices = cli::find_devices();
  if (!devices) return Failure(devices.error());
  Json context = {{"command", command},
                  {"date", today()},
                  {"processor", processor_name()},
                  {"threads", std::thread::hardware_concurrency()},
                  {"samples", count}};
  context["platforms"] = Json::array();
  std::vector<std::string> platforms;
  for (const cl::Device &device : *devices) {
    if (!has_type(device, type)) continue;
    const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
    const auto name = platform.getInfo<CL_PLATFORM_NAME>();
    if (std::ranges::find(platforms, name) != platforms.end()) continue;
    const auto place = name == "Upsweep" ? 0 : platforms.size();
    platforms.insert(platforms.begin() + place, name);
    const Json description = {{"name", name},
                              {"version", platform.getInfo<CL_PLATFORM_VERSION>()},
                              {"device", device.getInfo<CL_DEVICE_NAME>()},
                              {"driver", device.getInfo<CL_DRIVER_VERSION>()}};
    context["platforms"].insert(context["platforms"].begin() + place, description);
  }
  Samples samples;
  for (int i = 0; i < count; ++i)
    for (const std::string &platform : platforms) {
      const std::string seed = fmt::format("{}{}", std::chrono::system_clock::now().time_since_epoch().count() % 1000000000, i);
      const auto fresh = sample(platform, type, seed), cached = sample(platform, type, seed);
      if (!fresh || !cached) return cli::fail("{}: {}", platform, fresh ? cached.error() : fresh.error());
      for (int k = 0; k < kBuilds; ++k) {
        add(samples, platform, k == 0 ? 0 : 1, (*fresh)[k]);
        add(samples, platform, 2, (*cached)[k]);
      }
    }
  const Json output = {{"name", type == "gpu" ? "gpu_build_time" : "build_time"},
                       {"about", "How long a program waits for its kernels. Each sample is a process of its own."},
                       {"context", context},
                       {"rows", to_json(samples)}};
  return write_results(output.dump(1), path);
}

}  // namespace
}  // namespace upsweep::bench

int main(int argc, char **argv) {
  CLI::App app("Measures how long builds take on every platform of the ICD loader");
  std::string json, child, type, seed = "1";
  int samples = 9;
  app.add_option("--json", json, "file for the results; without it they are printed");
  app.add_option("--samples", samples, "processes per platform")->check(CLI::PositiveNumber);
  app.add_option("--device", type, "devices of this type; without it each platform's first")
      ->check(CLI::IsMember({"cpu", "gpu"}));
  app.add_option("--child", child, "measure this platform in this process and print seconds");
  app.add_option("--seed", seed, "digits that make the kernels new");
  CLI11_PARSE(app, argc, argv);
  const auto done = child.empty() ? upsweep::bench::run_all(upsweep::bench::command_line(argc, argv), json, samples, type)
                                  : upsweep::bench::run_child(child, type, seed);
  if (!done) fmt::print(stderr, "{}\n", done.error());
  return done ? 0 : 1;
}
