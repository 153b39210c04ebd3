// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcuda.so.1 in software, for tests of the driver's side. Streams are threads, and device memory has addresses that the host
// cannot use. It knows a few kernels by name:
//   add(global int *data, int value): data[i] += value        copy(global int *from, global int *to): to[i] = from[i]
//   trap(global int *): faults, after which every call fails, as on a GPU
//   sample(read_only image, sampler_t, global int *out): out[0] = 0. In versions for textures out[0] is 1 for a texture of an
//   array, else 2, and 2 more in the version for other orders. out[1] to out[4] are the first int of the texels, the CUDA
//   sampler's flags, whether it filters, and its addressing
#include "fake_cuda.h"
#include "fake_kernels.h"
#include "fake_state.h"
#include "fake_stream.h"
#include "targets/cuda/cuda_driver.h"
#include "targets/cuda/kernel_abi.h"
#include "targets/cuda/texture_abi.h"
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

using upsweep::CUdeviceptr;
using upsweep::CUresult;

namespace {

using upsweep::tests::Array;
using upsweep::tests::Event;
using upsweep::tests::kDeviceBit;
using upsweep::tests::kLaunchFailed;
using upsweep::tests::Point;
using upsweep::tests::real;
using upsweep::tests::Stream;
using upsweep::tests::Texture;

constexpr CUresult kInvalidValue = 1, kOutOfMemory = 2, kNoContext = 201, kNotFound = 500, kNotReady = 600;
constexpr size_t kStagedBytes = 64 << 10;

upsweep::tests::FakeCuda fake;
constexpr int kNumDevices = 2;
std::atomic<CUresult> sticky[kNumDevices];  ///< error of each device, once it has faulted

thread_local std::vector<upsweep::CUcontext> contexts;
size_t current_device() { return reinterpret_cast<uintptr_t>(contexts.back()) - 1; }

Stream *new_stream(size_t device) { return new Stream(sticky[device], fake.is_halted); }

/// Never freed, since its threads run until the process ends.
struct State {
  Stream null_streams[kNumDevices]{{sticky[0], fake.is_halted}, {sticky[1], fake.is_halted}};
  std::mutex mutex;
  std::map<char *, size_t> host;  ///< memory from cuMemHostAlloc and cuMemAllocManaged
  std::set<char *> memory;      ///< from cuMemAlloc and cuMemAllocManaged; LeakSanitizer does not see addresses with kDeviceBit
  std::set<std::string> names;  ///< of kernels
  std::vector<Stream *> streams[kNumDevices];

  std::vector<Stream *> streams_of(size_t device) {
    std::lock_guard lock(mutex);
    std::vector<Stream *> all = streams[device];
    all.push_back(&null_streams[device]);
    return all;
  }
};
State &state() {
  static State *the = new State;
  return *the;
}

bool is_known(const void *pointer) {
  std::lock_guard lock(state().mutex);
  auto at = state().host.upper_bound(const_cast<char *>(static_cast<const char *>(pointer)));
  if (at == state().host.begin()) return false;
  --at;
  return static_cast<const char *>(pointer) < at->first + at->second;
}

void wait_unless_known(Stream &stream, uint64_t number, bool known) {
  if (!known) stream.wait(number);
}

/// A kernel that enqueues others, or a block's kernel.
CUresult run_enqueuing(Stream &stream, const std::string &name, void **parameters, unsigned blocks) {
  const bool is_block = name.find("block_invoke") != std::string::npos;
  std::vector<char> parameter(is_block ? sizeof(UpsweepItems) : sizeof(UpsweepGrid));
  std::memcpy(parameter.data(), parameters[is_block ? 0 : 2], parameter.size());
  uint64_t first_number = 0;  // for a block's kernel: the address of its items
  std::memcpy(&first_number, parameter.data(), sizeof first_number);
  if (is_block && first_number == 0) return 0;
  if (auto *const wait = is_block ? fake.before_block.load() : nullptr) wait();
  stream.push([&stream, &name, parameter, blocks, is_block] {
    if (is_block && name.find("fault") != std::string::npos) return stream.fault();
    if (auto *const run = fake.run_enqueuing.load()) run(name.c_str(), parameter.data(), blocks);
  });
  return 0;
}

}  // namespace

