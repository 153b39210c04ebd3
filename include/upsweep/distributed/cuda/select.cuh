// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections from an array of which each GPU has a part: the kept elements of each part, without gaps, in their order. They
// stay on their rank; rebalance (place.cuh) divides them anew.
//
//   select_if          keeps x[i] where predicate(x[i])
//   select_by_flag     keeps x[i] where flags[i] is not 0
//   select_by_bit      keeps x[i] where bit i % 32 of bits[i / 32] is 1; i counts in this rank's part
//   select_by_stencil  keeps x[i] where predicate(stencil[i])
//   unique             keeps the first element of each run of equal neighbours of the whole array, on the rank where the run
//                      begins
//   unique_by_key      keeps the first key and element of each run of equal keys
//
// `ranks`    communicator of GPUs (communicator.cuh). cuda/select.cuh explains the other arguments, here of this rank's part.
// `kept`     device pointer to an integer, which becomes the number of elements kept on this rank.
// `options`  total_to(device pointer to a std::uint64_t): each rank gets the number of elements kept on all ranks. unique: the
//            comparison of neighbours.
//
// As on one GPU, and one message of 256 bytes to each rank. Nothing comes to the host. Errors: at the next wait
// (communicator.cuh).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cuda/select.cuh>
#include <upsweep/distributed/cuda/detail/run_border.cuh>

namespace upsweep::distributed {

namespace detail {

template <class Number>
__global__ void kept_record_kernel(const Number *kept, Record *record, RecordHeader header) {
  header.n = static_cast<std::uint64_t>(*kept);
  record->header = header;
}

// Adds up the ranks' numbers.
struct FinishNumbers {
  RecordCheck check;
  std::uint64_t *total;

