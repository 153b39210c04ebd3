// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU as a device. A few threads, each with a stream of its own, take commands that are ready, start them and wait for them,
// asleep.
#include "targets/cuda/cuda_target.h"
#include "runtime/command.h"
#include "runtime/residency.h"
#include "targets/cuda/code_object.h"
#include "targets/cuda/cuda_driver.h"
#include "targets/cuda/grids.h"
#include "targets/cuda/printf_buffer.h"
#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

namespace upsweep {
namespace {

enum DeviceAttribute {
  kMaxThreads = 1,
  kMaxThreadsX = 2,
  kMaxThreadsY = 3,
  kMaxThreadsZ = 4,
  kClockKhz = 13,
  kMultiprocessors = 16,
  kIntegrated = 18,
  kErrorCorrection = 32,
  kL2Bytes = 38,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kMostSharedBytes = 97,  // of a block that asks for them
};
constexpr unsigned kSleepWhileWaiting = 4;  // CU_CTX_SCHED_BLOCKING_SYNC
constexpr unsigned kOrderedByItself = 1;    // CU_STREAM_NON_BLOCKING
constexpr unsigned kPortableMapped = 3;     // CU_MEMHOSTALLOC_PORTABLE and _DEVICEMAP
constexpr int kLeastCapability = 70;

/// Commands that run side by side on a GPU, those of different queues among them.
constexpr unsigned kWorkers = 4;

struct Gpu {
  const CudaDriver &driver;
  CUdevice device;
  CUcontext context;

  int attribute(DeviceAttribute which) const {
    int value = 0;
    return driver.device_attribute(&value, which, device) == 0 ? value : 0;
  }
  int capability() const { return 10 * attribute(kCapabilityMajor) + attribute(kCapabilityMinor); }
};

class GpuMemory final : public DeviceMemory {
public:
  GpuMemory(const Gpu &gpu, CUdeviceptr address) : gpu_(gpu), address_(address) {}
  ~GpuMemory() override {
    gpu_.driver.set_context(gpu_.context);
    gpu_.driver.free(address_);
  }
  uint64_t address() const override { return address_; }

private:
  const Gpu &gpu_;
  CUdeviceptr address_;
};

DeviceProperties properties_of(const Gpu &gpu) {
  DeviceProperties p;
  p.type = CL_DEVICE_TYPE_GPU;
  char name[256] = {};
  gpu.driver.device_name(name, sizeof(name) - 1, gpu.device);
  p.name = name;
  p.vendor = "NVIDIA Corporation";
  p.vendor_id = 0x10de;
  p.features = FeatureColumn::kCuda;
  p.compute_units = static_cast<cl_uint>(gpu.attribute(kMultiprocessors));
  p.clock_mhz = static_cast<cl_uint>(gpu.attribute(kClockKhz) / 1000);
  p.max_work_group_size = std::min<size_t>(static_cast<size_t>(gpu.attribute(kMaxThreads)), UPSWEEP_CUDA_MAX_WORK_GROUP_SIZE);
  p.max_work_item_sizes = {static_cast<size_t>(gpu.attribute(kMaxThreadsX)), static_cast<size_t>(gpu.attribute(kMaxThreadsY)),
                           static_cast<size_t>(gpu.attribute(kMaxThreadsZ))};
  p.max_work_groups = uint64_t{1} << 62;
  p.preferred_sub_group_size = UPSWEEP_CUDA_SUB_GROUP_SIZE;
  p.max_sub_groups = UPSWEEP_CUDA_MAX_WORK_GROUP_SIZE / UPSWEEP_CUDA_SUB_GROUP_SIZE;
  p.sub_groups_progress = true;
  p.max_parameter_bytes = 4096 - sizeof(UpsweepGrid);
  p.printf_bytes = UPSWEEP_CUDA_PRINTF_BYTES;
  p.timer_resolution_ns = 1000;
  p.vector_bytes = 4;
  p.half = p.double_ =
      CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
  p.single = p.double_ | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  size_t bytes = 0;
  gpu.driver.device_memory(&bytes, gpu.device);
  p.global_memory_bytes = bytes;
  p.max_allocation_bytes = bytes;
  p.cache_bytes = static_cast<cl_ulong>(gpu.attribute(kL2Bytes));
  p.cacheline_bytes = 128;
  p.local_memory_bytes = static_cast<cl_ulong>(gpu.attribute(kMostSharedBytes));
  p.local_memory_type = CL_LOCAL;
  p.private_memory_bytes = uint64_t{512} << 10;
  p.max_constant_bytes = bytes;
  p.max_constant_arguments = 480;
  p.max_global_variable_bytes = size_t{64} << 20;
  p.has_unified_memory = gpu.attribute(kIntegrated) != 0;
  p.corrects_errors = gpu.attribute(kErrorCorrection) != 0;
  p.svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  p.atomic_memory = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
                    CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                    CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  p.atomic_fence = p.atomic_memory;
  return p;
}

class CudaTarget final : public Target {
public:
  explicit CudaTarget(const Gpu &gpu) : gpu_(gpu), properties_(properties_of(gpu_)) {
    for (unsigned i = 0; i < kWorkers; ++i)
      std::thread([this] { work(); }).detach();  // the platform lives as long as the process
  }

