// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as text: tables of kernels, transfers, builds, blocking calls and gaps.
#include "cli/profile_report.h"

#include <algorithm>
#include <numeric>

namespace upsweep::cli {
namespace {

constexpr size_t kMostRows = 30;

// Three digits and a unit.
std::string time_text(double ns) {
  if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
  const auto [unit, name] = ns < 1e6 ? std::pair(1e3, "us") : ns < 1e9 ? std::pair(1e6, "ms") : std::pair(1e9, "s");
  const double value = ns / unit;
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, name);
}

std::string count_text(double value, const char *unit) {
  const auto [scale, name] = value >= 1e12  ? std::pair(1e12, "T")
                             : value >= 1e9 ? std::pair(1e9, "G")
                             : value >= 1e6 ? std::pair(1e6, "M")
                             : value >= 1e3 ? std::pair(1e3, "k")
                                            : std::pair(1.0, "");
  const double scaled = value / scale;
  return fmt::format("{:.{}f} {}{}", scaled, scale == 1 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2, name, unit);
}

double rate(uint64_t amount, uint64_t ns) { return ns ? static_cast<double>(amount) * 1e9 / static_cast<double>(ns) : 0; }

std::string share_text(uint64_t part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * static_cast<double>(part) / whole) : "-";
}

double mean(const ProfileTimes &times) {
  return times.count ? static_cast<double>(times.total_ns) / static_cast<double>(times.count) : 0;
}

