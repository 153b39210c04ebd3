// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the arguments of a scan into a checked request.
#pragma once

#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/call_arrays.cuh>
#include <upsweep/cuda/device/scan_launch.cuh>
#include <upsweep/cuda/device/scan_problem.cuh>

namespace upsweep::cuda::detail {

// The heads follow the words: four bytes for each fewest_items_of_heads() elements of whole tiles. scan_launch.cuh checks it.
constexpr std::size_t heads_workspace_bytes(std::uint64_t n, std::size_t largest) {
  return (n / fewest_items_of_heads(largest) * 4 + kMostHeadsBytes) / 16 * 16;
}

// Whether segments can cut n elements.
template <class Segments>
bool can_cut(const Segments &segments, std::uint64_t n) {
  if constexpr (Segments::kListed) {
    return segments.offsets != nullptr || segments.segments == 0;
  } else if constexpr (Segments::kMarked) {
    return n == 0 || !is_null(segments.marks);
  } else if constexpr (Segments::kSegmented) {
    return segments.length > 0;
  } else {
    return true;
  }
}

// The array of marks or offsets, if there is one.
template <class Segments>
CallArray array_of(const Segments &segments, std::uint64_t n) {
  if constexpr (Segments::kListed) {
    return reads(segments.offsets, segments.segments);
  } else if constexpr (Segments::kMarked) {
    return reads(segments.marks, n);
  } else {
    return {};
  }
}

// The place of the total, if an option names it.
template <class T>
T *place_of(const total_to<T> &total) {
  return total.to;
}
template <class T>
T *place_of(int) {
  return nullptr;
}

template <class T, bool kInclusive, bool kInitial, class In, class Out, class Op, class Segments, class... Options>
cudaError_t scan(const workspace &space, In in, Out out, Count count, Op op, InitialValue<T> initial, Segments segments,
                 cudaStream_t stream, Options... options) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64, "T must be trivially copyable and of at most 64 bytes");
  constexpr bool kBackward = has_option<backward_t, Options...>;
  static_assert(!(kBackward && (Segments::kMarked || Segments::kListed)),
                "backward is an option of scans of whole arrays and rows");
  const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
  const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), options...).function;
  const auto total = find_option<total_to>(0, options...);
  constexpr bool kTotal = !std::is_same_v<std::decay_t<decltype(total)>, int>;
  static_assert(!(kTotal && Segments::kSegmented), "total_to is no option of segmented scans");

  using Problem =
      ScanProblem<T, In, Out, Op, std::decay_t<decltype(transform_in)>, std::decay_t<decltype(transform_out)>,
                  std::conditional_t<Segments::kListed, ByHeads, Segments>, kInclusive, kBackward, kInitial, kTotal>;
  T *const total_place = place_of<T>(total);
  const std::uint64_t n = count.known();
  const CallArray written = writes(out, n, kTogether);
  if (count.most > kMostElements || count.is_null || initial.is_null || (kTotal && total_place == nullptr) ||
      (count.most > 0 && (is_null(in) || is_null(out))) || !can_cut(segments, count.most) ||
      !are_apart_in({array_of(segments, n), reads(in, n, kTogether), written}) ||
      // The total may be in the input, which is read earlier. It may also be the initial value of this scan.
      !are_apart_in({array_of(segments, n), written, writes(total_place, kTotal ? 1 : 0, kValuesTogether),
                     reads(initial.pointer, 1, kValuesTogether), reads(count.pointer, 1)})) {
    return cudaErrorInvalidValue;
  }
  const bool has_results = count.most > 0 || kTotal;
  if (is_pool(space) && !has_results) {
    return cudaSuccess;
  }
  const std::size_t words_end = words_workspace_bytes(count.most, sizeof(Run<T>), Problem::kLargest);
  const std::size_t needed = words_end + (Segments::kListed ? heads_workspace_bytes(count.most, Problem::kLargest) : 0);
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    if (!has_results) {
      return cudaSuccess;
    }
    auto *const bytes = static_cast<unsigned char *>(own.data);
    if constexpr (Segments::kListed) {
      segments.heads = bytes + words_end;
      const cudaError_t error =
          list_heads<typename ScanTuning<Problem>::template Geometry<false>>(segments, count.most, stream);
      if (error != cudaSuccess) {
        return error;
      }
    }
    const Problem problem{in,
                          out,
                          {count.most, count.pointer},
                          op,
                          {initial.value, initial.pointer},
                          total_place,
                          transform_in,
                          transform_out,
                          segments,
                          reinterpret_cast<ScanState *>(bytes),
                          reinterpret_cast<TileWord<typename Problem::Element> *>(bytes + kStateBytes),
                          own.bytes - kStateBytes};
    return launch_scan<has_option<reproducible_t, Options...>>(problem, count.most, stream);
  });
}

