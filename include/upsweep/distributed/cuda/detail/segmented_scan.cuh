// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans over GPUs that start again at marked elements. A part's total is that of its last segment. The elements before a part's
// first mark are scanned from the total of the segment that they continue.
#pragma once

#include <upsweep/cuda/scan.cuh>
#include <upsweep/distributed/cuda/detail/part_total.cuh>

namespace upsweep::distributed::detail {

// The flags of a record.
inline constexpr std::uint32_t kHasElements = 1, kHasInnerHead = 2;

// The elements of an array from a place in device memory on.
template <class In>
struct FromPlace {
  In in;
  const std::uint64_t *place;
  using value_type = gpu::ElementOf<In>;

  __device__ decltype(auto) operator[](std::uint64_t i) const { return in[*place + i]; }
  __host__ __device__ FromPlace operator+(std::uint64_t i) const { return {in + i, place}; }
};

inline constexpr int kHeadThreads = 256;
inline constexpr std::uint64_t kHeadsOfBlock = 8 * kHeadThreads;

// *place = the last i > 0 whose element is a head. Blocks search from the end on, and stop behind the last head that is known.
template <class Segments>
__global__ void last_head_kernel(Segments segments, std::uint64_t n, unsigned long long *place) {
  const volatile unsigned long long *const known = place;
  for (std::uint64_t behind = blockIdx.x * kHeadsOfBlock; behind < n; behind += gridDim.x * kHeadsOfBlock) {
    const std::uint64_t end = n - behind;
    if (*known >= end) {
      return;
    }
    for (std::uint64_t i = threadIdx.x; i < kHeadsOfBlock && i + 1 < end; i += kHeadThreads) {
      const std::uint64_t at = end - 1 - i;
      if (segments.is_head(segments.marks[at - 1], segments.marks[at])) {
        atomicMax(place, static_cast<unsigned long long>(at));
        break;
      }
    }
  }
}

// The record of the part, whose total a reduction adds.
template <class Segments>
__global__ void segment_record_kernel(Segments segments, std::uint64_t n, const unsigned long long *place,
                                      unsigned long long *length, Record *record, RecordHeader header) {
  header.flags = n > 0 ? kHasElements : 0;
  *length = 0;
  if (n > 0) {
    header.flags |= *place > 0 ? kHasInnerHead : 0;
    *length = n - *place;
    Record::write(record->first, static_cast<typename Segments::Mark>(segments.marks[0]));
    Record::write(record->last, static_cast<typename Segments::Mark>(segments.marks[n - 1]));
  }
  record->header = header;
}

// The output of the reduction, behind a header that is complete.
struct ValuePlace {
  Record *record;
  struct Reference {
    Record *record;
    template <class T>
    __device__ void operator=(const T &total) const {
      Record::write(record->value, total);
    }
  };
  __device__ Reference operator*() const { return {record}; }
};

// The total before this rank, of the segment that its first element continues.
template <class T, bool kInclusive, class Op, class Segments>
struct FinishSegments {
  using Mark = typename Segments::Mark;
  RecordCheck check;
  Op op;
  Segments segments;
  gpu::Later<T> initial;
  T *total;
  std::uint32_t *continues;