namespace upsweep::tests {

FakeCuda &fake_cuda() { return fake; }

CUresult usable() { return contexts.empty() ? kNoContext : sticky[current_device()].load(); }

Stream &stream_of(CUstream stream) {
  return stream ? *reinterpret_cast<Stream *>(stream) : state().null_streams[current_device()];
}

}  // namespace upsweep::tests

#define EXPORT extern "C" __attribute__((visibility("default")))

using upsweep::tests::stream_of;
using upsweep::tests::usable;

EXPORT upsweep::tests::FakeCuda *upsweep_fake_cuda() { return &fake; }

EXPORT CUresult cuInit(unsigned) { return 0; }

EXPORT CUresult cuDriverGetVersion(int *version) {
  *version = 12000;
  return 0;
}
EXPORT CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = error == kLaunchFailed ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR";
  return 0;
}
EXPORT CUresult cuDeviceGetCount(int *count) {
  *count = kNumDevices;
  return 0;
}
EXPORT CUresult cuDeviceGet(upsweep::CUdevice *device, int ordinal) {
  *device = ordinal;
  return 0;
}
EXPORT CUresult cuDeviceGetName(char *name, int bytes, upsweep::CUdevice device) {
  std::snprintf(name, static_cast<size_t>(bytes), "software %d", device);
  return 0;
}
EXPORT CUresult cuDeviceGetUuid_v2(unsigned char *uuid, upsweep::CUdevice device) {
  std::fill_n(uuid, 16, static_cast<unsigned char>(device + 1));
  return 0;
}
EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, upsweep::CUdevice) {
  static const std::map<int, int> values{{1, 1024}, {2, 1024}, {3, 1024}, {4, 64},      {8, 49152}, {11, 1 << 20}, {16, 4},
                                         {75, 9},   {83, 1},   {89, 1},   {97, 232448}, {13, 1000}, {38, 32 << 20}};
  auto found = values.find(attribute);
  *value = found == values.end() ? 0 : found->second;
  return 0;
}
EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, upsweep::CUdevice) {
  *bytes = size_t{1} << 30;
  return 0;
}
EXPORT CUresult cuCtxCreate_v2(upsweep::CUcontext *context, unsigned, upsweep::CUdevice device) {
  *context = reinterpret_cast<upsweep::CUcontext>(static_cast<uintptr_t>(device) + 1);
  contexts.push_back(*context);
  return 0;
}
EXPORT CUresult cuCtxPushCurrent_v2(upsweep::CUcontext context) {
  contexts.push_back(context);
  return 0;
}
EXPORT CUresult cuCtxPopCurrent_v2(upsweep::CUcontext *context) {
  if (contexts.empty()) return kNoContext;
  *context = contexts.back();
  contexts.pop_back();
  return 0;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  if (CUresult bad = usable()) return bad;
  if (fake.refuses_memory || bytes == 0 || bytes > size_t{1} << 30) return kOutOfMemory;
  if (fake.arrays_fill_memory && fake.arrays != 0) return kOutOfMemory;
  auto *memory = static_cast<char *>(std::aligned_alloc(512, (bytes + 511) / 512 * 512));
  std::memset(memory, 0xA5, bytes);
  ++fake.allocations;
  {
    std::lock_guard lock(state().mutex);
    state().memory.insert(memory);
  }
  *address = reinterpret_cast<uint64_t>(memory) | kDeviceBit;
  return 0;
}
EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr *, size_t *, CUdeviceptr) { return kInvalidValue; }
/// Managed memory is memory of the host, which never moves.
EXPORT CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned) {
  if (CUresult bad = cuMemAlloc_v2(address, bytes)) return bad;
  *address &= ~kDeviceBit;
  std::lock_guard lock(state().mutex);
  state().host[real(*address)] = bytes;
  return 0;
}
EXPORT CUresult cuMemAdvise(CUdeviceptr address, size_t, int, upsweep::CUdevice) {
  if (!is_known(real(address))) return kInvalidValue;
  ++fake.advices;
  return 0;
}
EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t, upsweep::CUdevice, upsweep::CUstream stream) {
  if (CUresult bad = usable()) return bad;
  if (!is_known(real(address))) return kInvalidValue;
  stream_of(stream).push([] { ++fake.prefetches; });
  return 0;
}
EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
  if (contexts.empty()) return kNoContext;
  {
    std::lock_guard lock(state().mutex);
    state().host.erase(real(address));
    state().memory.erase(real(address));
  }
  --fake.allocations;
  std::free(real(address));
  return 0;
}
EXPORT CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  if (contexts.empty()) return kNoContext;
  if (fake.refuses_memory) return kOutOfMemory;
  const size_t pinned = fake.pinned_bytes += bytes;
  for (size_t most = fake.most_pinned_bytes; most < pinned && !fake.most_pinned_bytes.compare_exchange_weak(most, pinned);) {
  }
  *pointer = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  std::lock_guard lock(state().mutex);
  state().host[static_cast<char *>(*pointer)] = bytes;
  return 0;
}
EXPORT CUresult cuMemFreeHost(void *pointer) {
  std::lock_guard lock(state().mutex);
  const auto at = state().host.find(static_cast<char *>(pointer));
  fake.pinned_bytes -= at->second;
  state().host.erase(at);
  std::free(pointer);
  return 0;
}
EXPORT CUresult cuPointerGetAttributes(unsigned, int *, void **values, CUdeviceptr pointer) {
  *static_cast<unsigned *>(values[0]) = is_known(reinterpret_cast<void *>(pointer)) ? 1 : 0;
  return 0;
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, upsweep::CUstream handle) {
  if (CUresult bad = usable()) return bad;
  fake.bytes_up += bytes;
  Stream &stream = stream_of(handle);
  if (!is_known(from) && bytes <= kStagedBytes) {
    const auto *first = static_cast<const char *>(from);
    stream.push(
        [to, staged = std::vector<char>(first, first + bytes)] { std::memcpy(real(to), staged.data(), staged.size()); });
    return 0;
  }
  const uint64_t number = stream.push([=] { std::memcpy(real(to), from, bytes); });
  wait_unless_known(stream, number, is_known(from));
  return usable();
}
EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, upsweep::CUstream handle) {
  if (CUresult bad = usable()) return bad;
  fake.bytes_down += bytes;
  Stream &stream = stream_of(handle);
  const uint64_t number = stream.push([=] { std::memcpy(to, real(from), bytes); });
  wait_unless_known(stream, number, is_known(to));
  return usable();
}
EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, upsweep::CUstream stream) {
  if (CUresult bad = usable()) return bad;
  stream_of(stream).push([=] { std::memcpy(real(to), real(from), bytes); });
  return 0;
}
EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr to, upsweep::CUcontext, CUdeviceptr from, upsweep::CUcontext, size_t bytes,
                                  upsweep::CUstream stream) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}