  __device__ void operator()(const Record *all) const {
    if (check(all) && total != nullptr) {
      std::uint64_t sum = 0;
      for (unsigned r = 0; r < check.size; ++r) {
        sum += all[r].header.n;
      }
      *total = sum;
    }
  }
};

// Selects on each rank, shows the number that is kept, and adds up for total_to. select(workspace) selects from n elements.
template <class C, class Number, class Select, class... More>
void select_on_devices(DeviceCall<C> &call, std::uint64_t n, std::size_t element_bytes, Number *kept, const Select &select,
                       const More &...more) {
  C &ranks = call.ranks();
  const auto total = gpu::find_option<upsweep::cuda::total_to>(0, more...);
  constexpr bool kHasTotal = !std::is_same_v<std::decay_t<decltype(total)>, int>;
  std::uint64_t *total_place = nullptr;
  if constexpr (kHasTotal) {
    total_place = total.to;
  }
  call.gather(
      n,
      [&] {
        if (kept == nullptr || (kHasTotal && total_place == nullptr)) {
          return cudaErrorInvalidValue;
        }
        upsweep::cuda::workspace space;
        cudaError_t error =
            ranks.workspace_of(gpu::words_workspace_bytes(n, sizeof(gpu::Runs<std::uint32_t>), element_bytes), space);
        if (error == cudaSuccess) {
          error = select(space);
        }
        return error != cudaSuccess ? error
                                    : gpu::launch(kept_record_kernel<Number>, 1, 1, 0, call.stream(),
                                                  static_cast<const Number *>(kept), ranks.own_record(), call.header(0));
      },
      FinishNumbers{call.check(), total_place});
}

// Finds on each rank whether its first key continues a run. Returns the place of the answer in device memory.
template <class C, class Keys, class Equal>
const std::uint32_t *find_border(DeviceCall<C> &call, Keys keys, std::uint64_t n, const Equal &equal) {
  C &ranks = call.ranks();
  auto *const continues = reinterpret_cast<std::uint32_t *>(ranks.room());
  call.gather(
      n,
      [&] {
        return n > 0 && gpu::is_null(keys)
                   ? cudaErrorInvalidValue
                   : gpu::launch(ends_kernel<Keys>, 1, 1, 0, call.stream(), keys, n, ranks.own_record(), call.header(n));
      },
      FinishBorder<gpu::ElementOf<Keys>, Equal>{call.check(), equal, continues});
  return continues;
}

}  // namespace detail

template <device_communicator C, class In, class Out, class Number, class Predicate, class... More>
void select_if(C &ranks, In in, Out out, Number *kept, std::uint64_t n, Predicate predicate, More... more) {
  detail::DeviceCall<C> call(ranks, "select_if", 0);
  detail::select_on_devices(
      call, n, sizeof(detail::gpu::ElementOf<detail::gpu::Unwrapped<In>>), kept,
      [&](const auto &space) { return upsweep::cuda::select_if(space, in, out, kept, n, predicate, call.stream()); }, more...);
}

template <device_communicator C, class In, class Flags, class Out, class Number, class... More>
void select_by_flag(C &ranks, In in, Flags flags, Out out, Number *kept, std::uint64_t n, More... more) {
  detail::DeviceCall<C> call(ranks, "select_by_flag", 0);
  detail::select_on_devices(
      call, n, sizeof(detail::gpu::ElementOf<detail::gpu::Unwrapped<In>>), kept,
      [&](const auto &space) { return upsweep::cuda::select_by_flag(space, in, flags, out, kept, n, call.stream()); }, more...);
}

template <device_communicator C, class In, class Out, class Number, class... More>
void select_by_bit(C &ranks, In in, const std::uint32_t *bits, Out out, Number *kept, std::uint64_t n, More... more) {
  detail::DeviceCall<C> call(ranks, "select_by_bit", 0);
  detail::select_on_devices(
      call, n, sizeof(detail::gpu::ElementOf<detail::gpu::Unwrapped<In>>), kept,
      [&](const auto &space) { return upsweep::cuda::select_by_bit(space, in, bits, out, kept, n, call.stream()); }, more...);
}

template <device_communicator C, class In, class Stencil, class Out, class Number, class Predicate, class... More>
void select_by_stencil(C &ranks, In in, Stencil stencil, Out out, Number *kept, std::uint64_t n, Predicate predicate,
                       More... more) {
  detail::DeviceCall<C> call(ranks, "select_by_stencil", 0);
  detail::select_on_devices(
      call, n, sizeof(detail::gpu::ElementOf<detail::gpu::Unwrapped<In>>), kept,
      [&](const auto &space) {
        return upsweep::cuda::select_by_stencil(space, in, stencil, out, kept, n, predicate, call.stream());
      },
      more...);
}

template <device_communicator C, class In, class Out, class Number, class... More>
void unique(C &ranks, In in, Out out, Number *kept, std::uint64_t n, More... more) {
  namespace gpu = detail::gpu;
  using T = gpu::ElementOf<gpu::Unwrapped<In>>;
  detail::DeviceCall<C> call(ranks, "unique", detail::types_hash<T>());
  const auto equal = gpu::equal_of<T>(more...);
  using Keep = gpu::KeepFirstOfRun<std::decay_t<decltype(equal)>>;
  const std::uint32_t *const continues = detail::find_border(call, gpu::unwrapped(in), n, equal);
  detail::select_on_devices(
      call, n, sizeof(T), kept,
      [&](const auto &space) {
        return gpu::call_select(space, in, out, kept, n, gpu::KeepContinued<Keep>(Keep(equal), continues), call.stream());
      },
      gpu::without_binary<T>(more)...);
}

template <device_communicator C, class Keys, class In, class OutKeys, class Out, class Number, class... More>
void unique_by_key(C &ranks, Keys keys, In in, OutKeys out_keys, Out out, Number *kept, std::uint64_t n, More... more) {
  namespace gpu = detail::gpu;
  const auto marks = gpu::unwrapped(keys);
  using Marks = std::decay_t<decltype(marks)>;
  using Key = gpu::ElementOf<Marks>;
  detail::DeviceCall<C> call(ranks, "unique_by_key", detail::types_hash<Key>());
  const auto equal = gpu::equal_of<Key>(more...);
  using Keep = gpu::KeepFirstOfKeys<Marks, std::decay_t<decltype(equal)>>;
  const std::uint32_t *const continues = detail::find_border(call, marks, n, equal);
  detail::select_on_devices(
      call, n, std::max(sizeof(Key), sizeof(gpu::ElementOf<gpu::Unwrapped<In>>)), kept,
      [&](const auto &space) {
        return gpu::call_compact<gpu::Rejects::kDroppedWithMarks>(
            space, in, out, out_keys, kept, n, gpu::KeepContinued<Keep>(Keep(marks, equal), continues), call.stream());
      },
      gpu::without_binary<Key>(more)...);
}

}  // namespace upsweep::distributed
#endif
