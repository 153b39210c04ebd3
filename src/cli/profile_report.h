// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sums that traced processes leave in a folder, as one report: text for people, JSON for programs.
#ifndef UPSWEEP_CLI_PROFILE_REPORT_H
#define UPSWEEP_CLI_PROFILE_REPORT_H

#include "cli/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::cli {

struct ProfileTimes {
  uint64_t count = 0;
  uint64_t total_ns = 0;
  uint64_t least_ns = UINT64_MAX;
  uint64_t largest_ns = 0;

  void add(const ProfileTimes &other);
};

struct ProfiledKernel {
  ProfileTimes run;
  uint64_t failed = 0;
  uint64_t work_items = 0;
  uint64_t buffer_bytes = 0;
  bool has_other_pointers = false;
  bool on_cpu = false;
};

struct ProfiledTransfer {
  ProfileTimes run;
  uint64_t bytes = 0;
};

struct ProfiledBuild {
  uint64_t compiled = 0;
  uint64_t compiled_ns = 0;
  uint64_t cached = 0;
  uint64_t cached_ns = 0;
  uint64_t failed = 0;
};

struct ProfiledQueue {
  std::string name;
  std::string device;
  uint64_t commands = 0;
  uint64_t busy_ns = 0;
  std::map<std::string, ProfileTimes> gaps;
};

struct ProfileReport {
  // A name and a device.
  using Key = std::pair<std::string, std::string>;

  uint64_t processes = 0;
  uint64_t incomplete = 0;  // processes that ended without their last sums
  uint64_t lost_records = 0;
  uint64_t peak_bytes = 0;
  double copy_rate = 0;  // of this machine's memory in bytes a second; 0 if it was not measured
  std::map<Key, ProfiledKernel> kernels;
  std::map<Key, ProfiledTransfer> transfers;
  std::map<Key, ProfiledBuild> builds;
  std::map<std::string, ProfileTimes> waits;
  std::map<std::string, ProfileTimes> threads;
  std::vector<ProfiledQueue> queues;

  void keep_kernel(const std::string &name);
};

// The end of the program.
struct ProfiledProgram {
  std::string name;
  double seconds = 0;
  int status = 0;
  int signal = 0;  // that ended it; 0 if none
};

// Files that are damaged count as incomplete.
ProfileReport read_profile(const std::filesystem::path &folder);
std::string profile_table(const ProfileReport &report, const ProfiledProgram &program);
std::string profile_json(const ProfileReport &report, const ProfiledProgram &program);

}  // namespace upsweep::cli
#endif