EXPORT CUresult cuCtxSynchronize() {
  if (CUresult bad = usable()) return bad;
  for (Stream *stream : state().streams_of(current_device())) stream->wait_for_all();
  return usable();
}

EXPORT CUresult cuArray3DCreate_v2(upsweep::CUarray *array, const upsweep::CudaArrayDescription *description) {
  if (CUresult bad = usable()) return bad;
  if (fake.refuses_arrays) return kOutOfMemory;
  const unsigned kind = description->format & 3;  // 1, 2, 3 for 8, 16 and 32 bits of an integer, signed or not
  const size_t channel = description->format == 0x20   ? 4
                         : description->format == 0x10 ? 2
                         : description->format < 8     ? size_t{1} << (kind - 1)
                                                       : size_t{1} << kind;
  const size_t row_bytes = description->width * description->channels * channel;
  const size_t rows = std::max<size_t>(description->height, 1) * std::max<size_t>(description->depth, 1);
  ++fake.arrays;
  *array = reinterpret_cast<upsweep::CUarray>(new Array{std::vector<char>(row_bytes * rows), row_bytes});
  return 0;
}
EXPORT CUresult cuArrayDestroy(upsweep::CUarray array) {
  if (contexts.empty()) return kNoContext;
  --fake.arrays;
  delete reinterpret_cast<Array *>(array);
  return 0;
}
EXPORT CUresult cuTexObjectCreate(upsweep::CUtexObject *texture, const upsweep::CudaTexels *texels,
                                  const upsweep::CudaSampler *sampler, const void *) {
  if (CUresult bad = usable()) return bad;
  if (fake.refuses_textures) return kInvalidValue;
  auto made = std::make_unique<Texture>(texels->type == upsweep::CudaTexels::kArray, nullptr, *sampler);
  if (made->is_of_array) {
    made->texels = reinterpret_cast<Array *>(texels->array)->texels.data();
  } else {
    if (texels->rows.address % 512 != 0 || texels->rows.pitch % 32 != 0) return kInvalidValue;  // as an H100 does
    made->texels = real(texels->rows.address);
  }
  ++fake.textures;
  ++fake.textures_made;
  *texture = reinterpret_cast<upsweep::CUtexObject>(made.release());
  return 0;
}
EXPORT CUresult cuTexObjectDestroy(upsweep::CUtexObject texture) {
  if (contexts.empty()) return kNoContext;
  --fake.textures;
  delete reinterpret_cast<Texture *>(texture);
  return 0;
}

