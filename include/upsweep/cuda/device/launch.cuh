// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of any kernel: the limits of the current device, and what a kernel is launched with.
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace upsweep::cuda::detail {

// Returned by a way to launch that does not fit the problem. Not an error of CUDA's.
inline constexpr cudaError_t kNotThisWay = cudaErrorApiFailureBase;

// Its attributes give the architecture that the kernels are compiled for.
template <class>
__global__ void empty_kernel() {}

// A number for each device, whose query takes as long as a launch. 0: not known yet.
class KeptOfDevices {
public:
  // Each call runs ask(number) until it has succeeded once.
  template <class Ask>
  cudaError_t get(int device, int &number, const Ask &ask) {
    number = has_place(device) ? known_[static_cast<std::size_t>(device)].load(std::memory_order_relaxed) : 0;
    return number > 0 ? cudaSuccess : get_anew(device, ask, number);
  }
  // The same, with a new query.
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
      known_[static_cast<std::size_t>(device)].store(number, std::memory_order_relaxed);
    }
    return error;
  }

  std::array<std::atomic<int>, 64> known_{};
};

// The limits of the current device and of the code that it runs. Code for an older GPU, such as nvcc's default, has no copy
// engine.
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

// Sets the maximum for a block, so that host threads that launch a kernel concurrently do not lower the limit for each other.
// Kernel is a type for each kernel. Setting it clears an error that the caller has not fetched. If there is such an error, the
// setting of an earlier call is used instead, if any.
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

// Unlike <<<>>>, it distinguishes an error of this launch from an earlier error that the caller has not fetched, and keeps the
// earlier error.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), unsigned blocks, int threads, std::size_t shared, cudaStream_t stream,
                   const Arguments &...arguments) {
  return launch_with({}, kernel, blocks, threads, shared, stream, arguments...);
}

// The kernel may begin while the preceding kernel on the stream ends (kernel_before.cuh).
inline cudaLaunchAttribute early() {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  return attribute;
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

}  // namespace upsweep::cuda::detail
