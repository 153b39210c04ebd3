// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations and blocking copies by the CUDA driver.
#include "targets/cuda/cuda_memory.h"
#include "targets/cuda/host_copies.h"
#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

namespace upsweep {
namespace {

constexpr unsigned kPortableMapped = 3;  // CU_MEMHOSTALLOC_PORTABLE and _DEVICEMAP
constexpr unsigned kWriteCombined = 4;   // CU_MEMHOSTALLOC_WRITECOMBINED
constexpr unsigned kAttachGlobal = 1;    // CU_MEM_ATTACH_GLOBAL: all streams and the host use the memory

}  // namespace

class CudaMemory::Allocation final : public DeviceMemory {
public:
  Allocation(CudaMemory &memory, CUdeviceptr address) : memory_(memory), address_(address) {}
  ~Allocation() override {
    memory_.free([&driver = memory_.gpu_.driver, address = address_] { driver.free(address); });
  }
  uint64_t address() const override { return address_; }

private:
  CudaMemory &memory_;
  CUdeviceptr address_;
};

Result<CUdeviceptr> CudaMemory::take(size_t bytes) {
  CUdeviceptr address = 0;
  CUresult result = gpu_.driver.allocate(&address, bytes);
  // Memory that the application has released counts as free, so wait for its release.
  for (; result != 0 && num_frees_ > 0 && !is_lost_; result = gpu_.driver.allocate(&address, bytes))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  auto done = gpu_.driver.check(result, CL_MEM_OBJECT_ALLOCATION_FAILURE, "allocation on the GPU");
  if (!done) return fail(done);
  return address;
}

Result<std::unique_ptr<DeviceMemory>> CudaMemory::allocate(size_t bytes, cl_mem_flags) {
  CurrentContext current(gpu_);
  Result<CUdeviceptr> address = take(bytes);
  if (!address && !is_lost_ && make_room_()) address = take(bytes);
  if (!address) return fail(address);
  return std::make_unique<Allocation>(*this, *address);
}

std::unique_ptr<CudaMemory::Array> CudaMemory::allocate_array(const CudaArrayDescription &description) {
  CUarray array = nullptr;
  if (gpu_.driver.create_array(&array, &description) != 0) return nullptr;
  return std::make_unique<Array>(*this, array);
}

CudaMemory::Array::~Array() {
  memory_.free([&driver = memory_.gpu_.driver, handle = handle_] { driver.destroy_array(handle); });
}

void CudaMemory::free(const std::function<void()> &release) {
  // The CUDA driver waits for an idle GPU before it frees. If other threads wait for this thread, free elsewhere.
  if (must_not_wait_()) return free_later(release);
  CurrentContext current(gpu_);
  release();
}

/// Frees on a helper thread, or here if there is none.
void CudaMemory::free_later(const std::function<void()> &release) {
  ++num_frees_;
  try {
    return helpers_.run([this, release] {
      CurrentContext current(gpu_);
      release();
      --num_frees_;
    });
  } catch (const std::exception &) {
    --num_frees_;
  }
  CurrentContext current(gpu_);
  release();
}

Result<void> CudaMemory::download(void *to, const DeviceMemory &from, size_t offset, size_t bytes) {
  return copy_now({HostCopies::Direction::kToHost, from.address() + offset, static_cast<char *>(to), bytes});
}

Result<void> CudaMemory::upload(DeviceMemory &to, size_t offset, const void *from, size_t bytes) {
  auto *host = static_cast<char *>(const_cast<void *>(from));  // only read
  return copy_now({HostCopies::Direction::kToGpu, to.address() + offset, host, bytes});
}

Result<void> CudaMemory::copy_now(const HostCopies::Copy &copy) {
  CurrentContext current(gpu_);
  auto done = host_copies_.issue(copy, nullptr);
  return done ? marks_.record(nullptr, false)->wait(false) : done;
}

Result<bool> CudaMemory::copy_peer(DeviceMemory &to, const TargetMemory &other, const DeviceMemory &from, size_t offset,
                                   size_t bytes) {
  const auto *peer = dynamic_cast<const CudaMemory *>(&other);
  if (!peer) return false;
  CurrentContext current(gpu_);
  const CUresult result = gpu_.driver.copy_to_peer(to.address() + offset, gpu_.context(), from.address() + offset,
                                                   peer->gpu_.context(), bytes, nullptr);
  auto done = gpu_.driver.check(result, CL_OUT_OF_RESOURCES, "copy from another GPU");
  if (done) done = marks_.record(nullptr, false)->wait(false);
  return done.map([] { return true; });
}

HostMemory CudaMemory::allocate_shared(size_t bytes, size_t alignment) {
  CurrentContext current(gpu_);
  void *pointer = nullptr;
  // The CUDA driver aligns allocations to pages.
  if (alignment > kAllocationAlignment || gpu_.driver.allocate_host(&pointer, std::max<size_t>(bytes, 1), kPortableMapped) != 0)
    return nullptr;
  auto release = [](void *owner, char *freed) {
    auto &memory = *static_cast<CudaMemory *>(owner);
    CurrentContext current(memory.gpu_);
    memory.gpu_.driver.free_host(freed);
  };
  return HostMemory(static_cast<char *>(pointer), FreeHostMemory{release, this});
}

/// clMemFreeINTEL must not wait, so helper threads free the memory when the GPU is idle.
HostMemory CudaMemory::allocate_usm(const UsmRequest &request) {
  CurrentContext current(gpu_);
  if (request.kind == AllocationKind::kHost) {
    const unsigned flags = kPortableMapped | (request.flags & CL_MEM_ALLOC_WRITE_COMBINED_INTEL ? kWriteCombined : 0);
    void *pointer = nullptr;
    if (gpu_.driver.allocate_host(&pointer, request.bytes, flags) != 0) return nullptr;
    auto release = [](void *owner, char *freed) {
      auto &memory = *static_cast<CudaMemory *>(owner);
      memory.free_later([&driver = memory.gpu_.driver, freed] { driver.free_host(freed); });
    };
    return HostMemory(static_cast<char *>(pointer), FreeHostMemory{release, this});
  }
  const auto take_bytes = [&] { return request.kind == AllocationKind::kDevice ? take(request.bytes) : take_managed(request); };
  Result<CUdeviceptr> address = take_bytes();
  if (!address && !is_lost_ && make_room_()) address = take_bytes();
  if (!address) return nullptr;
  auto release = [](void *owner, char *freed) {
    auto &memory = *static_cast<CudaMemory *>(owner);
    memory.free_later([&driver = memory.gpu_.driver, freed] { driver.free(reinterpret_cast<CUdeviceptr>(freed)); });
  };
  return HostMemory(reinterpret_cast<char *>(*address), FreeHostMemory{release, this});
}

bool CudaMemory::holds(const void *pointer) const {
  CurrentContext current(gpu_);
  return memory_type(gpu_, pointer) == PointerMemory::kDevice;
}

Result<CUdeviceptr> CudaMemory::take_managed(const UsmRequest &request) {
  CUdeviceptr address = 0;
  auto done = gpu_.driver.check(gpu_.driver.allocate_managed(&address, request.bytes, kAttachGlobal), CL_OUT_OF_RESOURCES,
                                "allocation of managed memory");
  if (!done) return fail(done);
  // The flags are hints for the first access, so a failure of the advice is no error.
  if (request.flags & CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL)
    gpu_.driver.advise(address, request.bytes, kSetPreferredLocation, gpu_.device);
  else if (request.flags & CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL)
    gpu_.driver.advise(address, request.bytes, kSetPreferredLocation, kCudaHost);
  return address;
}

}  // namespace upsweep
