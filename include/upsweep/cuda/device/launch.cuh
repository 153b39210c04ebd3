// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a checked problem to a launch: which kernel, how many blocks and stages.
#pragma once

#include <upsweep/cuda/device/scan_few.cuh>
#include <upsweep/cuda/device/scan_work.cuh>
#include <upsweep/cuda/device/tuning.cuh>
#include <upsweep/cuda/workspace.cuh>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace upsweep::cuda::detail {

template <class Problem>
struct ScanTuning {
  using In = typename Problem::In;
  using Segments = typename Problem::Segments;
  static constexpr bool kHasLargerTotals = sizeof(typename Problem::T) > 8;
  static constexpr ScanRecord kRecord = Tuning::kScan[kHasLargerTotals ? 2 : sizeof(typename Problem::Element) > 4 ? 1 : 0];
  static constexpr int kVectors = Segments::kSegmented && sizeof(In) == 1 ? Tuning::kVectorsOfSegmentedBytes : kRecord.vectors;
  static constexpr int kItems = items_for(sizeof(In), sizeof(typename Problem::Out), kVectors);
  static constexpr int kWarpBytes =
      32 * kItems * static_cast<int>(sizeof(In) + (Segments::kMarked ? sizeof(typename Segments::Mark) : 0));
  static constexpr int kFitting = Tuning::kTileBytes / kWarpBytes;
  static constexpr int kWarps = std::clamp(kFitting, 2, kRecord.most_warps);

  // The workspace has a word for each tile.
  static_assert(kItems >= static_cast<int>(fewest_items(Problem::kLargest)) && kWarps >= 2);
  static_assert(!Segments::kListed ||
                kItems >= static_cast<int>(fewest_items_of_heads(Problem::kLargest)) * (kItems <= 32 ? 1 : 2));

  template <bool kBulk, bool kMayLead = false>
  using Geometry = ScanGeometry<Problem, kWarps, kVectors, kBulk, kBulk, kMayLead>;
};

// What a way to launch says of a problem that is not for it. Not an error of CUDA's.
inline constexpr cudaError_t kNotThisWay = cudaErrorApiFailureBase;

// Its attributes tell the architecture that the kernels are compiled for.
template <class>
__global__ void empty_kernel() {}

// A number of each device that takes as long to ask for as a launch does. 0: not known yet.
class KeptOfDevices {
public:
  // ask(number) is called until it has succeeded.
  template <class Ask>
  cudaError_t get(int device, int &number, const Ask &ask) {
    number = has_place(device) ? known_[device].load(std::memory_order_relaxed) : 0;
    return number > 0 ? cudaSuccess : get_anew(device, ask, number);
  }
  // The same, whatever is known.
  template <class Ask>
  cudaError_t get_anew(int device, const Ask &ask) {
    int number = 0;
    return get_anew(device, ask, number);
  }

private:
  bool has_place(int device) const { return static_cast<std::size_t>(device) < known_.size(); }
  template <class Ask>
  cudaError_t get_anew(int device, const Ask &ask, int &number) {
    const cudaError_t error = ask(number);
    if (error == cudaSuccess && has_place(device)) {
      known_[device].store(number, std::memory_order_relaxed);
    }
    return error;
  }

  std::array<std::atomic<int>, 64> known_{};
};

// Of the current device, and of the code that it runs: that for an older GPU, such as nvcc makes if no other is named, has no
// copy engine.
struct DeviceLimits {
  int device, multiprocessors, shared_bytes, major;

  static cudaError_t of_current(DeviceLimits &limits) {
    cudaError_t error = cudaGetDevice(&limits.device);
    if (error == cudaSuccess) {
      error = cudaDeviceGetAttribute(&limits.multiprocessors, cudaDevAttrMultiProcessorCount, limits.device);
    }
    if (error == cudaSuccess) {
      error = cudaDeviceGetAttribute(&limits.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, limits.device);
    }
    if (error == cudaSuccess) {
      error = major_of_code(limits.device, limits.major);
    }
    return error;
  }

private:
  static cudaError_t major_of_code(int device, int &major) {
    static KeptOfDevices kept;
    return kept.get(device, major, [](int &number) {
      cudaFuncAttributes attributes;
      const cudaError_t error = cudaFuncGetAttributes(&attributes, empty_kernel<void>);
      if (error == cudaSuccess) {
        number = attributes.ptxVersion / 10;
      }
      return error;
    });
  }
};