/// Copies rows to an array, whose texels have no gaps in memory.
CUresult copy_to_array(const upsweep::CudaCopy3D &copy, Stream &stream) {
  auto &array = *reinterpret_cast<Array *>(copy.to.array);
  if (copy.width != array.row_bytes || copy.width * copy.height * copy.depth != array.texels.size()) return kInvalidValue;
  ++fake.copies_to_arrays;
  stream.push([copy, to = array.texels.data()] {
    for (size_t row = 0; row < copy.height * copy.depth; ++row)
      std::memcpy(to + row * copy.width,
                  real(copy.from.device) + (row / copy.height * copy.from.height + row % copy.height) * copy.from.pitch,
                  copy.width);
  });
  return 0;
}

EXPORT CUresult cuMemcpy3DAsync_v2(const upsweep::CudaCopy3D *box, upsweep::CUstream handle) {
  if (CUresult bad = usable()) return bad;
  const bool fills_array = box->to.memory_type == 3;
  if (box->from.pitch < box->width || box->from.height < box->height) return kInvalidValue;
  if (!fills_array && (box->to.pitch < box->width || box->to.height < box->height)) return kInvalidValue;
  if (fills_array) return copy_to_array(*box, stream_of(handle));
  auto base = [](const upsweep::CudaCopy3D::End &end) {
    return end.memory_type == 1 ? reinterpret_cast<char *>(end.host) : real(end.device);
  };
  Stream &stream = stream_of(handle);
  const bool known =
      (box->from.memory_type != 1 || is_known(base(box->from))) && (box->to.memory_type != 1 || is_known(base(box->to)));
  const uint64_t number = stream.push([&stream, task = upsweep::tests::copy_task(*box)] { task(stream); });
  wait_unless_known(stream, number, known);
  return usable();
}

template <typename T>
CUresult fill(CUdeviceptr to, T value, size_t count, upsweep::CUstream stream) {
  if (CUresult bad = usable()) return bad;
  if (to % sizeof(T)) return kInvalidValue;
  stream_of(stream).push([=] {
    auto *at = reinterpret_cast<T *>(real(to));
    for (size_t i = 0; i < count; ++i) at[i] = value;
  });
  return 0;
}
EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, upsweep::CUstream stream) {
  return fill(to, value, count, stream);
}
EXPORT CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, upsweep::CUstream stream) {
  return fill(to, value, count, stream);
}
EXPORT CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, upsweep::CUstream stream) {
  return fill(to, value, count, stream);
}

