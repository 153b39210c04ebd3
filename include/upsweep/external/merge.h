// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stable merge of sorted streams that may be larger than memory.
//
//   merge<T>(sources, sink, settings, options...)
//
// `sources`   a std::span of block_sources of T, each sorted; equal elements come in the order of the sources.
// `sink`      block_sink of T (stream.h)
// `T`, `settings`, `options`   as in sort.h, with the order in which the sources are sorted. settings.count is that of all
// sources.
//
// All sources are read once, block by block, while all threads merge: log2(sources) comparisons for each element. The call
// makes no temporary file. It needs (4 + 2 * sources) * least_block bytes of memory.
//
// Errors: exceptions of the streams; out_of_order if a source is not sorted; std::invalid_argument if the memory is too small
// for the sources; std::bad_alloc. The sink may then have got a part of the elements.
//
// Source: Knuth, The Art of Computer Programming, volume 3, section 5.4.1.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/external/detail/merge_plan.h>
#include <upsweep/external/detail/merge_runs.h>
#include <upsweep/external/detail/watch.h>

#include <span>
#include <stdexcept>

namespace upsweep::external {

// Element `element` of source `source`, both from 0, comes before its predecessor.
class out_of_order : public std::runtime_error {
public:
  out_of_order(std::uint64_t of_source, std::uint64_t of_element)
      : std::runtime_error("upsweep::external: source " + std::to_string(of_source) + " is not sorted: its element " +
                           std::to_string(of_element) + " comes before the element ahead of it"),
        source(of_source), element(of_element) {}

  std::uint64_t source, element;
};

template <class T, class Source, class Sink, class... More>
  requires block_source<Source, T> && block_sink<Sink, T>
void merge(std::span<Source> sources, Sink &sink, const settings &with, More &&...more) {
  static_assert(std::is_trivially_copyable_v<T>, "elements of streams must be trivially copyable");
  using namespace detail;
  auto &executor = cpu::detail::executor_of<1>(more...);
  const auto less = detail::less_of<T>(more...);
  const merge_plan plan = plan_of<T>(with.memory, with.least_block);
  if (sources.size() > plan.fan_in()) {
    throw std::invalid_argument("upsweep::external: the memory is too small to merge " + std::to_string(sources.size()) +
                                " sources");
  }
  moved_elements moved(with.watch, 2 * with.count);
  background reader, writer;
  const std::uint64_t block = plan.block(sources.size());
  runs_of<T> runs;
  for (Source &source : sources) {
    const auto read = [&](T *to, std::uint64_t n) {
      const std::uint64_t taken = source.read(to, n);
      moved.add(taken);
      return taken;
    };
    runs.push_back(std::make_unique<run_reader<T>>(read, block, reader));
  }
  const auto write = [&](const T *from, std::uint64_t n) {
    sink.write(from, n);
    moved.add(n);
  };
  block_writer<T> out(write, 2 * block, writer);
  merge_runs(runs, out, less, executor,
             [](std::uint64_t source, std::uint64_t element) { throw out_of_order(source, element); });
  out.finish();
}

}  // namespace upsweep::external
#endif