template <class Iterator>
inline constexpr bool is_contiguous = std::is_pointer_v<Iterator>;

// Whether marks, if there are any, lie in memory.
template <class Segments>
constexpr bool has_contiguous_marks() {
  if constexpr (Segments::kMarked) {
    return is_contiguous<std::remove_cv_t<decltype(Segments::marks)>>;
  } else {
    return true;
  }
}
template <class Problem>
inline constexpr bool is_all_contiguous = is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
                                          has_contiguous_marks<typename Problem::Segments>();

inline bool is_vector_aligned(const void *pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

// The copy engine can load and store the arrays of a problem of `count` elements (if that is known).
template <class Problem>
bool can_copy_in_bulk(const Problem &problem, std::uint64_t count, bool is_known) {
  if constexpr (is_all_contiguous<Problem>) {
    bool can = is_vector_aligned(problem.input) && is_vector_aligned(problem.output);
    if constexpr (Problem::kBackward) {
      can =
          can && is_known && count * sizeof(typename Problem::In) % 16 == 0 && count * sizeof(typename Problem::Out) % 16 == 0;
    }
    if constexpr (Problem::Segments::kMarked) {
      can = can && is_vector_aligned(problem.segments.marks);
    }
    return can;
  } else {
    return false;
  }
}

inline cudaLaunchConfig_t launch_config(unsigned blocks, int threads, std::size_t shared, cudaStream_t stream,
                                        cudaLaunchAttribute *attributes, unsigned count) {
  cudaLaunchConfig_t launch = {};
  launch.gridDim = blocks;
  launch.blockDim = static_cast<unsigned>(threads);
  launch.dynamicSmemBytes = shared;
  launch.stream = stream;
  launch.attrs = attributes;
  launch.numAttrs = count;
  return launch;
}

// All that a block may have, so that host threads that launch a kernel at once with different needs do not take it from each
// other. Kernel is a type for each kernel. To set it makes the runtime forget an error that the caller has not fetched: then
// the setting of an earlier call is relied on, if there was one.
template <class Kernel, class... Parameters>
cudaError_t allow_shared_memory(void (*kernel)(Parameters...), const DeviceLimits &limits) {
  static KeptOfDevices kept;
  const auto set = [&](int &number) {
    number = limits.shared_bytes;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limits.shared_bytes);
  };
  if (cudaPeekAtLastError() == cudaSuccess) {
    return kept.get_anew(limits.device, set);
  }
  int number = 0;
  return kept.get(limits.device, number, set);
}

// A launch with an attribute, if it has an id.
template <class... Parameters, class... Arguments>
cudaError_t launch_with(cudaLaunchAttribute attribute, void (*kernel)(Parameters...), unsigned blocks, int threads,
                        std::size_t shared, cudaStream_t stream, const Arguments &...arguments) {
  const unsigned count = attribute.id == cudaLaunchAttributeIgnore ? 0 : 1;
  const cudaLaunchConfig_t launch = launch_config(blocks, threads, shared, stream, &attribute, count);
  return cudaLaunchKernelEx(&launch, kernel, arguments...);
}

// Unlike <<<>>>, it tells an error of this launch from one that the caller has not fetched, and leaves him that.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), unsigned blocks, int threads, std::size_t shared, cudaStream_t stream,
                   const Arguments &...arguments) {
  return launch_with({}, kernel, blocks, threads, shared, stream, arguments...);
}

// The kernel may begin while the one before it on the stream ends (kernel_before.cuh).
inline cudaLaunchAttribute early() {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  return attribute;
}

template <class Problem, class Geometry>
cudaError_t launch_scan(const Problem &problem, std::uint64_t most, const DeviceLimits &limits, cudaStream_t stream) {
  const auto space = static_cast<std::size_t>(limits.shared_bytes);
  const std::size_t fixed = Geometry::shared_bytes(0);
  const int stages = static_cast<int>(
      std::min<std::size_t>(space > fixed ? (space - fixed) / Geometry::kStageBytes : 0, Geometry::kMostStages));
  if (stages < Geometry::kFewestStages) {
    return cudaErrorInvalidConfiguration;
  }
  const auto kernel = pipeline_kernel<Problem, Geometry>;
  const std::size_t shared = Geometry::shared_bytes(stages);
  const cudaError_t error = allow_shared_memory<std::pair<Problem, Geometry>>(kernel, limits);
  if (error != cudaSuccess) {
    return error;
  }
  const std::uint64_t tiles = (most + Geometry::kTileItems - 1) / Geometry::kTileItems;
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(limits.multiprocessors), std::max<std::uint64_t>(tiles, 1)));
  // The kernel that makes the heads of segments is before it.
  const auto attribute = Geometry::kListed && Geometry::kBulkIn ? early() : cudaLaunchAttribute{};
  return launch_with(attribute, kernel, blocks, Geometry::kThreads, shared, stream, problem, stages);
}