EXPORT CUresult cuStreamCreate(upsweep::CUstream *stream, unsigned) {
  auto *made = new_stream(current_device());
  *stream = reinterpret_cast<upsweep::CUstream>(made);
  std::lock_guard lock(state().mutex);
  state().streams[current_device()].push_back(made);
  return 0;
}
EXPORT CUresult cuStreamSynchronize(upsweep::CUstream stream) {
  if (CUresult bad = usable()) return bad;
  stream_of(stream).wait_for_all();
  return usable();
}
EXPORT CUresult cuStreamQuery(upsweep::CUstream stream) {
  if (CUresult bad = usable()) return bad;
  return stream_of(stream).is_idle() ? 0 : kNotReady;
}
EXPORT CUresult cuEventCreate(upsweep::CUevent *event, unsigned) {
  *event = reinterpret_cast<upsweep::CUevent>(new Event);
  return 0;
}
EXPORT CUresult cuEventRecord(upsweep::CUevent handle, upsweep::CUstream stream) {
  if (CUresult bad = usable()) return bad;
  auto point = std::make_shared<Point>();
  auto &event = *reinterpret_cast<Event *>(handle);
  {
    std::lock_guard lock(event.mutex);
    event.point = point;
  }
  stream_of(stream).push([point] {
    std::lock_guard lock(point->mutex);
    point->time = std::chrono::steady_clock::now() + std::chrono::nanoseconds(fake.clock_error_ns);
    point->is_over = true;
    point->passed.notify_all();
  });
  if (auto *const call = fake.after_record.exchange(nullptr)) {
    std::unique_lock lock(point->mutex);
    point->passed.wait(lock, [&] { return point->is_over; });
    lock.unlock();
    call();
  }
  return 0;
}
EXPORT CUresult cuEventQuery(upsweep::CUevent handle) {
  if (CUresult bad = usable()) return bad;
  auto point = reinterpret_cast<Event *>(handle)->get();
  std::lock_guard lock(point->mutex);
  return point->is_over ? 0 : kNotReady;
}
EXPORT CUresult cuEventSynchronize(upsweep::CUevent handle) {
  auto point = reinterpret_cast<Event *>(handle)->get();
  std::unique_lock lock(point->mutex);
  while (!point->is_over && usable() == 0) point->passed.wait_for(lock, std::chrono::milliseconds(1));
  return usable();
}
EXPORT CUresult cuEventElapsedTime(float *ms, upsweep::CUevent from, upsweep::CUevent to) {
  auto a = reinterpret_cast<Event *>(from)->get(), b = reinterpret_cast<Event *>(to)->get();
  *ms = std::chrono::duration<float, std::milli>(b->time - a->time).count();
  return 0;
}
EXPORT CUresult cuStreamWaitEvent(upsweep::CUstream stream, upsweep::CUevent event, unsigned) {
  if (CUresult bad = usable()) return bad;
  Stream &its_stream = stream_of(stream);
  its_stream.push([&its_stream, point = reinterpret_cast<Event *>(event)->get()] {
    std::unique_lock lock(point->mutex);
    while (!point->is_over && !its_stream.has_failed()) point->passed.wait_for(lock, std::chrono::milliseconds(1));
  });
  return 0;
}

EXPORT CUresult cuModuleLoadDataEx(upsweep::CUmodule *module, const void *, unsigned, int *, void **) {
  if (CUresult bad = usable()) return bad;
  *module = reinterpret_cast<upsweep::CUmodule>(uintptr_t{1});
  return 0;
}
EXPORT CUresult cuModuleUnload(upsweep::CUmodule) { return contexts.empty() ? kNoContext : 0; }
EXPORT CUresult cuModuleGetFunction(upsweep::CUfunction *function, upsweep::CUmodule, const char *name) {
  // A handle is the address of the name, which is never freed: programs have few.
  std::lock_guard lock(state().mutex);
  *function = reinterpret_cast<upsweep::CUfunction>(const_cast<std::string *>(&*state().names.emplace(name).first));
  return 0;
}
/// Its modules have no variables.
EXPORT CUresult cuModuleGetGlobal_v2(upsweep::CUdeviceptr *, size_t *, upsweep::CUmodule, const char *) { return kNotFound; }
EXPORT CUresult cuFuncGetAttribute(int *value, int attribute, upsweep::CUfunction) {
  *value = attribute == 0 ? 1024 : 0;
  return 0;
}
EXPORT CUresult cuFuncSetAttribute(upsweep::CUfunction, int, int) { return 0; }
EXPORT CUresult cuLaunchKernel(upsweep::CUfunction function, unsigned grid_x, unsigned, unsigned, unsigned block_x, unsigned,
                               unsigned, unsigned, upsweep::CUstream stream, void **parameters, void **) {
  if (CUresult bad = usable()) return bad;
  ++fake.launches;
  Stream &its_stream = stream_of(stream);
  const std::string &name = *reinterpret_cast<std::string *>(function);
  if (name.find("enqueue") != std::string::npos) return run_enqueuing(its_stream, name, parameters, grid_x);
  const upsweep::CudaKernel kernel{
      .function = function, .blocks = {grid_x, 1, 1}, .threads = {block_x, 1, 1}, .parameters = parameters};
  its_stream.push([&its_stream, task = upsweep::tests::kernel_task(kernel)] { task(its_stream); });
  return 0;
}
