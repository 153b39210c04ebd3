// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stable sort of a stream that may be larger than memory: an external merge sort.
//
//   sort<T>(source, sink, settings, options...)
//
// `T`         a key of cpu::sort_keys (cpu/sort.h): an integer of 8 to 128 bits, half type, float or double; or a trivially
//             copyable struct with by_members or a comparison
// `source`    block_source of T (stream.h)
// `sink`      block_sink of T; it gets nothing before the source is read to its end
// `settings`  the memory for all arrays of the call, and the folder of its temporary files (stream.h)
// `options`   an executor; descending, by_members, or a comparison less(x, y), a strict weak ordering
//
//     upsweep::external::file_source<std::int64_t> in("in");
//     upsweep::external::file_sink<std::int64_t> out("out");
//     upsweep::external::sort<std::int64_t>(in, out, {.memory = 500'000'000, .folder = "/data"});
//     out.close();
//
// Parts of a quarter of the memory are sorted by cpu::sort_keys and stored in a temporary file as runs, while the next part is
// read and the part before is written. The runs are then merged by all threads. n elements in n / (memory / 4) runs are merged
// in one pass if their number is at most memory * 3/8 / least_block - 2, 1500 runs for 1 GiB; more runs need another pass over
// as few runs as possible. So the call moves the bytes of the stream four times in all, less the last part, which stays in
// memory; twice if the stream fits into a quarter of the memory. The temporary file is as large as the stream, and gives its
// blocks back while the last merge reads them.
//
// Errors: exceptions of the streams; std::system_error from the temporary file (a full disk, for example);
// std::invalid_argument if the memory is less than 32 times least_block; std::bad_alloc. The sink may then have got a part of
// the elements. If a comparison throws, so does the call.
//
// Source: Knuth, The Art of Computer Programming, volume 3, section 5.4.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/external/detail/merge_plan.h>
#include <upsweep/external/detail/merge_runs.h>
#include <upsweep/external/detail/watch.h>

namespace upsweep::external {

namespace detail {

// The passes of a sort after its runs are formed.
template <class T, class Less, class Executor>
class run_merger {
public:
  run_merger(const std::filesystem::path &folder, const merge_plan &plan, const Less &less, Executor &executor,
             moved_elements &moved)
      : folder_(folder), plan_(plan), less_(less), executor_(executor), moved_(moved) {}

  void merge(formed_runs<T> formed, write_elements<T> sink) {
    background reader, writer;
    if (formed.stored.size() > plan_.fan_in()) {
      reduce_runs(formed.stored, plan_.fan_in(), [&](const stored_run *first, std::uint64_t n) {
        files_.push_back(std::make_unique<temporary_file>(folder_));
        stored_run merged{files_.back().get(), 0, 0};
        for (std::uint64_t j = 0; j < n; ++j) {
          merged.count += first[j].count;
        }
        std::uint64_t end = 0;
        merge_group(first, n, nullptr, reader, writer, [&, file = merged.file](const T *from, std::uint64_t count) {
          file->write(end, from, whole_pages(count * sizeof(T)));
          end += count * sizeof(T);
          moved_.add(count);
        });
        return merged;
      });
    }
    merge_group(formed.stored.data(), formed.stored.size(), &formed, reader, writer, std::move(sink));
  }

private:
  // Reads a run block by block, and gives the blocks back to the disk.
  auto reader_of(const stored_run &run) {
    return [this, run, done = std::uint64_t(0)](T *to, std::uint64_t n) mutable {
      n = std::min(n, run.count - done);
      const std::uint64_t offset = run.offset + done * sizeof(T), bytes = whole_pages(n * sizeof(T));
      run.file->read(offset, to, bytes);
      run.file->release(offset, bytes);
      done += n;
      moved_.add(n);
      return n;
    };
  }

  void merge_group(const stored_run *first, std::uint64_t n, const formed_runs<T> *last, background &reader, background &writer,
                   write_elements<T> sink) {
    const std::uint64_t block = plan_.block(n);
    runs_of<T> runs;
    for (std::uint64_t j = 0; j < n; ++j) {
      runs.push_back(std::make_unique<run_reader<T>>(reader_of(first[j]), block, reader));
    }
    if (last != nullptr) {
      runs.push_back(std::make_unique<run_reader<T>>(last->last.get(), last->last.get() + last->last_count));
    }
    block_writer<T> out(std::move(sink), 2 * block, writer);
    merge_runs(runs, out, less_, executor_);
    out.finish();
  }

  const std::filesystem::path &folder_;
  const merge_plan &plan_;
  const Less &less_;
  Executor &executor_;
  moved_elements &moved_;
  std::vector<std::unique_ptr<temporary_file>> files_;
};

// The elements that a sort moves, for its progress.
template <class T>
std::uint64_t elements_to_move(std::uint64_t count, std::uint64_t length, std::uint64_t fan_in) {
  if (count <= length) {
    return 2 * count;
  }
  std::vector<stored_run> runs((count - 1) / length, {nullptr, 0, length});
  std::uint64_t more = runs.size() * length;
  reduce_runs(runs, fan_in, [&](const stored_run *first, std::uint64_t n) {
    stored_run merged;
    for (std::uint64_t j = 0; j < n; ++j) {
      merged.count += first[j].count;
    }
    more += merged.count;
    return merged;
  });
  return 2 * (count + more);
}

}  // namespace detail

template <class T, class Source, class Sink, class... More>
  requires block_source<Source, T> && block_sink<Sink, T>
void sort(Source &source, Sink &sink, const settings &with, More &&...more) {
  static_assert(std::is_trivially_copyable_v<T>, "elements of streams must be trivially copyable");
  using namespace detail;
  auto &executor = cpu::detail::executor_of<1>(more...);
  const auto less = detail::less_of<T>(more...);
  const std::uint64_t length = whole_granules<T>(with.memory / 4);
  const merge_plan plan = plan_of<T>(with.memory / 4 * 3, with.least_block);
  moved_elements moved(with.watch, with.count > 0 ? elements_to_move<T>(with.count, length, plan.fan_in()) : 0);
  std::unique_ptr<temporary_file> file;
  const auto read = [&](T *to, std::uint64_t n) {
    const std::uint64_t taken = source.read(to, n);
    moved.add(taken);
    return taken;
  };
  const auto write_run = [&](std::uint64_t offset, const T *from, std::uint64_t n) {
    if (!file) {
      file = std::make_unique<temporary_file>(with.folder);
    }
    file->write(offset, from, whole_pages(n * sizeof(T)));
    moved.add(n);
  };
  const auto write = [&](const T *from, std::uint64_t n) {
    sink.write(from, n);
    moved.add(n);
  };
  formed_runs<T> runs = form_runs<T>(read, write_run, length, more...);
  if (runs.stored.empty()) {
    for (std::uint64_t done = 0, n = 0; done < runs.last_count; done += n) {
      n = std::min(plan.most, runs.last_count - done);
      write(runs.last.get() + done, n);
    }
    return;
  }
  for (stored_run &run : runs.stored) {
    run.file = file.get();
  }
  run_merger<T, std::remove_const_t<decltype(less)>, std::remove_reference_t<decltype(executor)>>(with.folder, plan, less,
                                                                                                  executor, moved)
      .merge(std::move(runs), write);
}

}  // namespace upsweep::external
#endif