template <class Problem, class Geometry>
cudaError_t launch_few(const Problem &problem, std::uint64_t places, cudaStream_t stream) {
  const auto blocks =
      static_cast<unsigned>(std::max<std::uint64_t>((places + Geometry::kTileItems - 1) / Geometry::kTileItems, 1));
  // The last of the words of the blocks' group lies behind those of the others.
  const std::uint32_t words_end =
      Geometry::Words::place(std::min(blocks, 4u) - 1) + (blocks + 3) / 4 * Geometry::Words::kLaneStep;
  if (words_end * sizeof(TileWord<typename Problem::T>) > problem.words_bytes) {
    return kNotThisWay;
  }
  return launch(scan_few_kernel<Problem, Geometry>, blocks, Geometry::kThreads, 0, stream, problem);
}

// Whole elements away from an aligned address.
template <class T>
bool is_element_aligned(const T *pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(T) == 0;
}

// The pipeline can take the arrays of a problem as whole vectors, wherever they begin (sm_90 and newer).
template <class Problem>
bool can_begin_there(const Problem &problem) {
  if constexpr (can_begin_anywhere<Problem>) {
    return is_element_aligned(problem.input) && is_element_aligned(problem.output);
  } else {
    return false;
  }
}

template <class Problem, FewAccess kAccess>
cudaError_t launch_few(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using Short = FewGeometry<Problem, Tuning::kFewThreads, 1, kAccess>;
  using Long = FewGeometry<Problem, Tuning::kFewThreads, Tuning::kFewRows, kAccess>;
  std::uint64_t places = most;
  if constexpr (Short::kVectors) {
    // The places without elements before the first one; backward they depend on the count, which may be known later.
    const auto past = reinterpret_cast<std::uintptr_t>(problem.input) % 16 / sizeof(typename Problem::In);
    places += Problem::kBackward ? Short::kItems - 1 : past;
  }
  if (places <= Tuning::kOneRowBlocks * static_cast<std::uint64_t>(Short::kTileItems)) {
    return launch_few<Problem, Short>(problem, places, stream);
  }
  if (places <= kFewBlocks * static_cast<std::uint64_t>(Long::kTileItems)) {
    return launch_few<Problem, Long>(problem, places, stream);
  }
  // Longer rows are faster than the pipeline if sums go first.
  if constexpr (Short::kVectors && adds_in_any_order<Problem>) {
    using Longer = FewGeometry<Problem, Tuning::kFewThreads, Tuning::kLongerRows, kAccess>;
    if (places <= kFewBlocks * static_cast<std::uint64_t>(Longer::kTileItems)) {
      return launch_few<Problem, Longer>(problem, places, stream);
    }
  }
  return kNotThisWay;
}

inline bool overlap(const void *a, std::size_t a_bytes, const void *b, std::size_t b_bytes) {
  const auto a_begin = reinterpret_cast<std::uintptr_t>(a);
  const auto b_begin = reinterpret_cast<std::uintptr_t>(b);
  return a_begin < b_begin + b_bytes && b_begin < a_begin + a_bytes;
}

// Whether blocks may read the elements before their tiles while others store: the scan must write nothing that it reads.
template <class Problem>
bool may_read_before(const Problem &problem, std::uint64_t count) {
  constexpr std::size_t kBytes = sizeof(typename Problem::T);
  bool may = !overlap(problem.input, count * sizeof(typename Problem::In), problem.output, 1);
  if constexpr (Problem::kTotal) {
    may = may && !overlap(problem.input, count * sizeof(typename Problem::In), problem.total, kBytes) &&
          !overlap(problem.initial.pointer, kBytes, problem.total, kBytes);
  }
  return may;
}

// Up to as many blocks read all elements before their tiles in less time than totals take from block to block; twice as many if
// threads may read side by side, and have few elements in a vector.
template <class Problem, class Geometry>
inline constexpr int most_reading_blocks =
    adds_in_any_order<Problem> && Geometry::kItems <= 4 ? 2 * Tuning::kReadingBlocks : Tuning::kReadingBlocks;

