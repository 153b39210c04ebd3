// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compactions in chunks: the marked elements of a chunk are counted, and written behind the marked elements of all earlier
// chunks.
#pragma once

#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/marks.h>
#include <upsweep/cpu/detail/tiles.h>

#include <optional>

namespace upsweep::cpu::detail {

// The elements of a tile as an array.
template <class In>
struct Elements {
  using T = std::remove_cv_t<ValueOf<In>>;
  using Buffer = std::conditional_t<is_contiguous<In>, NoBuffer, TileBuffer<T>>;
  In in;

  const T *get(std::uint64_t begin, std::size_t count, Buffer &buffer) const {
    if constexpr (is_contiguous<In>) {
      return address(in) + begin;
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        buffer.items()[i] = in[static_cast<std::ptrdiff_t>(begin + i)];
      }
      return buffer.items();
    }
  }
};

// An output that grows by parts of a tile. kStreamed: it bypasses the caches.
template <class T, class Out>
class Appended {
public:
  // The first element goes to `at` in the output.
  Appended(Out out, std::uint64_t at, bool is_streamed) : out_(out + static_cast<std::ptrdiff_t>(at)) {
    if constexpr (kMayStream) {
      if (is_streamed) {
        stream_.emplace(std::to_address(out_));
      }
    }
  }

  // Room for kTileItems<T> and 64 bytes more.
  T *room() {
    if constexpr (kMayStream) {
      if (stream_) {
        return reinterpret_cast<T *>(stream_->room());
      }
    }
    return reinterpret_cast<T *>(buffer_);
  }
  void commit(std::size_t count) {
    if constexpr (kMayStream) {
      if (stream_) {
        stream_->commit(count * sizeof(T));
        return;
      }
    }
    const T *from = reinterpret_cast<const T *>(buffer_);
    if constexpr (kIsPlain) {
      std::memcpy(static_cast<void *>(std::to_address(out_)), from, count * sizeof(T));
      out_ += static_cast<std::ptrdiff_t>(count);
    } else {
      for (std::size_t i = 0; i < count; ++i, ++out_) {
        *out_ = static_cast<ElementToWrite<Out>>(from[i]);
      }
    }
  }
  void finish() {
    if constexpr (kMayStream) {
      if (stream_) {
        stream_->finish();
      }
    }
  }

private:
  static constexpr std::size_t kBytes = kTileItems<T> * sizeof(T) + 2 * kLine;
  static constexpr bool kIsPlain = is_contiguous<Out> && std::is_same_v<std::remove_cv_t<ValueOf<Out>>, T>;
  static constexpr bool kMayStream = kIsPlain;

  Out out_;
  std::optional<StreamedOutput<kBytes>> stream_;
  alignas(kLine) std::byte buffer_[kBytes];
};

// The elements that are marked and compacted together: a quarter of a tile, so that reads from memory and streamed stores
// alternate in short intervals.
template <class T>
inline constexpr std::size_t kMarkedItems = std::max<std::size_t>(kTileItems<T> / 4 / 64 * 64, 64);

enum class Rejects { kDropped, kReversed, kElsewhere };

// Keys: 0, or an array that is compacted like the elements. Rejected: 0, or the destination of the other elements.
template <class In, class Out, class Marks, class Keys, class OutKeys, class Rejected, Rejects kRejects>
struct CompactJob {
  using T = std::remove_cv_t<ValueOf<In>>;
  using Total = std::uint64_t;
  static constexpr bool kKeepsMarks = true;
  static constexpr std::size_t kItems = kMarkedItems<T>;

  Elements<In> in;
  Out out;
  Marks marks;
  Keys keys;
  OutKeys out_keys;
  Rejected rejected;
  Chunks chunks;
  bool is_streamed;
  std::uint64_t *kept;
  ChunkMarks found{};

  Total combine(Total left, Total right) const { return left + right; }
  Total reduce(std::uint64_t chunk) {
    Total total = 0;
    for (std::uint64_t i = 0; i < chunks.length(chunk); i += kItems) {
      total += mark_tile(chunk, i);
    }
    return total;
  }