  const DeviceProperties &properties() const override { return properties_; }
  std::string code_target() const override {
    return std::string(compiler::kGpuTargetPrefix) + "sm_" + std::to_string(std::min(gpu_.capability(), 90));
  }

  void submit(Ref<Command> command, Share) override {
    {
      std::lock_guard lock(mutex_);
      ready_.push_back(std::move(command));
    }
    changed_.notify_one();
  }

  Result<Ref<CodeObject>> load_code(std::span<const uint8_t> image) override {
    gpu_.driver.set_context(gpu_.context);
    return CudaCode::load(gpu_.driver, gpu_.context, properties_.local_memory_bytes, image);
  }

  bool has_own_memory() const override { return true; }
  Result<std::unique_ptr<DeviceMemory>> allocate(size_t bytes, cl_mem_flags) override {
    gpu_.driver.set_context(gpu_.context);
    CUdeviceptr address = 0;
    auto done = check(gpu_.driver.allocate(&address, bytes), CL_MEM_OBJECT_ALLOCATION_FAILURE, "allocation on the GPU");
    if (!done) return fail(done);
    return std::make_unique<GpuMemory>(gpu_, address);
  }
  Result<void> download(void *to, const DeviceMemory &from, size_t offset, size_t bytes) override {
    gpu_.driver.set_context(gpu_.context);
    auto done =
        check(gpu_.driver.copy_to_host(to, from.address() + offset, bytes, nullptr), CL_OUT_OF_RESOURCES, "copy from the GPU");
    return done ? wait(nullptr) : done;
  }
  Result<void> upload(DeviceMemory &to, size_t offset, const void *from, size_t bytes) override {
    gpu_.driver.set_context(gpu_.context);
    auto done =
        check(gpu_.driver.copy_to_device(to.address() + offset, from, bytes, nullptr), CL_OUT_OF_RESOURCES, "copy to the GPU");
    return done ? wait(nullptr) : done;
  }
  HostMemory allocate_shared(size_t bytes, size_t alignment) override {
    gpu_.driver.set_context(gpu_.context);
    void *memory = nullptr;
    // What the driver gives begins a page.
    if (alignment > kAllocationAlignment ||
        gpu_.driver.allocate_host(&memory, std::max<size_t>(bytes, 1), kPortableMapped) != 0)
      return nullptr;
    auto release = [](void *owner, char *pointer) { static_cast<CudaTarget *>(owner)->gpu_.driver.free_host(pointer); };
    return HostMemory(static_cast<char *>(memory), FreeHostMemory{release, this});
  }

private:
  Result<void> check(CUresult result, cl_int code, const char *what) const { return gpu_.driver.check(result, code, what); }
  Result<void> wait(CUstream stream) const {
    return check(gpu_.driver.synchronize_stream(stream), CL_OUT_OF_RESOURCES, "the GPU's work failed");
  }
  void work();
  Result<void> run(Command &command, CUstream stream);
  Result<void> run(const Launch &launch, CUstream stream);