// The operator's operand for an input.
template <class In, class... Options>
using Transformed = std::decay_t<std::invoke_result_t<
    decltype(find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), std::declval<Options>()...).function),
    ElementOf<In>>>;

template <class... Options>
using NamedAccumulator = decltype(find_option<accumulator_t>(0, std::declval<Options>()...));

template <class In, class Out, class Op, class... Options>
struct AccumulatorOf {
  using Operand = Transformed<In, Options...>;
  using Made = std::decay_t<std::invoke_result_t<Op, Operand, Operand>>;
  using Place = ResultOf<Out, void>;
  static constexpr bool kIsPlain = std::is_same_v<decltype(find_option<transform_output>(0, std::declval<Options>()...)), int>;

  using Default = typename SummedTo<Op, Made, std::conditional_t<kIsPlain, Place, void>>::type;

  template <class Named>
  static accumulator_t<Named> named(accumulator_t<Named>);
  static accumulator_t<Default> named(int);
  using type = typename decltype(named(std::declval<NamedAccumulator<Options...>>()))::type;
};

// The type of totals.
template <class In, class Out, class Op, class... Options>
using Accumulator = typename AccumulatorOf<In, Out, Op, Options...>::type;

// The initial value, as a total of the call.
template <class Out, class Op, class... Options, class Initial>
auto initial_for(Initial initial) {
  const auto first = initial_of(initial);
  using T = std::decay_t<decltype(first.value)>;
  if constexpr (std::is_same_v<NamedAccumulator<Options...>, int>) {
    constexpr bool kIsPlain = std::is_same_v<decltype(find_option<transform_output>(0, std::declval<Options>()...)), int>;
    using Total = typename SummedTo<Op, T, std::conditional_t<kIsPlain, ResultOf<Out, void>, void>>::type;
    static_assert(std::is_same_v<Total, T> || std::is_same_v<Initial, T>,
                  "upsweep: an initial value in memory must have the type of totals, which the output makes wider");
    if constexpr (std::is_same_v<Total, T>) {
      return first;
    } else {
      return InitialValue<Total>{static_cast<Total>(first.value)};
    }
  } else {
    using A = typename NamedAccumulator<Options...>::type;
    static_assert(std::is_same_v<A, T> || std::is_same_v<Initial, T>,
                  "an initial value in memory must have the accumulator's type");
    if constexpr (std::is_same_v<A, T>) {
      return first;
    } else {
      return InitialValue<A>{static_cast<A>(first.value)};
    }
  }
}

// The initial value is the total of no elements.
struct FromIdentity {};
struct FromFirst {};

template <class F, class T>
constexpr bool is_transform_of() {
  static_assert(std::is_invocable_v<F, T>, "upsweep: the transformation cannot be called with an element of the input");
  return std::is_invocable_v<F, T>;
}