  Total scan(std::uint64_t chunk, Total before, std::optional<std::uint64_t> next) {
    const std::uint64_t begin = chunks.begin(chunk), length = chunks.length(chunk);
    const std::uint64_t next_length = next ? chunks.length(*next) : 0;
    found.next_chunk();
    Appended<T, Out> to(out, before, is_streamed);
    auto others = output_of<T>(rejected, begin - before);
    auto more = output_of<ElementOf<Keys>>(out_keys, before);
    typename Elements<In>::Buffer buffer;
    std::uint64_t total = 0, next_total = 0;
    for (std::uint64_t i = 0; i < length; i += kItems) {
      const std::size_t n = std::min<std::uint64_t>(kItems, length - i);
      const std::uint64_t *words = found.words() + i / 64;
      const T *elements = in.get(begin + i, n, buffer);
      if constexpr (!is_none<Keys>) {
        append_keys(begin + i, n, words, more);
      }
      const std::size_t count = append(elements, words, n, to);
      if constexpr (kRejects != Rejects::kDropped) {
        reject(elements, words, n, begin + i - before - total, others);
      }
      total += count;
      if (i < next_length) {
        next_total += mark_tile(*next, i);
      }
    }
    to.finish();
    finish(others);
    finish(more);
    if (begin + length == chunks.n) {
      *kept = before + total;
    }
    for (std::uint64_t i = (length + kItems - 1) / kItems * kItems; i < next_length; i += kItems) {
      next_total += mark_tile(*next, i);
    }
    return next_total;
  }

private:
  template <class Array>
  static constexpr bool is_none = std::is_same_v<Array, int>;
  template <class Array, bool kNone = is_none<Array>>
  struct ElementOfArray {
    using type = std::remove_cv_t<ValueOf<Array>>;
  };
  template <class Array>
  struct ElementOfArray<Array, true> {
    using type = int;
  };
  template <class Array>
  using ElementOf = typename ElementOfArray<Array>::type;

  template <class Element, class To>
  auto output_of(const To &array, std::uint64_t at) const {
    if constexpr (is_none<To>) {
      return 0;
    } else {
      return Appended<Element, To>(array, at, is_streamed);
    }
  }
  template <class Output>
  static void finish(Output &output) {
    if constexpr (!is_none<Output>) {
      output.finish();
    }
  }

  Total mark_tile(std::uint64_t chunk, std::uint64_t i) {
    return found.mark(marks, chunks.begin(chunk), i, std::min<std::uint64_t>(kItems, chunks.length(chunk) - i));
  }

  template <class Element, class Output>
  static std::size_t append(const Element *from, const std::uint64_t *words, std::size_t n, Output &output) {
    Element *room = output.room();
    const std::size_t count = UPSWEEP_CPU_DISPATCH(compact, from, words, n, room);
    output.commit(count);
    return count;
  }

  template <class More>
  void append_keys(std::uint64_t begin, std::size_t n, const std::uint64_t *words, More &more) const {
    using Key = ElementOf<Keys>;
    // Tiles are sized by the elements; keys may be larger.
    for (std::size_t i = 0; i < n; i += kTileItems<Key>) {
      append(address(keys) + begin + i, words + i / 64, std::min(kTileItems<Key>, n - i), more);
    }
  }

  // `before`: the number of rejected elements before this tile.
  template <class Output>
  void reject(const T *elements, const std::uint64_t *words, std::size_t n, std::uint64_t before, Output &output) const {
    std::uint64_t inverse[words_of(kItems)];
    std::uint64_t *others = inverse;
    UPSWEEP_CPU_DISPATCH(invert_marks, words, n, others);
    if constexpr (kRejects == Rejects::kReversed) {
      alignas(kLine) std::byte bytes[kItems * sizeof(T) + kLine];
      T *to = reinterpret_cast<T *>(bytes);
      const std::uint64_t *which = inverse;
      const std::size_t count = UPSWEEP_CPU_DISPATCH(compact, elements, which, n, to);
      std::reverse_copy(to, to + count, out + static_cast<std::ptrdiff_t>(chunks.n - before - count));
    } else {
      append(elements, static_cast<const std::uint64_t *>(inverse), n, output);
    }
  }
};

template <Rejects kRejects, class In, class Out, class Number, class Marks, class Keys, class OutKeys, class Rejected,
          class Executor>
void compact(In in, Out out, Number *kept, std::uint64_t n, const Marks &marks, Keys keys, OutKeys out_keys, Rejected rejected,
             bool is_in_place, Executor &executor) {
  using T = std::remove_cv_t<ValueOf<In>>;
  static_assert(std::is_trivially_copyable_v<T>, "elements must be trivially copyable");
  std::uint64_t count = 0;
  if (n > 0) {
    const CompactJob<In, Out, Marks, Keys, OutKeys, Rejected, kRejects> job{
        {in},  out, marks, keys, out_keys, rejected, Chunks(n, sizeof(T)), n * sizeof(T) >= kStreamedBytes && !is_in_place,
        &count};
    if (is_in_place || shares_words<Out> || shares_words<OutKeys> || shares_words<Rejected>) {
      // A chunk's results may overlap elements that another thread has yet to read, or share a word with another thread's
      // results.
      calling_thread alone;
      go_over_chunks(alone, job, job.chunks.count(), std::uint64_t(0));
    } else {
      go_over_chunks(executor, job, job.chunks.count(), std::uint64_t(0));
    }
  }
  *kept = static_cast<Number>(count);
}

}  // namespace upsweep::cpu::detail
