// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compactions in chunks: the marked elements of a chunk are counted, and written behind those of all chunks before it.
#pragma once

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

// An output that grows by parts of a tile. kStreamed: past the caches.
template <class T, class Out>
class Appended {
public:
  // `at` is where in the output the first one goes.
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
        *out_ = static_cast<std::remove_reference_t<decltype(*out_)>>(from[i]);
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

enum class Rejects { kDropped, kReversed, kApart };

// Keys: 0, or an array that is compacted like the elements. Rejected: 0, or where the elements go that are not kept.
template <class In, class Out, class Marks, class Keys, class OutKeys, class Rejected, Rejects kRejects>
struct CompactJob {
  using T = std::remove_cv_t<ValueOf<In>>;
  using Total = std::uint64_t;
  static constexpr bool kHasKeys = !std::is_same_v<Keys, int>;

  Elements<In> in;
  Out out;
  Marks marks;
  Keys keys;
  OutKeys out_keys;
  Rejected rejected;
  Chunks chunks;
  bool is_streamed;
  std::uint64_t *kept;

  Total combine(Total left, Total right) const { return left + right; }
  Total reduce(std::uint64_t chunk) const { return count(chunks.begin(chunk), chunks.end(chunk)); }

  Total scan(std::uint64_t chunk, Total before, std::optional<std::uint64_t> next) const {
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    std::uint64_t next_i = next ? chunks.begin(*next) : 0;
    const std::uint64_t next_end = next ? chunks.end(*next) : 0;
    Total next_total = 0;
    Appended<T, Out> to(out, before, is_streamed);
    typename Elements<In>::Buffer buffer;
    std::uint64_t kept_here = 0;
    auto more = [&]() {
      if constexpr (kHasKeys) {
        using Key = std::remove_cv_t<ValueOf<Keys>>;
        return Appended<Key, OutKeys>(out_keys, before, is_streamed);
      } else {
        return 0;
      }
    }();
    std::uint8_t tile_marks[kTileItems<T>];
    for (std::uint64_t i = begin; i < end; i += kTileItems<T>) {
      const std::size_t n = std::min<std::uint64_t>(kTileItems<T>, end - i);
      marks.mark(i, n, tile_marks);
      if constexpr (kHasKeys) {
        compact_keys(i, n, tile_marks, more);
      }
      const T *elements = in.get(i, n, buffer);
      T *room = to.room();
      const std::size_t count = UPSWEEP_CPU_DISPATCH(compact, elements, tile_marks, n, room);
      to.commit(count);
      if constexpr (kRejects != Rejects::kDropped) {
        reject(elements, tile_marks, n, i - before - kept_here);
      }
      kept_here += count;
      const std::uint64_t next_part = std::min<std::uint64_t>(kTileItems<T>, next_end - next_i);
      if constexpr (is_contiguous<In>) {
        if (next_i + 2 * kTileItems<T> <= next_end) {
          prefetch(address(in.in) + next_i + kTileItems<T>, kTileItems<T> * sizeof(T));
        }
      }
      next_total += count_tile(next_i, next_part);
      next_i += next_part;
    }
    to.finish();
    if constexpr (kHasKeys) {
      more.finish();
    }
    if (end == chunks.n) {
      *kept = before + kept_here;
    }
    return next_total + count(next_i, next_end);
  }

private:
  Total count_tile(std::uint64_t begin, std::size_t n) const {
    std::uint8_t tile_marks[kTileItems<T>];
    marks.mark(begin, n, tile_marks);
    return UPSWEEP_CPU_DISPATCH(count_marks, tile_marks, n);
  }
  Total count(std::uint64_t begin, std::uint64_t end) const {
    Total total = 0;
    for (std::uint64_t i = begin; i < end; i += kTileItems<T>) {
      total += count_tile(i, std::min<std::uint64_t>(kTileItems<T>, end - i));
    }
    return total;
  }

  template <class More>
  void compact_keys(std::uint64_t begin, std::size_t n, const std::uint8_t *tile_marks, More &more) const {
    using Key = std::remove_cv_t<ValueOf<Keys>>;
    // Tiles are cut by the size of the elements; keys may be larger.
    for (std::size_t i = 0; i < n; i += kTileItems<Key>) {
      const std::size_t part = std::min(kTileItems<Key>, n - i);
      const Key *from = address(keys) + begin + i;
      const std::uint8_t *part_marks = tile_marks + i;
      Key *room = more.room();
      more.commit(UPSWEEP_CPU_DISPATCH(compact, from, part_marks, part, room));
    }
  }

  // `before`: how many were rejected before this tile.
  void reject(const T *elements, std::uint8_t *tile_marks, std::size_t n, std::uint64_t before) const {
    alignas(kLine) std::byte bytes[kTileItems<T> * sizeof(T) + kLine];
    T *others = reinterpret_cast<T *>(bytes);
    UPSWEEP_CPU_DISPATCH(invert_marks, tile_marks, n);
    const std::size_t count = UPSWEEP_CPU_DISPATCH(compact, elements, tile_marks, n, others);
    if constexpr (kRejects == Rejects::kReversed) {
      std::reverse_copy(others, others + count, out + static_cast<std::ptrdiff_t>(chunks.n - before - count));
    } else {
      std::copy(others, others + count, rejected + static_cast<std::ptrdiff_t>(before));
    }
  }
};

template <Rejects kRejects, class In, class Out, class Number, class Marks, class Keys, class OutKeys, class Rejected,
          class Executor>
void compact(In in, Out out, Number *kept, std::uint64_t n, const Marks &marks, Keys keys, OutKeys out_keys, Rejected rejected,
             bool is_in_place, Executor &executor) {
  using T = std::remove_cv_t<ValueOf<In>>;
  static_assert(std::is_trivially_copyable_v<T>, "elements must be trivially copyable");
  require_array(in, n, "the input");
  require_array(out, n, "the output");
  require_array(kept, 1, "the number of elements kept");
  std::uint64_t count = 0;
  if (n > 0) {
    const CompactJob<In, Out, Marks, Keys, OutKeys, Rejected, kRejects> job{
        {in},  out, marks, keys, out_keys, rejected, Chunks(n, sizeof(T)), n * sizeof(T) >= kStreamedBytes && !is_in_place,
        &count};
    if (is_in_place) {
      // What one chunk writes another thread might not have read yet.
      calling_thread alone;
      go_over_chunks(alone, job, job.chunks.count(), std::uint64_t(0));
    } else {
      go_over_chunks(executor, job, job.chunks.count(), std::uint64_t(0));
    }
  }
  *kept = static_cast<Number>(count);
}

}  // namespace upsweep::cpu::detail
