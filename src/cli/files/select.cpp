// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep select`: the elements that a comparison or flags keep.
#include "cli/files/comparison.h"
#include "cli/files/heads.h"
#include "cli/files/keep.h"
#include "cli/files/progress.h"
#include "cli/files/sink.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"
#include "cli/files/view.h"

namespace upsweep::cli {
namespace {

constexpr Comparison kNotZero{.least = 0, .most = 0, .is_negated = true};

}  // namespace

Result<void> select(const SelectOptions &options) {
  Summary summary(options.is_quiet);
  if (options.where.empty() == options.flags.empty()) return fail("what is kept is said by --where or by --flags, one of them");
  const auto comparison = options.where.empty() ? Result<Comparison>(kNotZero) : parse_comparison(options.where);
  if (!comparison) return Failure(comparison.error());
  const auto array = open_array(options.in, options.input);
  if (!array) return Failure(array.error());
  const auto flags = options.flags.empty() ? array : open_keys(options.flags, *array);
  if (!flags) return Failure(flags.error());
  auto sink = Sink::create(options.out, array->type, 1);
  if (!sink) return Failure(sink.error());
  const Reader reader(*array), flag_reader(*flags);
  Progress progress("select", options.is_quiet);
  const size_t bytes = array->type.bytes();
  std::vector<std::byte> room, flag_room;
  std::vector<uint8_t> kept(kStepElements);
  size_t total = 0;
  for (size_t done = 0, n = 0; done < array->count; done += n) {
    n = std::min(kStepElements, array->count - done);
    comparison->find(flags->type, flag_reader.bytes(done, n, flag_room), kept.data(), n);
    std::byte *to = (*sink)->room(n * bytes);
    const size_t count = keep_elements(bytes, reader.bytes(done, n, room), kept.data(), to, n);
    if (auto stored = (*sink)->commit(total, to, count); !stored) return stored;
    total += count;
    progress.show(done + n, array->count);
  }
  if (auto finished = (*sink)->finish({total}); !finished) return finished;
  summary.input(*array);
  summary.row("result", fmt::format("{} of {} elements", total, array->count));
  summary.row("view", (*sink)->view(total));
  summary.output("file", options.out);
  summary.time(array->bytes() + (options.flags.empty() ? 0 : flags->bytes()) + (*sink)->stored_bytes(total));
  return {};
}

}  // namespace upsweep::cli
