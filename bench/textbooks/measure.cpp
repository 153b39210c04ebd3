// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times the rungs, each result checked before.
#include "bench/textbooks/bench.h"
#include "cli/files/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace upsweep::cli::textbooks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTooLong = 2;   // seconds: a rung's next length is left out if it probably takes longer
constexpr double kBatch = 2e-3;  // seconds of runs in a row, which are waited for together
constexpr size_t kMostInBatch = 50;

std::vector<size_t> lengths_of(Figure figure, const Inputs &inputs) {
  std::vector<size_t> lengths;
  if (figure == Figure::kBlock) return {kChunk};
  const bool is_table = figure == Figure::kTable;
  const size_t most = is_table ? inputs.picture.size() / kChannels : inputs.floats.size();
  for (size_t n = is_table ? size_t{512} * 512 : kChunk; n <= most; n *= 4) lengths.push_back(n);
  return lengths;
}

Result<double> seconds_of_batch(Machine &machine, const std::function<Result<void>()> &start, size_t runs) {
  const auto begin = Clock::now();
  for (size_t run = 0; run < runs; ++run)
    if (auto done = start(); !done) return Failure(done.error());
  if (auto done = machine.wait(); !done) return Failure(done.error());
  return std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(runs);
}

// The least of several rounds. The first run is not counted: it builds programs and touches memory.
Result<double> least_seconds(Machine &machine, const std::function<Result<void>()> &start, int rounds) {
  auto least = seconds_of_batch(machine, start, 1);
  if (!least) return least;
  least = seconds_of_batch(machine, start, 1);
  for (int round = 0; least && round < rounds; ++round) {
    const auto runs = static_cast<size_t>(std::clamp(kBatch / *least, 1.0, static_cast<double>(kMostInBatch)));
    const auto seconds = seconds_of_batch(machine, start, runs);
    if (!seconds) return seconds;
    *least = std::min(*least, *seconds);
  }
  return least;
}

Result<void> check_once(const Inputs &inputs, Machine &machine, const Rung &rung, size_t n) {
  return machine.poison((rung.figure == Figure::kTable ? kChannels : 1) * n * sizeof(uint32_t))
      .and_then([&] { return rung.start(n); })
      .and_then([&] { return machine.wait(); })
      .and_then([&] { return is_right(inputs, machine, rung.figure, n); })
      .and_then([&](bool right) -> Result<void> {
        if (right) return {};
        return fail("{}, {}: the result for {} elements is wrong", name_of(rung.figure), rung.name, n);
      });
}

}  // namespace

Result<Results> measure(const Inputs &inputs, Machine &machine, bool is_quick) {
  const int rounds = is_quick ? 3 : 7;
  Results results;
  results.machine = machine.name();
  const size_t bytes = inputs.floats.size() * sizeof(float);
  const auto copy = least_seconds(machine, [&] { return machine.copy(bytes); }, rounds);
  if (!copy) return Failure(copy.error());
  results.copy_rate = 2 * static_cast<double>(bytes) / *copy;
  const std::vector<Rung> rungs = machine.rungs();
  Progress progress("bench");
  for (size_t i = 0; i < rungs.size(); ++i) {
    const Rung &rung = rungs[i];
    double last = 0;
    for (const size_t n : lengths_of(rung.figure, inputs)) {
      progress.show(i, rungs.size());
      if (n > rung.most || 4 * last > kTooLong) break;
      if (auto done = check_once(inputs, machine, rung, n); !done) return Failure(done.error());
      const auto seconds = least_seconds(machine, [&] { return rung.start(n); }, rounds);
      if (!seconds) return Failure(seconds.error());
      last = *seconds;
      results.rows.push_back({rung.figure, rung.name, n, rung.figure == Figure::kBlock ? last / kBlockRepeats : last});
    }
  }
  return results;
}

}  // namespace upsweep::cli::textbooks
