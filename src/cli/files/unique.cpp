// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep unique`: the first element of each run of equal neighbours, and the lengths of the runs.
#include "cli/files/heads.h"
#include "cli/files/keep.h"
#include "cli/files/progress.h"
#include "cli/files/sink.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"
#include "cli/files/view.h"

#include <cstring>
#include <numeric>

namespace upsweep::cli {
namespace {

// Runs end where the next begins: lengths are differences of the heads' places.
class Lengths {
public:
  explicit Lengths(Sink &sink) : sink_(sink), places_(kStepElements), heads_(kStepElements) {}

  Result<void> add(size_t begin, const uint8_t *flags, size_t n) {
    std::iota(places_.begin(), places_.begin() + static_cast<ptrdiff_t>(n), uint64_t{begin});
    const size_t count = keep_elements(sizeof(uint64_t), reinterpret_cast<const std::byte *>(places_.data()), flags,
                                       reinterpret_cast<std::byte *>(heads_.data()), n);
    auto *lengths = reinterpret_cast<uint64_t *>(sink_.room(n * sizeof(uint64_t)));
    size_t ended = 0;
    for (size_t i = 0; i < count; ++i) {
      if (heads_[i] != 0) lengths[ended++] = heads_[i] - last_head_;
      last_head_ = heads_[i];
    }
    return put(lengths, ended);
  }
  Result<void> finish(size_t n) {
    auto *length = reinterpret_cast<uint64_t *>(sink_.room(sizeof(uint64_t)));
    *length = n - last_head_;
    if (auto done = put(length, n > 0 ? 1 : 0); !done) return done;
    return sink_.finish({runs_});
  }

private:
  Result<void> put(const uint64_t *lengths, size_t n) {
    runs_ += n;
    return sink_.commit(runs_ - n, reinterpret_cast<const std::byte *>(lengths), n);
  }

  Sink &sink_;
  std::vector<uint64_t> places_, heads_;
  uint64_t last_head_ = 0;
  size_t runs_ = 0;
};

}  // namespace

Result<void> unique(const UniqueOptions &options) {
  Summary summary(options.is_quiet);
  if (!options.counts.empty() && options.counts == options.out) return fail("--counts and --out are the same file");
  const auto array = open_array(options.in, options.input);
  if (!array) return Failure(array.error());
  auto sink = Sink::create(options.out, array->type, 1);
  if (!sink) return Failure(sink.error());
  auto counts = Sink::create(options.counts, {Scalar::ULong}, 1);
  if (!counts) return Failure(counts.error());
  Lengths lengths(**counts);
  Heads heads(*array);
  const Reader reader(*array);
  Progress progress("unique", options.is_quiet);
  const size_t bytes = array->type.bytes();
  std::vector<std::byte> room;
  std::vector<uint8_t> flags(kStepElements);
  size_t runs = 0;
  for (size_t done = 0, n = 0; done < array->count; done += n) {
    n = std::min(kStepElements, array->count - done);
    heads.find(done, n, flags.data());
    std::byte *to = (*sink)->room(n * bytes);
    const size_t kept = keep_elements(bytes, reader.bytes(done, n, room), flags.data(), to, n);
    if (auto stored = (*sink)->commit(runs, to, kept); !stored) return stored;
    runs += kept;
    if (auto stored = lengths.add(done, flags.data(), n); !stored) return stored;
    progress.show(done + n, array->count);
  }
  if (auto finished = lengths.finish(array->count); !finished) return finished;
  if (auto finished = (*sink)->finish({runs}); !finished) return finished;
  summary.input(*array);
  summary.row("result", fmt::format("{} runs of equal neighbours", runs));
  summary.row("view", (*sink)->view(runs));
  summary.row("counts", (*counts)->view(runs));
  summary.output("file", options.out);
  summary.output("counts", options.counts);
  summary.time(array->bytes() + (*sink)->stored_bytes(runs) + (*counts)->stored_bytes(runs));
  return {};
}

}  // namespace upsweep::cli