// All vectors before a tile are whole: there are no places without elements before the first one.
template <class Problem>
cudaError_t launch_few_reading(const Problem &problem, std::uint64_t count, cudaStream_t stream) {
  using OfOneRow = FewGeometry<Problem, Tuning::kFewThreads, 1, FewAccess::kVectors>;
  constexpr int kMost = most_reading_blocks<Problem, OfOneRow>;
  using Geometry = FewGeometry<Problem, Tuning::kFewThreads, 1, FewAccess::kVectors, kMost - 1>;
  const std::uint64_t blocks = (count + Geometry::kTileItems - 1) / Geometry::kTileItems;
  if (problem.count.pointer != nullptr || !is_vector_aligned(problem.input + (Problem::kBackward ? count : 0)) || blocks == 0 ||
      blocks > kMost || (blocks > 1 && !may_read_before(problem, count))) {
    return kNotThisWay;
  }
  return launch(scan_few_kernel<Problem, Geometry>, static_cast<unsigned>(blocks), Geometry::kThreads, 0, stream, problem);
}

// As vectors, if that can be.
template <class Problem>
cudaError_t launch_few_as_vectors(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  if constexpr (is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
                sizeof(In) == sizeof(Out) && 16 % sizeof(In) == 0) {
    if (is_element_aligned(problem.input) && is_element_aligned(problem.output)) {
      const cudaError_t error = launch_few_reading(problem, most, stream);
      return error != kNotThisWay ? error : launch_few<Problem, FewAccess::kVectors>(problem, most, stream);
    }
    // Pointers to structs alone may lie otherwise, and no kernel need be compiled for others.
    if constexpr (alignof(In) == sizeof(In) && alignof(Out) == sizeof(Out)) {
      return kNotThisWay;
    } else {
      return launch_few<Problem, FewAccess::kElements>(problem, most, stream);
    }
  } else {
    return launch_few<Problem, FewAccess::kElements>(problem, most, stream);
  }
}

// All code is for GPUs with a copy engine.
#ifdef __CUDA_ARCH_LIST__
inline constexpr bool has_always_copy_engine = [] {
  for (const int architecture : {__CUDA_ARCH_LIST__}) {
    if (architecture < 900) {
      return false;
    }
  }
  return true;
}();
#else
inline constexpr bool has_always_copy_engine = false;
#endif

template <bool kReproducible, class Problem>
cudaError_t launch_scan(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Mark = typename Problem::Segments::Mark;
  constexpr bool kContiguous = is_all_contiguous<Problem>;
  if constexpr (!Problem::Segments::kSegmented && !kReproducible) {
    const cudaError_t error = launch_few_as_vectors(problem, most, stream);
    if (error != kNotThisWay) {
      return error;
    }
  }
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  if constexpr (kContiguous && sizeof(Mark) <= 16 && 16 % sizeof(Mark) == 0) {
    // Arrays that begin at vectors have a kernel of their own where others have none, or would be slower by theirs.
    if constexpr (!can_begin_anywhere<Problem> || is_of_bytes<Problem>) {
      if (limits.major >= 9 && can_copy_in_bulk(problem, most, problem.count.pointer == nullptr)) {
        return launch_scan<Problem, typename ScanTuning<Problem>::template Geometry<true>>(problem, most, limits, stream);
      }
    }
    if constexpr (can_begin_anywhere<Problem>) {
      // Where tiles begin depends on the input's address, and so do sums that are not exact.
      if (limits.major >= 9 && (!kReproducible || is_vector_aligned(problem.input)) && can_begin_there(problem)) {
        return launch_scan<Problem, typename ScanTuning<Problem>::template Geometry<true, true>>(problem, most, limits, stream);
      }
    }
  }
  // Pointers to structs alone may lie otherwise, and no kernel need be compiled for others.
  if constexpr (has_always_copy_engine && can_begin_anywhere<Problem> && !kReproducible && alignof(In) == sizeof(In) &&
                alignof(Out) == sizeof(Out)) {
    return cudaErrorMisalignedAddress;
  } else {
    return launch_scan<Problem, typename ScanTuning<Problem>::template Geometry<false>>(problem, most, limits, stream);
  }
}

}  // namespace upsweep::cuda::detail
