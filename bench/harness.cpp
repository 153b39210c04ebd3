// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmarks' common part: platforms, interleaved samples, medians, JSON.
#include "bench/harness.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fstream>
#include <gnu/libc-version.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace upsweep::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSampleSeconds = 4e-3;      // short launches are repeated until a sample takes this long
constexpr double kGpuSampleSeconds = 30e-3;  // a GPU's clock takes longer to rise, and its launches and waits cost more
constexpr int kMostRepeats = 2000;
constexpr const char *kHostName = "C library";
constexpr const char *kOurName = "Upsweep";
constexpr const char *kSpirvName = "Upsweep, SPIR-V";

struct Peer {
  std::string name;
  Device device;
};

// Our device with kernels that become SPIR-V.
Peer spirv_peer(const Peer &ours, const Options &options) {
  Peer peer{kSpirvName, ours.device};
  peer.device.translator = std::make_shared<tests::SpirvTranslator>(*tests::SpirvTranslator::find());
  peer.device.level = fmt::format("-O{}", options.spirv_level);
  return peer;
}

// A device of each platform, Upsweep's first.
Result<std::vector<Peer>> find_peers(const Options &options) {
  const auto devices = cli::find_devices();
  if (!devices) return Failure(devices.error());
  std::vector<Peer> peers;
  for (const auto &found : *devices) {
    if (!has_type(found, options.device)) continue;
    const auto name = cl::Platform(found.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
    const bool ours = name == kOurName;
    if (std::ranges::find(peers, name, &Peer::name) != peers.end()) continue;
    if (!ours && name.find(options.peer) == std::string::npos) continue;
    auto opened = cli::open_device(found);
    if (!opened) return Failure(opened.error());
    Device device{*opened};
    const auto queue = make_queue(device, cl::QueueProperties::None);  // measuring every command takes time
    if (!queue) return Failure(queue.error());
    device.queue = *queue;
    peers.insert(ours ? peers.begin() : peers.end(), {name, device});
  }
  if (peers.empty()) return cli::fail("no platform has a device of type '{}'", options.device);
  if (options.spirv && peers.front().name == kOurName) peers.insert(peers.begin() + 1, spirv_peer(peers.front(), options));
  return peers;
}

// Seconds of the clock, or of this process's processor time, which other programs on a busy machine change less.
double now(bool of_processor) {
  timespec time{};
  clock_gettime(of_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The state of one peer in a case.
struct Contestant {
  const Peer *peer = nullptr;
  std::string name;
  std::optional<Prepared> prepared;
  std::string error;
  bool of_processor = false;
  int repeats = 1;
  std::vector<double> samples;

  void fail(const std::string &text) {
    error = text.substr(0, text.find('\n'));
    prepared.reset();
  }

  // The seconds of one launch, averaged over `repeats`.
  double sample() {
    if (prepared->seconds) return prepared->seconds();
    const double start = now(of_processor);
    for (int i = 0; i < repeats; ++i)
      if (const cl_int status = prepared->enqueue(); status != CL_SUCCESS) {
        fail(fmt::format("cannot launch: {}", cli::error_name(status)));
        return 0;
      }
    if (const cl_int status = peer->device.queue.finish(); status != CL_SUCCESS)
      fail(fmt::format("cannot run: {}", cli::error_name(status)));
    return (now(of_processor) - start) / repeats;
  }

  // Checks a run before any timing, so that no wrong result is timed.
  void prepare(const Prepare &make, double seconds) {
    auto made = make(peer->device);
    if (!made) return fail(made.error());
    prepared = std::move(*made);
    sample();
    if (!prepared) return;
    if (auto right = prepared->verify(); !right) return fail("wrong: " + right.error());
    const double once = sample();
    if (prepared) repeats = std::clamp(static_cast<int>(std::ceil(seconds / std::max(once, 1e-9))), 1, kMostRepeats);
  }
};

double seconds_of(const std::function<void()> &work, bool of_processor) {
  const double start = now(of_processor);
  work();
  return now(of_processor) - start;
}

Json result_of(const Case &what, std::vector<double> &samples) {
  Json result;
  std::ranges::sort(samples);
  const double median = samples[samples.size() / 2];
  result["median_seconds"] = median;
  result["best_seconds"] = samples.front();
  if (what.bytes > 0) result["bytes_per_second"] = what.bytes / median;
  if (what.operations > 0) result["operations_per_second"] = what.operations / median;
  if (what.elements > 0) result["elements_per_second"] = what.elements / median;
  return result;
}

// A peer that lacks a feature of the case gets the case's emulations as columns.
std::vector<Contestant> find_contestants(const Case &what, const std::vector<Peer> &peers, const Options &options) {
  const double seconds = options.on_gpu() ? kGpuSampleSeconds : kSampleSeconds;
  std::vector<Contestant> contestants;
  auto add = [&](const Peer &peer, const std::string &name, const Prepare &make) {
    contestants.push_back(
        {.peer = &peer, .name = name, .prepared = {}, .error = {}, .of_processor = options.processor_time, .samples = {}});
    contestants.back().prepare(make, seconds);
    return contestants.back().prepared.has_value();
  };
  for (const Peer &peer : peers)
    if (!add(peer, peer.name, what.prepare))
      for (const Emulation &emulation : what.emulations)
        add(peer, fmt::format("{}, {}", peer.name, emulation.name), emulation.prepare);
  return contestants;
}

Json measure(const Case &what, const std::vector<Peer> &peers, const Options &options) {
  std::vector<Contestant> contestants = find_contestants(what, peers, options);
  std::vector<double> host_samples;
  for (int i = 0; i < options.samples; ++i) {
    for (Contestant &contestant : contestants)
      if (contestant.prepared) contestant.samples.push_back(contestant.sample());
    if (what.host) host_samples.push_back(seconds_of(what.host, options.processor_time));
  }
  constexpr std::string_view kBounds[] = {"memory", "compute", "none"};
  Json row = {{"name", what.name},
              {"variant", what.variant},
              {"group", what.group},
              {"bound", kBounds[static_cast<int>(what.bound)]},
              {"ceiling", what.is_ceiling},
              {"bytes", what.bytes},
              {"operations", what.operations},
              {"elements", what.elements}};
  if (!what.unit.empty()) row["unit"] = what.unit;
  if (what.is_yardstick) row["yardstick"] = true;
  for (Contestant &contestant : contestants)
    row["results"][contestant.name] =
        contestant.prepared ? result_of(what, contestant.samples) : Json{{"error", contestant.error}};
  if (what.host) row["results"][kHostName] = result_of(what, host_samples);
  return row;
}

Json context_of(const std::vector<Peer> &peers, const Options &options, bool host) {
  Json context = {{"command", options.command},
                  {"date", today()},
                  {"processor", processor_name()},
                  {"threads", std::thread::hardware_concurrency()},
                  {"samples", options.samples}};
  for (const Peer &peer : peers)
    context["platforms"].push_back({{"name", peer.name},
                                    {"version", peer.device.platform.getInfo<CL_PLATFORM_VERSION>()},
                                    {"device", peer.device.device.getInfo<CL_DEVICE_NAME>()},
                                    {"driver", peer.device.device.getInfo<CL_DRIVER_VERSION>()}});
  if (host)
    context["platforms"].push_back(
        {{"name", kHostName}, {"version", fmt::format("glibc {}", gnu_get_libc_version())}, {"device", processor_name()}});
  return context;
}

bool matches(const Case &what, const std::string &only) {
  return (what.name + ", " + what.variant).find(only) != std::string::npos;
}

// A ceiling also runs for the other cases of its group, which need it for their share.
bool wanted(const Case &what, const std::vector<Case> &cases, const std::string &only) {
  return matches(what, only) || (what.is_ceiling && std::ranges::any_of(cases, [&](const Case &other) {
                                   return other.group == what.group && matches(other, only);
                                 }));
}

// How fast kernels from SPIR-V are beside the same from text, by the medians.
void tell_shares(const Json &rows) {
  double logarithms = 0, lowest = 0;
  std::string name;
  int count = 0;
  for (const Json &row : rows) {
    const Json text = row["results"].value(kOurName, Json()), spirv = row["results"].value(kSpirvName, Json());
    if (!text.contains("median_seconds") || !spirv.contains("median_seconds")) continue;
    const double share = text["median_seconds"].get<double>() / spirv["median_seconds"].get<double>();
    logarithms += std::log(share);
    if (count++ != 0 && share >= lowest) continue;
    lowest = share;
    name = fmt::format("{}, {}", row["name"].get<std::string>(), row["variant"].get<std::string>());
  }
  if (count != 0)
    fmt::print(stderr,
               "SPIR-V has {:.3f} of the speed of text in the geometric mean of {} rows; the lowest is "
               "{:.3f} ({})\n",
               std::exp(logarithms / count), count, lowest, name);
}

Result<void> run(const Options &options, const Suite &suite, const std::vector<Case> &cases) {
  const auto peers = find_peers(options);
  if (!peers) return Failure(peers.error());
  const bool host = std::ranges::any_of(cases, [](const Case &what) { return static_cast<bool>(what.host); });
  Json output = {{"name", (options.on_gpu() ? "gpu_" : "") + suite.name},
                 {"about", suite.about},
                 {"context", context_of(*peers, options, host)},
                 {"rows", Json::array()}};
  for (const Case &what : cases) {
    if (!wanted(what, cases, options.only)) continue;
    fmt::print(stderr, "  {}, {}\n", what.name, what.variant);
    output["rows"].push_back(measure(what, *peers, options));
    // A run that is interrupted keeps its rows so far.
    if (!options.json.empty())
      if (auto done = write_results(output.dump(1), options.json); !done) return done;
  }
  if (options.spirv) tell_shares(output["rows"]);
  return write_results(output.dump(1), options.json);
}

}  // namespace

bool has_type(const cl::Device &device, const std::string &wanted) {
  const auto type = device.getInfo<CL_DEVICE_TYPE>();
  return wanted.empty() || (type & (wanted == "gpu" ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU)) != 0;
}

std::string command_line(int argc, char **argv) {
  std::string text = std::filesystem::path(argv[0]).filename();
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--json")
      ++i;
    else if (!word.starts_with("--json="))
      text += word.find(' ') == word.npos ? fmt::format(" {}", word) : fmt::format(" '{}'", word);
  }
  return text;
}

std::string today() {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

Result<void> write_results(const std::string &text, const std::string &path) {
  if (path.empty()) {
    fmt::print("{}\n", text);
    return {};
  }
  std::ofstream file(path);
  file << text << '\n';
  if (!file.flush()) return cli::fail("cannot write '{}'", path);
  return {};
}

int run_main(int argc, char **argv, const Suite &suite, const std::function<std::vector<Case>(const Options &)> &cases) {
  CLI::App app(suite.about);
  Options options;
  app.add_option("--json", options.json, "file for the results; without it they are printed");
  app.add_option("--only", options.only, "only cases whose name contains this");
  app.add_option("--device", options.device, "devices of this type; without it each platform's first")
      ->check(CLI::IsMember({"cpu", "gpu"}));
  app.add_option("--peer", options.peer, "the one other platform: a part of its name");
  app.add_option("--samples", options.samples, "samples per platform and case")->check(CLI::PositiveNumber);
  app.add_flag("--processor-time", options.processor_time, "measure processor time, not the clock; with UPSWEEP_THREADS=1");
  app.add_flag("--spirv", options.spirv, "also measure our driver with kernels that clang-15 and llvm-spirv-15 make SPIR-V");
  app.add_option("--spirv-level", options.spirv_level, "of clang-15: 0 to 3")->check(CLI::Range(0, 3));
  CLI11_PARSE(app, argc, argv);
  if (options.spirv && !tests::SpirvTranslator::find()) {
    fmt::print(stderr, "{}, so nothing is measured\n", tests::SpirvTranslator::kMissing);
    return 0;
  }
  options.command = command_line(argc, argv);
  if (const auto done = run(options, suite, cases(options)); !done) {
    fmt::print(stderr, "{}\n", done.error());
    return 1;
  }
  return 0;
}

Result<cl::Kernel> make_kernel(const Device &device, std::string_view source, const std::string &options, const char *name) {
  std::string module, log;
  if (device.translator) {
    auto translated = device.translator->translate(source, options, device.level, log);
    if (!translated) return cli::fail("no SPIR-V: {}", log.substr(0, log.find('\n')));
    module = std::move(*translated);
  }
  const auto program = cli::build_program(device, device.translator ? module : source, options);
  if (!program) return Failure(program.error());
  cl_int error = CL_SUCCESS;
  cl::Kernel kernel(*program, name, &error);
  if (auto done = cli::check(error, fmt::format("make the kernel '{}'", name)); !done) return Failure(done.error());
  return kernel;
}

Result<cl::Buffer> make_buffer(const cli::Device &device, size_t bytes, const void *contents) {
  cl_int error = CL_SUCCESS;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
  cl::Buffer buffer(device.context, flags, bytes, const_cast<void *>(contents), &error);
  if (auto done = cli::check(error, fmt::format("make a buffer of {} bytes", bytes)); !done) return Failure(done.error());
  return buffer;
}

Result<cl::CommandQueue> make_queue(const Device &device, cl::QueueProperties properties) {
  cl_int error = CL_SUCCESS;
  cl::CommandQueue queue(device.context, device.device, properties, &error);
  if (auto done = cli::check(error, "make a queue"); !done) return Failure(done.error());
  return queue;
}

std::function<cl_int()> launch(const Device &device, const cl::Kernel &kernel, cl::NDRange global, cl::NDRange local) {
  return [queue = device.queue, kernel, global, local] {
    return queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
  };
}

}  // namespace upsweep::bench