  Gpu gpu_;
  DeviceProperties properties_;
  PrintfBuffers printf_buffers_{gpu_.driver};
  std::mutex mutex_;  ///< guards ready_
  std::condition_variable changed_;
  std::deque<Ref<Command>> ready_;
};

void CudaTarget::work() {
  gpu_.driver.set_context(gpu_.context);
  CUstream stream = nullptr;
  gpu_.driver.create_stream(&stream, kOrderedByItself);
  for (;;) {
    Ref<Command> command;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !ready_.empty(); });
      command = std::move(ready_.front());
      ready_.pop_front();
    }
    command->start();
    cl_int status = CL_COMPLETE;
    try {
      if (auto done = run(*command, stream); !done) status = done.error().code;
    } catch (...) {  // out of memory, or a callback's exception
      status = CL_OUT_OF_RESOURCES;
    }
    command->finish(status);
  }
}

Result<void> CudaTarget::run(Command &command, CUstream stream) {
  if (auto *launch = std::get_if<Launch>(&command.body())) return run(*launch, stream);
  if (auto *transfer = std::get_if<Transfer>(&command.body())) return run_on_host(*transfer);
  if (auto *work = std::get_if<HostWork>(&command.body())) return (*work)();
  return {};
}

Result<void> CudaTarget::run(const Launch &launch, CUstream stream) {
  const KernelCall &call = launch.call;
  for (const MemoryUse &use : call.memory)
    if (auto current = use.memory->make_current_on(*this, use.access, use.memory->whole()); !current) return current;

  const CudaCode *code = nullptr;
  for (const Ref<Counted> &kept : call.keep_alive)
    if (!code) code = dynamic_cast<const CudaCode *>(kept.get());
  if (!code) return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the kernel's code is not a GPU's");
  const UpsweepKernel &kernel = *call.kernel;
  CUfunction function = code->function(kernel);
  const uint64_t declared_bytes = code->declared_local_bytes(kernel);

  std::vector<std::byte> block = call.arguments;
  std::vector<void *> parameters;
  for (uint32_t i = 0; i < kernel.num_arguments; ++i) {
    const UpsweepArgument &argument = kernel.arguments[i];
    std::byte *place = block.data() + argument.offset;
    parameters.push_back(place);
    if (argument.kind != UPSWEEP_ARGUMENT_LOCAL) continue;
    uint64_t offset = 0;  // of static and dynamic local memory together
    std::memcpy(&offset, place, sizeof(offset));
    const auto dynamic = static_cast<uint32_t>(offset - declared_bytes);
    std::memcpy(place, &dynamic, sizeof(dynamic));
  }
  parameters.push_back(nullptr);
  const auto dynamic_bytes = static_cast<unsigned>(call.local_bytes - declared_bytes);
  Result<CUdeviceptr> printf_buffer = 0;
  if (code->prints(kernel)) printf_buffer = printf_buffers_.take(stream);
  if (!printf_buffer) return fail(printf_buffer);
  auto launched = for_each_grid(launch.range, [&](Grid &grid) {
    grid.parameter.printf_buffer = *printf_buffer;
    parameters.back() = &grid.parameter;
    const auto [bx, by, bz] = grid.blocks;
    const auto [tx, ty, tz] = grid.threads;
    return check(gpu_.driver.launch(function, bx, by, bz, tx, ty, tz, dynamic_bytes, stream, parameters.data(), nullptr),
                 CL_OUT_OF_RESOURCES, "the kernel could not be started");
  });
  auto finished = wait(stream);
  if (finished && *printf_buffer) finished = printf_buffers_.print(*printf_buffer, stream);
  return launched ? finished : launched;
}

std::unique_ptr<Target> make_target(const CudaDriver &driver, int ordinal) {
  Gpu gpu{driver, 0, nullptr};
  if (driver.device(&gpu.device, ordinal) != 0 || gpu.capability() < kLeastCapability) return nullptr;
  if (driver.create_context(&gpu.context, kSleepWhileWaiting, gpu.device) != 0) return nullptr;
  CUcontext popped = nullptr;
  driver.pop_context(&popped);  // it is not the calling thread's
  return std::make_unique<CudaTarget>(gpu);
}

}  // namespace

std::vector<std::unique_ptr<Target>> make_cuda_targets() {
  std::vector<std::unique_ptr<Target>> targets;
  const CudaDriver *driver = CudaDriver::get();
  int count = 0;
  if (!driver || driver->device_count(&count) != 0) return targets;
  for (int i = 0; i < count; ++i)
    if (auto target = make_target(*driver, i)) targets.push_back(std::move(target));
  return targets;
}

}  // namespace upsweep