// Columns with a first row of titles; the first column is aligned to the left.
class Table {
public:
  explicit Table(std::vector<std::string> titles) { add(std::move(titles)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool is_empty() const { return rows_.size() == 1; }

  [[nodiscard]] std::string text() const {
    std::vector<size_t> widths(rows_[0].size());
    for (const auto &row : rows_)
      for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string all;
    for (const auto &row : rows_) {
      std::string line = "  " + fmt::format("{:<{}}", row[0], widths[0]);
      for (size_t i = 1; i < row.size(); ++i) line += fmt::format("  {:>{}}", row[i], widths[i]);
      all += line + "\n";
    }
    return all;
  }

private:
  std::vector<std::vector<std::string>> rows_;
};

// The entries with the largest values first.
template <typename Map, typename Value>
std::vector<const typename Map::value_type *> by_size(const Map &map, const Value &value) {
  std::vector<const typename Map::value_type *> entries;
  for (const auto &entry : map) entries.push_back(&entry);
  std::ranges::sort(entries, std::greater(), [&](const auto *entry) { return value(entry->second); });
  return entries;
}

bool has_several_devices(const ProfileReport &report) {
  return std::ranges::any_of(report.queues,
                             [&](const ProfiledQueue &queue) { return queue.device != report.queues[0].device; });
}

std::string text_of(const ProfileReport::Key &key, bool names_device) {
  constexpr size_t kMostLetters = 48;
  std::string name = key.first.size() > kMostLetters ? key.first.substr(0, kMostLetters - 3) + "..." : key.first;
  return names_device ? name + " (" + key.second + ")" : name;
}

// The share of the rate of a copy that the kernel has if it uses each byte of its buffers once.
std::string share_of_copy(const ProfiledKernel &kernel, double copy_rate) {
  if (!kernel.on_cpu || kernel.has_other_pointers || copy_rate <= 0) return "-";
  return fmt::format("{:.0f} %", 100 * rate(kernel.buffer_bytes, kernel.run.total_ns) / copy_rate);
}

std::string kernels_text(const ProfileReport &report) {
  uint64_t all = 0;
  for (const auto &[key, kernel] : report.kernels) all += kernel.run.total_ns;
  Table table({"kernel", "calls", "total", "share", "mean", "least", "largest", "work-items/s", "buffers/s", "of a copy"});
  const auto entries = by_size(report.kernels, [](const ProfiledKernel &kernel) { return kernel.run.total_ns; });
  size_t rows = 0;
  for (const auto *entry : entries) {
    if (++rows > kMostRows) break;
    const auto &[key, kernel] = *entry;
    const ProfileTimes &run = kernel.run;
    table.add({text_of(key, has_several_devices(report)), std::to_string(run.count),
               time_text(static_cast<double>(run.total_ns)), share_text(run.total_ns, static_cast<double>(all)),
               time_text(mean(run)), time_text(static_cast<double>(run.count ? run.least_ns : 0)),
               time_text(static_cast<double>(run.largest_ns)), count_text(rate(kernel.work_items, run.total_ns), ""),
               kernel.has_other_pointers ? "-" : count_text(rate(kernel.buffer_bytes, run.total_ns), "B"),
               share_of_copy(kernel, report.copy_rate)});
  }
  if (table.is_empty()) return "no kernels\n";
  std::string text = "kernels (buffers/s: if a kernel uses each byte of its buffers once";
  if (report.copy_rate > 0) text += fmt::format("; a copy: {}/s", count_text(report.copy_rate, "B"));
  text += ")\n" + table.text();
  if (entries.size() > kMostRows) text += fmt::format("  and {} more\n", entries.size() - kMostRows);
  for (const auto &[key, kernel] : report.kernels)
    if (kernel.failed) text += fmt::format("  {} calls of {} failed\n", kernel.failed, key.first);
  return text;
}

std::string transfers_text(const ProfileReport &report) {
  Table table({"transfers and other commands", "calls", "total", "mean", "largest", "bytes", "bytes/s"});
  for (const auto *entry : by_size(report.transfers, [](const ProfiledTransfer &transfer) { return transfer.run.total_ns; })) {
    const auto &[key, transfer] = *entry;
    table.add({text_of(key, has_several_devices(report)), std::to_string(transfer.run.count),
               time_text(static_cast<double>(transfer.run.total_ns)), time_text(mean(transfer.run)),
               time_text(static_cast<double>(transfer.run.largest_ns)), count_text(static_cast<double>(transfer.bytes), "B"),
               transfer.bytes ? count_text(rate(transfer.bytes, transfer.run.total_ns), "B") : "-"});
  }
  return table.is_empty() ? "" : table.text();
}

std::string builds_text(const ProfileReport &report) {
  Table table({"builds", "compiled", "total", "from the cache", "total", "failed"});
  for (const auto &[key, build] : report.builds)
    table.add({text_of(key, has_several_devices(report)), std::to_string(build.compiled),
               time_text(static_cast<double>(build.compiled_ns)), std::to_string(build.cached),
               time_text(static_cast<double>(build.cached_ns)), std::to_string(build.failed)});
  return table.is_empty() ? "" : table.text();
}

std::string waits_text(const ProfileReport &report, double wall_ns) {
  Table table({"blocking calls of the host", "calls", "total", "share of the run", "mean", "largest"});
  for (const auto *entry : by_size(report.waits, [](const ProfileTimes &times) { return times.total_ns; })) {
    const auto &[name, times] = *entry;
    table.add({name, std::to_string(times.count), time_text(static_cast<double>(times.total_ns)),
               share_text(times.total_ns, wall_ns), time_text(mean(times)), time_text(static_cast<double>(times.largest_ns))});
  }
  return table.is_empty() ? "" : table.text();
}

std::string queues_text(const ProfileReport &report, double wall_ns) {
  std::string text;
  std::vector<const ProfiledQueue *> queues;
  for (const ProfiledQueue &queue : report.queues) queues.push_back(&queue);
  std::ranges::sort(queues, std::greater(), &ProfiledQueue::busy_ns);
  for (size_t i = 0; i < std::min(queues.size(), kMostRows); ++i) {
    const ProfiledQueue &queue = *queues[i];
    text += fmt::format("{} on {}: {} commands, busy for {}, {} of the run\n", queue.name, queue.device, queue.commands,
                        time_text(static_cast<double>(queue.busy_ns)), share_text(queue.busy_ns, wall_ns));
    Table table({"gaps between commands", "gaps", "total", "share of the run", "mean", "largest"});
    for (const auto *entry : by_size(queue.gaps, [](const ProfileTimes &times) { return times.total_ns; })) {
      const auto &[cause, times] = *entry;
      table.add({cause, std::to_string(times.count), time_text(static_cast<double>(times.total_ns)),
                 share_text(times.total_ns, wall_ns), time_text(mean(times)),
                 time_text(static_cast<double>(times.largest_ns))});
    }
    if (!table.is_empty()) text += table.text();
  }
  if (queues.size() > kMostRows) text += fmt::format("and {} more queues\n", queues.size() - kMostRows);
  return text;
}

// The parts of the run that the other tables divide. They may overlap.
std::string parts_text(const ProfileReport &report, double wall_ns) {
  uint64_t builds = 0, waits = 0, busy = 0;
  for (const auto &[key, build] : report.builds) builds += build.compiled_ns + build.cached_ns;
  for (const auto &[name, times] : report.waits) waits += times.total_ns;
  for (const ProfiledQueue &queue : report.queues) busy += queue.busy_ns;
  const auto part = [&](uint64_t ns) { return time_text(static_cast<double>(ns)) + " (" + share_text(ns, wall_ns) + ")"; };
  return fmt::format("builds {}, blocking calls {}, queues busy {}\n", part(builds), part(waits), part(busy));
}

std::string threads_text(const ProfileReport &report, double wall_ns) {
  Table table({"threads that ran commands", "parts", "total", "share of the run"});
  for (const auto *entry : by_size(report.threads, [](const ProfileTimes &times) { return times.total_ns; })) {
    const auto &[name, times] = *entry;
    table.add({name, std::to_string(times.count), time_text(static_cast<double>(times.total_ns)),
               share_text(times.total_ns, wall_ns)});
  }
  return table.is_empty() ? "" : table.text();
}

}  // namespace

std::string profile_table(const ProfileReport &report, const ProfiledProgram &program) {
  const double wall_ns = program.seconds * 1e9;
  std::string text = fmt::format("upsweep profile: {} ran for {}", program.name, time_text(wall_ns));
  text += program.signal ? fmt::format(", ended by signal {}\n", program.signal)
                         : fmt::format(", exit status {}\n", program.status);
  if (report.processes == 0) return text + "no process used Upsweep's devices\n";
  text += parts_text(report, wall_ns);
  if (report.processes > 1) text += fmt::format("{} processes used Upsweep's devices\n", report.processes);
  if (report.incomplete)
    text += fmt::format("{} of them ended without the last sums: the last 0.1 s may be missing\n", report.incomplete);
  if (report.lost_records) text += fmt::format("{} records were lost, so the sums are too small\n", report.lost_records);
  for (const std::string &part : {kernels_text(report), transfers_text(report), builds_text(report),
                                  waits_text(report, wall_ns), queues_text(report, wall_ns), threads_text(report, wall_ns)})
    if (!part.empty()) text += "\n" + part;
  return text + fmt::format("\npeak memory of buffers, images, SVM and USM: {}\n",
                            count_text(static_cast<double>(report.peak_bytes), "B"));
}

}  // namespace upsweep::cli