  __device__ void operator()(const Record *all) const {
    *continues = 0;
    if (!check(all)) {
      return;
    }
    T before{};
    bool has_before = false;
    Mark last{};
    for (unsigned r = 0; r <= check.rank; ++r) {
      const Record &part = all[r];
      if ((part.header.flags & kHasElements) == 0) {
        continue;
      }
      const bool goes_on = has_before && !segments.is_head(last, Record::read<Mark>(part.first));
      if (r == check.rank) {
        *continues = goes_on ? 1 : 0;
        if (goes_on) {
          *total = before;
        }
        return;
      }
      const T own = Record::read<T>(part.value);
      if (goes_on && (part.header.flags & kHasInnerHead) == 0) {
        before = op(before, own);
      } else {
        before = kInclusive ? own : static_cast<T>(op(initial.get(), own));
      }
      has_before = true;
      last = Record::read<Mark>(part.last);
    }
  }
};

template <class T, class Segments, class In, class Op, class Transform>
cudaError_t write_last_segment(device_rank &ranks, RecordHeader header, const Segments &segments, In in, std::uint64_t n,
                               const Op &op, const Transform &transform, unsigned char *room) {
  auto *const place = reinterpret_cast<unsigned long long *>(room), *const length = place + 1;
  cudaError_t error = cudaMemsetAsync(place, 0, sizeof *place, ranks.stream());
  if (error == cudaSuccess && n > 1) {
    const std::uint64_t blocks = std::min<std::uint64_t>((n + kHeadsOfBlock - 1) / kHeadsOfBlock, 264);
    error = gpu::launch(last_head_kernel<Segments>, static_cast<unsigned>(blocks), kHeadThreads, 0, ranks.stream(), segments, n,
                        place);
  }
  if (error == cudaSuccess) {
    error = gpu::launch(segment_record_kernel<Segments>, 1, 1, 0, ranks.stream(), segments, n,
                        static_cast<const unsigned long long *>(place), length, ranks.own_record(), header);
  }
  upsweep::cuda::workspace space;
  if (error == cudaSuccess && n > 0) {
    error = ranks.workspace_of(upsweep::cuda::reduce_workspace_bytes<T>(), space);
    if (error == cudaSuccess) {
      const FromPlace<In> from{in, reinterpret_cast<const std::uint64_t *>(place)};
      error = gpu::reduce<T, false>(space, from, ValuePlace{ranks.own_record()},
                                    gpu::Count{n, reinterpret_cast<const std::uint64_t *>(length), false}, op, T(), nullptr,
                                    false, transform, ranks.stream());
    }
  }
  return error;
}

template <class T, bool kInclusive, class C, class In, class Out, class Op, class Segments, class... More>
void segmented_scan_on_devices(C &ranks, const char *name, In in, Out out, std::uint64_t n, Op op, gpu::InitialValue<T> initial,
                               const Segments &segments, const More &...more) {
  const auto transform = gpu::find_option<upsweep::cuda::transform_input>(
                             upsweep::cuda::transform_input<gpu::Unchanged>(gpu::Unchanged{}), more...)
                             .function;
  static_assert(sizeof(T) <= kValueBytes && sizeof(typename Segments::Mark) <= kValueBytes);
  DeviceCall<C> call(ranks, name,
                     mix(types_hash<T, std::bool_constant<kInclusive>, typename Segments::Mark>(), types_hash<Op>()));
  auto *const total = reinterpret_cast<T *>(ranks.room());
  auto *const continues = reinterpret_cast<std::uint32_t *>(ranks.room() + kValueBytes);
  call.gather(
      n,
      [&] {
        if (initial.is_null || (n > 0 && (gpu::is_null(segments.marks) || gpu::is_null(in)))) {
          return cudaErrorInvalidValue;
        }
        return write_last_segment<T>(ranks, call.header(n), segments, in, n, op, transform, ranks.room() + 2 * kValueBytes);
      },
      FinishSegments<T, kInclusive, Op, Segments>{
          call.check(), op, segments, {initial.value, initial.pointer}, total, continues});
  call.local([&] {
    upsweep::cuda::workspace space;
    const std::size_t largest = std::max({sizeof(T), sizeof(gpu::ElementOf<In>), sizeof(gpu::ResultOf<Out, T>)});
    const cudaError_t error = ranks.workspace_of(gpu::words_workspace_bytes(n, sizeof(gpu::Run<T>), largest), space);
    return error != cudaSuccess ? error
                                : gpu::scan<T, kInclusive, !kInclusive>(space, in, out, gpu::count_of(n), op, initial,
                                                                        gpu::Continued<Segments, T>(segments, total, continues),
                                                                        ranks.stream(), more...);
  });
}

template <bool kInclusive, class C, class In, class Out, class Op, class Initial, class Segments, class... More>
void call_segmented_scan_on_devices(C &ranks, const char *name, In in, Out out, std::uint64_t n, Op op, Initial initial,
                                    const Segments &segments, const More &...more) {
  if constexpr (gpu::are_arrays<In, Out, std::uint64_t>() && are_options_of_ranks<More...>()) {
    const auto from = gpu::unwrapped(in);
    const auto to = gpu::unwrapped(out);
    using From = std::decay_t<decltype(from)>;
    using To = std::decay_t<decltype(to)>;
    if constexpr (gpu::is_request_of_scan<From, To, Op, Initial, More...>()) {
      const auto first = gpu::initial_value<From, To, Op, More...>(initial);
      using T = std::decay_t<decltype(first.value)>;
      segmented_scan_on_devices<T, kInclusive>(ranks, name, from, to, n, gpu::known_operator<T>(op), first, segments, more...);
    }
  }
}

template <bool kInclusive, class C, class Keys, class In, class Out, class Op, class Initial, class... More>
void scan_by_key_on_devices(C &ranks, const char *name, Keys keys, In in, Out out, std::uint64_t n, Op op, Initial initial,
                            const More &...more) {
  static_assert(gpu::is_iterator<gpu::Unwrapped<Keys>>, "upsweep: the keys are no pointer or random-access iterator");
  using Key = gpu::ElementOf<gpu::Unwrapped<Keys>>;
  const auto marks = gpu::unwrapped(keys);
  const auto equal = gpu::equal_of<Key>(more...);
  const gpu::ByKey<std::decay_t<decltype(marks)>, std::decay_t<decltype(equal)>> segments(marks, equal);
  call_segmented_scan_on_devices<kInclusive>(ranks, name, in, out, n, op, initial, segments, gpu::without_binary<Key>(more)...);
}

}  // namespace upsweep::distributed::detail
