// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads processes' sums, merges them, and writes them as JSON.
#include "cli/profile_report.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace upsweep::cli {
namespace {

using nlohmann::json;

ProfileTimes times_of(const json &object) {
  return {object.at("count"), object.at("total_ns"), object.at("least_ns"), object.at("largest_ns")};
}

ProfileReport::Key key_of(const json &object) { return {object.at("name"), object.at("device")}; }

void merge_queues(ProfileReport &report, const json &process, bool names_process) {
  for (const json &of : process.at("queues")) {
    ProfiledQueue queue{
        "queue " + std::to_string(of.at("queue").get<uint64_t>()), of.at("device"), of.at("commands"), of.at("busy_ns"), {}};
    if (names_process) queue.name += " of process " + std::to_string(process.at("process").get<uint64_t>());
    for (const json &gap : of.at("gaps")) queue.gaps[gap.at("cause")].add(times_of(gap));
    report.queues.push_back(std::move(queue));
  }
}

void merge(ProfileReport &report, const json &process, bool names_process) {
  report.incomplete += !process.at("is_complete").get<bool>();
  report.lost_records += process.at("lost_records").get<uint64_t>();
  report.peak_bytes += process.at("peak_bytes").get<uint64_t>();
  for (const json &of : process.at("kernels")) {
    ProfiledKernel &kernel = report.kernels[key_of(of)];
    kernel.run.add(times_of(of));
    kernel.failed += of.at("failed").get<uint64_t>();
    kernel.work_items += of.at("work_items").get<uint64_t>();
    kernel.buffer_bytes += of.at("buffer_bytes").get<uint64_t>();
    kernel.on_cpu |= of.at("on_cpu").get<bool>();
    kernel.has_other_pointers |= of.at("has_other_pointers").get<bool>();
  }
  for (const json &of : process.at("transfers")) {
    ProfiledTransfer &transfer = report.transfers[key_of(of)];
    transfer.run.add(times_of(of));
    transfer.bytes += of.at("bytes").get<uint64_t>();
  }
  for (const json &of : process.at("builds")) {
    ProfiledBuild &build = report.builds[key_of(of)];
    build.compiled += of.at("compiled").get<uint64_t>();
    build.compiled_ns += of.at("compiled_ns").get<uint64_t>();
    build.cached += of.at("cached").get<uint64_t>();
    build.cached_ns += of.at("cached_ns").get<uint64_t>();
    build.failed += of.at("failed").get<uint64_t>();
  }
  for (const json &of : process.at("waits")) report.waits[of.at("name")].add(times_of(of));
  for (const json &of : process.at("threads")) report.threads[of.at("name")].add(times_of(of));
  merge_queues(report, process, names_process);
}

json json_of(const ProfileTimes &times) {
  const double mean = times.count ? static_cast<double>(times.total_ns) / static_cast<double>(times.count) : 0;
  return {{"count", times.count},
          {"total_ns", times.total_ns},
          {"mean_ns", mean},
          {"least_ns", times.count ? times.least_ns : 0},
          {"largest_ns", times.largest_ns}};
}

json with_key(const ProfileReport::Key &key, json object) {
  object["name"] = key.first;
  object["device"] = key.second;
  return object;
}

json json_of_commands(const ProfileReport &report) {
  json all = {{"kernels", json::array()}, {"transfers", json::array()}, {"builds", json::array()}};
  for (const auto &[key, kernel] : report.kernels) {
    json object = with_key(key, json_of(kernel.run));
    object.update({{"failed", kernel.failed},
                   {"work_items", kernel.work_items},
                   {"buffer_bytes", kernel.buffer_bytes},
                   {"has_other_pointers", kernel.has_other_pointers},
                   {"on_cpu", kernel.on_cpu}});
    all["kernels"].push_back(std::move(object));
  }
  for (const auto &[key, transfer] : report.transfers) {
    json object = with_key(key, json_of(transfer.run));
    object["bytes"] = transfer.bytes;
    all["transfers"].push_back(std::move(object));
  }
  for (const auto &[key, build] : report.builds)
    all["builds"].push_back(with_key(key, {{"compiled", build.compiled},
                                           {"compiled_ns", build.compiled_ns},
                                           {"cached", build.cached},
                                           {"cached_ns", build.cached_ns},
                                           {"failed", build.failed}}));
  return all;
}

}  // namespace

void ProfileTimes::add(const ProfileTimes &other) {
  if (!other.count) return;
  count += other.count;
  total_ns += other.total_ns;
  least_ns = std::min(least_ns, other.least_ns);
  largest_ns = std::max(largest_ns, other.largest_ns);
}

void ProfileReport::keep_kernel(const std::string &name) {
  std::erase_if(kernels, [&](const auto &entry) { return entry.first.first != name; });
}

ProfileReport read_profile(const std::filesystem::path &folder) {
  ProfileReport report;
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const std::filesystem::path &file : files) {
    ++report.processes;
    std::ifstream stream(file);
    const json process = json::parse(stream, nullptr, false);
    ProfileReport merged = report;
    try {
      merge(merged, process, files.size() > 1);
      report = std::move(merged);
    } catch (const json::exception &) {
      ++report.incomplete;
    }
  }
  return report;
}

std::string profile_json(const ProfileReport &report, const ProfiledProgram &program) {
  json all = json_of_commands(report);
  all.update({{"program", program.name},
              {"seconds", program.seconds},
              {"status", program.status},
              {"signal", program.signal},
              {"processes", report.processes},
              {"incomplete_processes", report.incomplete},
              {"lost_records", report.lost_records},
              {"peak_bytes", report.peak_bytes},
              {"copy_bytes_per_second", report.copy_rate},
              {"waits", json::array()},
              {"threads", json::array()},
              {"queues", json::array()}});
  const auto add_named = [&](const char *list, const std::string &name, const ProfileTimes &times) {
    json object = json_of(times);
    object["name"] = name;
    all[list].push_back(std::move(object));
  };
  for (const auto &[name, times] : report.waits) add_named("waits", name, times);
  for (const auto &[name, times] : report.threads) add_named("threads", name, times);
  for (const ProfiledQueue &queue : report.queues) {
    json gaps = json::array();
    for (const auto &[cause, times] : queue.gaps) {
      gaps.push_back(json_of(times));
      gaps.back()["cause"] = cause;
    }
    all["queues"].push_back({{"name", queue.name},
                             {"device", queue.device},
                             {"commands", queue.commands},
                             {"busy_ns", queue.busy_ns},
                             {"gaps", std::move(gaps)}});
  }
  return all.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace upsweep::cli
