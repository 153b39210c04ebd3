// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device queries that the CUDA driver's attributes answer in the same way for all GPUs.
#include "targets/cuda/gpu.h"
#include "base/options.h"
#include "runtime/objects/image.h"
#include "targets/cuda/kernel_abi.h"
#include "targets/cuda/tree_abi.h"
#include <algorithm>

namespace upsweep {

CUcontext Gpu::context() const {
  constexpr unsigned kSleepWhileWaiting = 4;  // CU_CTX_SCHED_BLOCKING_SYNC
  std::call_once(made_, [this] {
    if (driver.create_context(&context_, kSleepWhileWaiting, device) != 0) return;
    CUcontext popped = nullptr;
    driver.pop_context(&popped);  // CurrentContext makes it the thread's later
  });
  return context_;
}

namespace {

cl_device_pci_bus_info_khr place_of(const Gpu &gpu) {
  auto number = [&](DeviceAttribute which) { return static_cast<cl_uint>(gpu.attribute(which)); };
  return {number(kPciDomain), number(kPciBus), number(kPciDevice), 0};  // a GPU is function 0 of its card
}

/// Atomic operations work in the GPU's own memory. In host memory and managed memory they are atomic for the host, too, where
/// the link carries them.
UsmCapabilities usm_of(const Gpu &gpu) {
  constexpr cl_device_unified_shared_memory_capabilities_intel kAccess = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL,
                                                               kAtomics = CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL,
                                                               kConcurrent = CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL;
  const bool carries_atomics = gpu.attribute(kHostAtomics) != 0;
  UsmCapabilities usm;
  usm.host = carries_atomics ? kAllUsmAccesses : kAccess | kConcurrent;
  usm.device = kAccess | kAtomics;
  if (gpu.attribute(kManagedMemory) != 0) {
    usm.single_shared = kAccess | kAtomics;
    // Otherwise neither the host nor another GPU may touch the memory while the GPU works.
    if (gpu.attribute(kConcurrentManagedAccess) != 0)
      usm.single_shared = usm.cross_shared = carries_atomics ? kAllUsmAccesses : kAccess | kAtomics | kConcurrent;
  }
  if (gpu.attribute(kPageableMemory) != 0) usm.system = carries_atomics ? kAllUsmAccesses : kAccess | kConcurrent;
  return usm;
}

}  // namespace

DeviceProperties gpu_properties(const Gpu &gpu) {
  DeviceProperties p;
  p.type = CL_DEVICE_TYPE_GPU;
  char name[256] = {};
  gpu.driver.device_name(name, sizeof(name) - 1, gpu.device);
  p.name = name;
  p.vendor = "NVIDIA Corporation";
  p.vendor_id = 0x10de;
  p.features = FeatureColumn::kCuda;
  gpu.driver.device_uuid(p.uuid.data(), gpu.device);
  p.pci = place_of(gpu);
  p.compute_units = static_cast<cl_uint>(gpu.attribute(kMultiprocessors));
  p.clock_mhz = static_cast<cl_uint>(gpu.attribute(kClockKhz) / 1000);
  p.max_work_group_size = std::min<size_t>(static_cast<size_t>(gpu.attribute(kMaxThreads)), UPSWEEP_CUDA_MAX_WORK_GROUP_SIZE);
  p.usual_work_group_size = 256;  // with 1024, no second block fits on the multiprocessor until all 32 warps have ended
  p.max_work_item_sizes = {static_cast<size_t>(gpu.attribute(kMaxThreadsX)), static_cast<size_t>(gpu.attribute(kMaxThreadsY)),
                           static_cast<size_t>(gpu.attribute(kMaxThreadsZ))};
  p.max_work_groups = uint64_t{1} << 62;
  p.preferred_sub_group_size = UPSWEEP_CUDA_SUB_GROUP_SIZE;
  p.sub_group_sizes = {8, 16, UPSWEEP_CUDA_SUB_GROUP_SIZE};
  p.max_sub_groups = UPSWEEP_CUDA_MAX_WORK_GROUP_SIZE / 8;
  p.sub_groups_progress = true;
  p.max_parameter_bytes = 4096 - sizeof(UpsweepGrid);
  p.printf_bytes = UPSWEEP_CUDA_PRINTF_BYTES;
  p.timer_resolution_ns = 1000;
  p.vector_bytes = 4;
  p.has_byte_products = true;  // dp4a
  p.half = p.double_ =
      CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
  p.single = p.double_ | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  size_t bytes = 0;
  gpu.driver.device_memory(&bytes, gpu.device);
  p.global_memory_bytes = bytes;
  p.max_allocation_bytes = bytes;
  p.images = linear_image_limits(p);
  p.cache_bytes = static_cast<cl_ulong>(gpu.attribute(kL2Bytes));
  p.cacheline_bytes = 128;
  p.local_memory_bytes = static_cast<cl_ulong>(gpu.attribute(kMostSharedBytes));
  p.local_memory_type = CL_LOCAL;
  p.private_memory_bytes = uint64_t{512} << 10;
  // Programs store the element count of constant arguments in an int.
  p.max_constant_bytes = std::min<uint64_t>(bytes, uint64_t{1} << 31);
  p.max_constant_arguments = 480;
  p.max_global_variable_bytes = size_t{64} << 20;
  p.has_unified_memory = gpu.attribute(kIntegrated) != 0;
  p.corrects_errors = gpu.attribute(kErrorCorrection) != 0;
  p.on_device = {.preferred_queue_bytes = 32 << 20,
                 .max_queue_bytes = 512 << 20,
                 .max_queues = UPSWEEP_TREE_QUEUES,
                 .max_events = UPSWEEP_TREE_EVENTS};
  p.svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  p.usm = usm_of(gpu);
  p.atomic_memory = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
                    CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                    CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  p.atomic_fence = p.atomic_memory;
  return p;
}

}  // namespace upsweep
