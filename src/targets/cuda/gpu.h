// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU and this driver's CUDA context on it.
#ifndef UPSWEEP_TARGETS_CUDA_GPU_H
#define UPSWEEP_TARGETS_CUDA_GPU_H

#include "runtime/target.h"
#include "targets/cuda/cuda_driver.h"
#include <functional>
#include <mutex>

namespace upsweep {

/// CUdevice_attribute values.
enum DeviceAttribute {
  kMaxThreads = 1,
  kMaxThreadsX = 2,
  kMaxThreadsY = 3,
  kMaxThreadsZ = 4,
  kMaxPitch = 11,
  kClockKhz = 13,
  kMultiprocessors = 16,
  kIntegrated = 18,
  kErrorCorrection = 32,
  kPciBus = 33,
  kPciDevice = 34,
  kL2Bytes = 38,
  kPciDomain = 50,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kManagedMemory = 83,
  kHostAtomics = 86,              ///< the link to the host carries atomic operations
  kPageableMemory = 88,           ///< the GPU reaches memory of the host's allocators
  kConcurrentManagedAccess = 89,  ///< host and GPU may use managed memory at the same time
  kMostSharedBytes = 97,          ///< for blocks that request them
};

constexpr unsigned kOrderedByItself = 1;  ///< CU_STREAM_NON_BLOCKING

class Gpu {
public:
  Gpu(const CudaDriver &its_driver, CUdevice its_device) : driver(its_driver), device(its_device) {}

  const CudaDriver &driver;
  const CUdevice device;

  int attribute(DeviceAttribute which) const {
    int value = 0;
    return driver.device_attribute(&value, which, device) == 0 ? value : 0;
  }
  int capability() const { return 10 * attribute(kCapabilityMajor) + attribute(kCapabilityMinor); }

  /// The context; the first call creates it, which takes a while, so that programs that only list devices skip it. Null on
  /// failure.
  CUcontext context() const;

private:
  mutable std::once_flag made_;
  mutable CUcontext context_ = nullptr;
};

/// Makes the GPU's context the calling thread's for the object's lifetime. An application's thread may have another context.
class CurrentContext {
public:
  explicit CurrentContext(const Gpu &gpu) : driver_(gpu.driver) { driver_.push_context(gpu.context()); }
  ~CurrentContext() {
    CUcontext popped = nullptr;
    driver_.pop_context(&popped);
  }
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

private:
  const CudaDriver &driver_;
};

/// The host's part of a command, run after the stream's part; may be empty. The GPU's context is then the calling thread's.
using AfterStream = std::function<Result<void>()>;

/// A GPU's properties in OpenCL's terms.
DeviceProperties gpu_properties(const Gpu &gpu);

}  // namespace upsweep
#endif
