// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a stream in parts that fit into memory, sorts each, and writes it to a temporary file as a run.
#pragma once

#include <upsweep/cpu/sort.h>
#include <upsweep/external/detail/blocks.h>
#include <upsweep/external/stream.h>

#include <tuple>

namespace upsweep::external::detail {

// The comparison of a call: a functor among its arguments, or the order of cpu::sort_keys.
template <class T, class... More>
auto less_of(More &...more) {
  if constexpr ((0 + ... + int(cpu::detail::is_functor<More>)) > 0) {
    return cpu::detail::less_of<T>(more...);
  } else {
    return cpu::detail::LessByOrder<cpu::detail::OrderOf<T, More...>>();
  }
}

// Sorts `n` elements of `in`, with another array of n elements; returns the array that has the result.
template <class T, class... More>
T *sort_part(T *in, T *other, std::uint64_t n, More &...more) {
  if constexpr ((0 + ... + int(cpu::detail::is_functor<More>)) > 0) {
    cpu::merge_sort(in, other, n, more...);
    return other;
  } else {
    cpu::double_buffer<T> buffers{in, other};
    cpu::sort_keys(buffers, n, more...);
    return buffers.current;
  }
}

struct stored_run {
  temporary_file *file = nullptr;  // set when all runs are formed
  std::uint64_t offset = 0;        // bytes
  std::uint64_t count = 0;
};

// Writes elements to a temporary file at an offset in bytes.
template <class T>
using write_at = std::function<void(std::uint64_t offset, const T *from, std::uint64_t n)>;

// The runs of a stream, in its order. The last one stays in memory.
template <class T>
struct formed_runs {
  std::vector<stored_run> stored;
  pages_of<T> last;
  std::uint64_t last_count = 0;
};

// Four arrays: a part is read to the first while the second is sorted with the third, and the fourth is written.
template <class T, class... More>
class run_former {
public:
  run_former(read_elements<T> read, write_at<T> write, std::uint64_t length, More &...more)
      : read_(std::move(read)), write_(std::move(write)), length_(length), options_(more...) {
    for (pages_of<T> &room : rooms_) {
      room = make_pages<T>(length);
    }
  }

  formed_runs<T> form(background &reader, background &writer) {
    formed_runs<T> runs;
    std::array<T *, 2> free{rooms_[1].get(), rooms_[2].get()};
    T *part = rooms_[0].get(), *written = rooms_[3].get();
    std::uint64_t next = 0;
    background::ticket write = 0;
    const settled_at_end end(reader, writer);
    std::uint64_t n = read_(part, length_);
    while (n == length_) {
      T *const ahead = free[1];
      const auto read = reader.post([&, ahead] { next = read_(ahead, length_); });
      T *const sorted = sort(part, free[0], n);
      reader.wait(read);
      if (next == 0) {
        return keep(std::move(runs), sorted, n, writer);
      }
      writer.wait(write);
      free = {sorted == part ? free[0] : part, written};
      written = sorted;
      runs.stored.push_back({nullptr, end_, n});
      write = writer.post([this, sorted, n, offset = end_] { write_(offset, sorted, n); });
      end_ += whole_pages(n * sizeof(T));
      part = ahead;
      n = next;
    }
    return keep(std::move(runs), sort(part, free[0], n), n, writer);
  }

private:
  T *sort(T *part, T *other, std::uint64_t n) {
    return std::apply([&](auto &...more) { return sort_part(part, other, n, more...); }, options_);
  }
  formed_runs<T> keep(formed_runs<T> runs, const T *sorted, std::uint64_t n, background &writer) {
    writer.wait_for_all();
    for (pages_of<T> &room : rooms_) {
      if (room.get() == sorted) {
        runs.last = std::move(room);
      }
    }
    runs.last_count = n;
    return runs;
  }

  struct settled_at_end {
    settled_at_end(background &reader, background &writer) : reader_(reader), writer_(writer) {}
    settled_at_end(const settled_at_end &) = delete;
    settled_at_end &operator=(const settled_at_end &) = delete;
    ~settled_at_end() {
      reader_.settle_all();
      writer_.settle_all();
    }
    background &reader_, &writer_;
  };

  read_elements<T> read_;
  write_at<T> write_;
  std::uint64_t length_;
  std::tuple<More &...> options_;
  std::array<pages_of<T>, 4> rooms_;
  std::uint64_t end_ = 0;
};

template <class T, class... More>
formed_runs<T> form_runs(read_elements<T> read, write_at<T> write, std::uint64_t length, More &...more) {
  run_former<T, More...> former(std::move(read), std::move(write), length, more...);
  background reader, writer;
  return former.form(reader, writer);
}

}  // namespace upsweep::external::detail
