// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep unique`: the first element of each run of equal adjacent elements, and the lengths of the runs.
#include "cli/files/device_compact.h"
#include "cli/files/heads.h"
#include "cli/files/keep.h"
#include "cli/files/progress.h"
#include "cli/files/sink.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"
#include "cli/files/view.h"

#include <algorithm>
#include <numeric>

namespace upsweep::cli {
namespace {

// A run ends where the next begins, so lengths are differences of the heads' positions.
class Lengths {
public:
  explicit Lengths(Sink &sink) : sink_(sink) {}

  // Adds runs, which start where the flags of the elements from `begin` are not 0.
  Result<void> add(size_t begin, const uint8_t *flags, size_t n) {
    places_.resize(n);
    heads_.resize(n);
    std::iota(places_.begin(), places_.end(), uint64_t{begin});
    heads_.resize(keep_elements(sizeof(uint64_t), reinterpret_cast<const std::byte *>(places_.data()), flags,
                                reinterpret_cast<std::byte *>(heads_.data()), n));
    return add_heads();
  }
  // Adds runs of the elements from `begin`; the first run may continue the previous.
  Result<void> add_runs(size_t begin, bool goes_on, const std::vector<uint64_t> &lengths, size_t runs) {
    heads_.clear();
    for (size_t r = 0; r < runs; begin += lengths[r++])
      if (r > 0 || !goes_on) heads_.push_back(begin);
    return add_heads();
  }
  Result<void> finish(size_t n) {
    auto *length = reinterpret_cast<uint64_t *>(sink_.room(sizeof(uint64_t)));
    *length = n - last_head_;
    if (auto done = put(length, n > 0 ? 1 : 0); !done) return done;
    return sink_.finish({runs_});
  }

private:
  Result<void> add_heads() {
    auto *lengths = reinterpret_cast<uint64_t *>(sink_.room(heads_.size() * sizeof(uint64_t)));
    size_t ended = 0;
    for (const uint64_t head : heads_) {
      if (head != 0) lengths[ended++] = head - last_head_;
      last_head_ = head;
    }
    return put(lengths, ended);
  }
  Result<void> put(const uint64_t *lengths, size_t n) {
    runs_ += n;
    return sink_.commit(runs_ - n, reinterpret_cast<const std::byte *>(lengths), n);
  }

  Sink &sink_;
  std::vector<uint64_t> places_, heads_;
  uint64_t last_head_ = 0;
  size_t runs_ = 0;
};

// Returns the number of runs.
Result<size_t> find_by_threads(const Array &array, Sink &firsts, Lengths &lengths, Progress &progress) {
  Heads heads(array);
  const Reader reader(array);
  const size_t bytes = array.type.bytes();
  std::vector<std::byte> room;
  std::vector<uint8_t> flags(kStepElements);
  size_t runs = 0;
  for (size_t done = 0, n = 0; done < array.count; done += n) {
    n = std::min(kStepElements, array.count - done);
    heads.find(done, n, flags.data());
    std::byte *to = firsts.room(n * bytes);
    const size_t kept = keep_elements(bytes, reader.bytes(done, n, room), flags.data(), to, n);
    if (auto stored = firsts.commit(runs, to, kept); !stored) return Failure(stored.error());
    runs += kept;
    if (auto stored = lengths.add(done, flags.data(), n); !stored) return Failure(stored.error());
    progress.show(done + n, array.count);
  }
  return runs;
}

Result<size_t> find_on_device(WorkDevice &device, const Array &array, Sink &firsts, Lengths &lengths, Progress &progress) {
  Heads heads(array);
  const Reader reader(array);
  const size_t bytes = array.type.bytes();
  std::vector<std::byte> room;
  std::vector<uint64_t> found(WorkDevice::kStep);
  size_t total = 0;
  for (size_t done = 0, n = 0; done < array.count; done += n) {
    n = std::min(WorkDevice::kStep, array.count - done);
    uint8_t is_head = 0;
    heads.find(done, 1, &is_head);
    std::byte *to = firsts.room(n * bytes);
    auto runs = find_runs(device, array.type, reader.bytes(done, n, room), n, to, found.data());
    if (!runs) return runs;
    const size_t known = is_head == 0 ? 1 : 0;  // the first run's head, if it was in the previous step
    if (auto stored = firsts.commit(total, to + known * bytes, *runs - known); !stored) return Failure(stored.error());
    total += *runs - known;
    if (auto stored = lengths.add_runs(done, known == 1, found, *runs); !stored) return Failure(stored.error());
    progress.show(done + n, array.count);
  }
  return total;
}

}  // namespace

Result<void> unique(const UniqueOptions &options) {
  Progress progress("unique", options.is_quiet);
  Summary summary(options.is_quiet || options.writes_to_stdout());
  if (!options.counts.empty() && options.counts == options.out) return misuse("--counts and --out are the same file");
  InputOptions input = options.input;
  input.is_exact = true;
  const auto array = open_array(options.in, input);
  if (!array) return Failure(array.error());
  const auto device = WorkDevice::open(options.device);
  if (!device) return Failure(device.error());
  auto sink = Sink::create(options.out, array->type, 1, *array);
  if (!sink) return Failure(sink.error());
  auto counts = Sink::create(options.counts, {Scalar::ULong}, 1, *array);
  if (!counts) return Failure(counts.error());
  Lengths lengths(**counts);
  const auto runs = *device ? find_on_device(**device, *array, **sink, lengths, progress)
                            : find_by_threads(*array, **sink, lengths, progress);
  if (!runs) return Failure(runs.error());
  if (auto finished = lengths.finish(array->count); !finished) return finished;
  if (auto finished = (*sink)->finish({*runs}); !finished) return finished;
  summary.input(*array);
  summary.row("result", fmt::format("{} runs of equal neighbours", *runs));
  summary.row("view", (*sink)->view(*runs));
  summary.row("counts", (*counts)->view(*runs));
  summary.output("file", options.out);
  summary.output("counts", options.counts);
  if (*device) summary.row("device", (*device)->times());
  summary.time(array->bytes() + (*sink)->stored_bytes(*runs) + (*counts)->stored_bytes(*runs));
  return {};
}

}  // namespace upsweep::cli