// In and Out are pointers where possible.
template <class In, class Out, class Op, class Initial, class... More>
constexpr bool is_operator_of_scan() {
  if constexpr (std::is_same_v<Initial, FromFirst> || std::is_same_v<Initial, FromIdentity>) {
    using F = decltype(find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), std::declval<More>()...).function);
    if constexpr (is_transform_of<F, ElementOf<In>>()) {
      using Operand = Transformed<In, More...>;
      constexpr bool kIsKnown = !hides_result<Op>() && !hides_result<F>();
      constexpr bool kIsNamed = !std::is_same_v<NamedAccumulator<More...>, int>;
      static_assert(kIsKnown || kIsNamed,
                    "upsweep: the result of a __device__ lambda is not known on the host; make it __host__ "
                    "__device__, or name its type by accumulator<T>");
      static_assert(std::is_invocable_v<Op, Operand, Operand>,
                    "upsweep: the operator cannot be called with two (transformed) elements");
      if constexpr ((kIsKnown || kIsNamed) && std::is_invocable_v<Op, Operand, Operand>) {
        return is_operator_of<Op, Accumulator<In, Out, Op, More...>>();
      } else {
        return false;
      }
    } else {
      return false;
    }
  } else {
    static_assert(!is_stream<Initial> || std::is_integral_v<Initial>,
                  "upsweep: an exclusive scan has an initial value before the stream");
    if constexpr (!is_stream<Initial> || std::is_integral_v<Initial>) {
      using T = std::decay_t<decltype(initial_for<Out, Op, More...>(std::declval<Initial>()).value)>;
      return is_operator_of<Op, T>();
    } else {
      return false;
    }
  }
}

template <class In, class Out, class Op, class Initial, class... More>
constexpr bool is_request_of_scan() {
  if constexpr (are_options<More...>()) {
    return is_operator_of_scan<In, Out, Op, Initial, More...>();
  }
  return false;
}

template <class In, class Out, class Op, class... More, class Initial>
auto initial_value(Initial initial) {
  if constexpr (std::is_same_v<Initial, FromFirst>) {
    return InitialValue<Accumulator<In, Out, Op, More...>>{};
  } else if constexpr (std::is_same_v<Initial, FromIdentity>) {
    using T = Accumulator<In, Out, Op, More...>;
    return initial_of(identity<Op, T>::value());
  } else {
    return initial_for<Out, Op, More...>(initial);
  }
}

// Checks and launches all scans except scans along an axis. Initial: FromFirst (an inclusive scan), FromIdentity, a value or
// initial_at.
template <class In, class Out, class N, class Op, class Initial, class Segments, class... More>
cudaError_t call_scan(const workspace &space, In in, Out out, N n, Op op, Initial initial, Segments segments,
                      const More &...more) {
  if constexpr (are_arrays<In, Out, N>()) {
    const auto from = unwrapped(in);
    const auto to = unwrapped(out);
    using From = std::decay_t<decltype(from)>;
    using To = std::decay_t<decltype(to)>;
    if constexpr (is_request_of_scan<From, To, Op, Initial, More...>()) {
      constexpr bool kInclusive = std::is_same_v<Initial, FromFirst>;
      const auto first = initial_value<From, To, Op, More...>(initial);
      using T = std::decay_t<decltype(first.value)>;
      return scan<T, kInclusive, !kInclusive>(space, from, to, count_of(n), known_operator<T>(op), first, segments,
                                              stream_of(more...), more...);
    }
  }
  return cudaErrorInvalidValue;
}

// The comparison of keys is among the options.
template <class Keys, class In, class Out, class N, class Op, class Initial, class... More>
cudaError_t call_scan_by_key(const workspace &space, Keys keys, In in, Out out, N n, Op op, Initial initial,
                             const More &...more) {
  static_assert(is_iterator<Unwrapped<Keys>>, "upsweep: the keys are no pointer or random-access iterator");
  if constexpr (is_iterator<Unwrapped<Keys>>) {
    using Key = ElementOf<Unwrapped<Keys>>;
    const auto marks = unwrapped(keys);
    const auto equal = equal_of<Key>(more...);
    const ByKey<std::decay_t<decltype(marks)>, std::decay_t<decltype(equal)>> segments{marks, equal};
    return call_scan(space, in, out, n, op, initial, segments, without_binary<Key>(more)...);
  }
  return cudaErrorInvalidValue;
}

template <class Flags>
auto by_flag(Flags flags) {
  const auto marks = unwrapped(flags);
  return ByFlag<std::decay_t<decltype(marks)>>{marks};
}

template <class Offsets>
auto by_offset(Offsets offsets, std::uint64_t segments) {
  static_assert(std::is_pointer_v<Unwrapped<Offsets>>, "upsweep: the offsets are not in contiguous memory");
  const auto *begin = unwrapped(offsets);
  return ByOffset<ElementOf<Unwrapped<Offsets>>>{{nullptr}, begin, segments};
}

}  // namespace upsweep::cuda::detail
