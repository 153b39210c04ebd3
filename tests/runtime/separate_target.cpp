// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The software device: threads stand for hardware queues. Each runs its commands in order, after the commands that they
// follow.
#include "separate_target.h"
#include "runtime/commands/transfer_ends.h"
#include "targets/cpu/code_object.h"
#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

namespace upsweep::tests {
namespace {

class SeparateMemory final : public DeviceMemory {
public:
  SeparateMemory(SeparateTarget &target, size_t bytes) : target_(target), bytes_(bytes, 0xA5) { ++target_.allocations; }
  ~SeparateMemory() override { --target_.allocations; }
  uint64_t address() const override { return reinterpret_cast<uint64_t>(bytes_.data()); }
  char *at(size_t offset) const { return reinterpret_cast<char *>(address()) + offset; }

private:
  SeparateTarget &target_;
  std::vector<unsigned char> bytes_;
};

/// Bytes move to the host only after their writers have ended.
bool brings_to_host(const CommandBody &body) {
  const auto *transfer = std::get_if<Transfer>(&body);
  return transfer ? ends_of(*transfer).moves_host_copy() : std::holds_alternative<HostWork>(body);
}

char *on_host(char *pointer) {
  return reinterpret_cast<uintptr_t>(pointer) & kDeviceAddresses ? pointer - kDeviceAddresses : pointer;
}

char *resolve(SeparateTarget &target, const Place &place) {
  if (!place.memory) return place.is_of_device ? on_host(place.pointer) : place.pointer;
  return reinterpret_cast<char *>(*place.memory->address_on(target)) + place.offset;
}

/// The accesses that are declared when a command is issued.
Result<void> prepare(SeparateTarget &target, const Command &command) {
  const CommandBody &body = command.body();
  if (const auto *launch = std::get_if<Launch>(&body)) {
    for (const auto &[memory, access] : launch->call.memory)
      if (auto current = memory->make_current_on(target, access, memory->whole()); !current) return current;
    return {};
  }
  const auto *transfer = std::get_if<Transfer>(&body);
  // A command that follows others may fail to write.
  return transfer ? make_current(*transfer, &target, !command.followed().empty()) : Result<void>{};
}

void run_launch(const Launch &launch) {
  const auto &[call, range] = launch;
  const UpsweepEntry entry = static_cast<const CpuCode &>(*call.code).code(*call.kernel).entry;
  std::vector<char> local(call.local_bytes + 1);
  UpsweepGroup group{};
  for (int dim = 0; dim < 3; ++dim) {
    group.global_size[dim] = range.global[dim];
    group.global_offset[dim] = range.offset[dim];
    group.enqueued_local_size[dim] = group.local_size[dim] = range.local[dim];
  }
  group.work_dim = range.work_dim;
  ArgumentBlock arguments;
  const auto *block = call.arguments.data();
  arguments.assign({block, block + call.kernel->argument_block_bytes});
  for (const ArgumentDescription &argument : call.kernel->arguments) {
    if (argument.kind != ArgumentKind::kGlobal) continue;
    char *pointer = nullptr;
    std::memcpy(static_cast<void *>(&pointer), block + argument.offset, sizeof pointer);
    pointer = on_host(pointer);
    std::memcpy(arguments.data() + argument.offset, static_cast<const void *>(&pointer), sizeof pointer);
  }
  group.arguments = arguments.data();
  group.local = local.data();
  for (uint64_t first = 0; first < range.global[0]; first += range.local[0], ++group.group_id[0]) {
    group.local_size[0] = std::min(range.local[0], range.global[0] - first);
    entry(&group);
  }
}

Result<void> run_transfer(SeparateTarget &target, const Transfer &transfer) {
  if (const auto *copy = std::get_if<CopyTransfer>(&transfer)) {
    copy_rect(resolve(target, copy->to), copy->to_layout, resolve(target, copy->from), copy->from_layout, copy->region);
    return {};
  }
  if (const auto *fill = std::get_if<FillTransfer>(&transfer)) {
    fill_bytes(resolve(target, fill->to), fill->bytes, fill->pattern.data(), fill->pattern_bytes);
    return {};
  }
  if (const auto *fill = std::get_if<FillRectTransfer>(&transfer)) {
    fill_rect(resolve(target, fill->to), fill->layout, fill->region, fill->pattern.data(), fill->pattern_bytes);
    return {};
  }
  target.hints += std::holds_alternative<HintTransfer>(transfer);
  // Unmapping did all its work when it was issued.
  return ends_of(transfer).moves_host_copy() ? make_current(transfer, &target) : Result<void>{};
}

}  // namespace

/// A hardware queue. A command that it ends may hold the last reference to an OpenCL queue, so no OpenCL queue owns a thread.
class SeparateTarget::Stream {
public:
  explicit Stream(SeparateTarget &target) : target_(target) {
    std::thread([this] { run(); }).detach();
  }

  /// `prepared`: whether the command's memory could be made current.
  void push(Ref<Command> command, Result<void> prepared) {
    std::lock_guard lock(mutex_);
    items_.push_back({std::move(command), std::move(prepared)});
    changed_.notify_one();
  }

private:
  struct Item {
    Ref<Command> command;
    Result<void> prepared;
  };
  [[noreturn]] void run();
  void work(const Item &item);

  SeparateTarget &target_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
};

struct SeparateTarget::OpenQueue : QueueState {
  explicit OpenQueue(Stream &its_stream) : stream(its_stream) {}
  Stream &stream;
};

void SeparateTarget::Stream::run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !items_.empty(); });
    const Item item = std::move(items_.front());
    items_.pop_front();
    lock.unlock();
    while (target_.is_halted) std::this_thread::yield();
    work(item);
  }
}

void SeparateTarget::Stream::work(const Item &item) {
  Command &command = *item.command;
  for (const Ref<Event> &before : command.followed()) before->wait();
  const cl_ulong start = now_ns();
  Result<void> result = item.prepared;
  command.start();
  if (result && !command.wait_list_failed()) {
    if (const auto *launch = std::get_if<Launch>(&command.body())) {
      if (target_.fails_launches)
        result = fail(CL_OUT_OF_RESOURCES);
      else
        run_launch(*launch);
    } else if (const auto *transfer = std::get_if<Transfer>(&command.body())) {
      result = run_transfer(target_, *transfer);
    } else if (const auto *work = std::get_if<HostWork>(&command.body())) {
      result = (*work)();
    }
  }
  command.finish(result ? CL_COMPLETE : result.error().code, start, now_ns());
}

SeparateTarget::SeparateTarget(const char *name) {
  properties_.type = CL_DEVICE_TYPE_GPU;
  properties_.name = name;
  properties_.vendor = "test";
  properties_.features = FeatureColumn::kCuda;
  properties_.compute_units = 4;
  properties_.max_work_group_size = 256;
  properties_.max_work_item_sizes = {256, 256, 64};
  properties_.max_work_groups = uint64_t{1} << 31;
  properties_.max_sub_groups = 8;
  properties_.preferred_sub_group_size = 32;
  properties_.vector_bytes = 4;
  properties_.global_memory_bytes = size_t{1} << 30;
  properties_.max_allocation_bytes = size_t{1} << 28;
  properties_.local_memory_bytes = 48 << 10;
  properties_.private_memory_bytes = UINT64_MAX;
  properties_.usm.host = properties_.usm.device = properties_.usm.single_shared = kAllUsmAccesses;
  for (int i = 0; i < 4; ++i) streams_.push_back(std::make_unique<Stream>(*this));
}

SeparateTarget::~SeparateTarget() = default;

void SeparateTarget::submit(Command &command, Share) {
  if (std::ranges::any_of(command.followed(), [](const Ref<Event> &event) { return !event->is_done(); })) ++followers;
  const bool is_issued = !brings_to_host(command.body());
  Result<void> prepared = is_issued ? prepare(*this, command) : Result<void>{};
  static_cast<OpenQueue *>(command.queue().state())->stream.push(Ref(&command), std::move(prepared));
  if (is_issued) command.issue();
}

Result<Ref<CodeObject>> SeparateTarget::load_code(std::span<const uint8_t>) {
  return fail(CL_INVALID_BINARY, "kernels of this device are functions");
}

Result<std::unique_ptr<DeviceMemory>> SeparateTarget::allocate(size_t bytes, cl_mem_flags) {
  if (refuses_memory) return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the test says no");
  if (during_allocation) during_allocation();
  return std::make_unique<SeparateMemory>(*this, bytes);
}

HostMemory SeparateTarget::allocate_shared(size_t bytes, size_t alignment) {
  const auto release = [](void *owner, char *memory) {
    if (const auto &called = static_cast<SeparateTarget *>(owner)->during_release) called();
    std::free(memory);
  };
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  return {static_cast<char *>(std::aligned_alloc(alignment, rounded)), {release, this}};
}

HostMemory SeparateTarget::allocate_usm(const UsmRequest &request) {
  if (request.kind == AllocationKind::kHost) return allocate_shared(request.bytes, request.alignment);
  if (refuses_memory) return nullptr;
  const auto release = [](void *owner, char *memory) {
    std::free(on_host(memory));
    --static_cast<SeparateTarget *>(owner)->allocations;
  };
  auto *memory = static_cast<char *>(std::aligned_alloc(128, (request.bytes + 127) / 128 * 128));
  if (request.kind == AllocationKind::kDevice) memory += kDeviceAddresses;
  ++allocations;
  return {memory, {release, this}};
}

Result<void> SeparateTarget::download(void *to, const DeviceMemory &from, size_t offset, size_t bytes) {
  bytes_down += bytes;
  std::memcpy(to, static_cast<const SeparateMemory &>(from).at(offset), bytes);
  return {};
}

Result<void> SeparateTarget::upload(DeviceMemory &to, size_t offset, const void *from, size_t bytes) {
  bytes_up += bytes;
  std::memcpy(static_cast<SeparateMemory &>(to).at(offset), from, bytes);
  return {};
}

std::unique_ptr<QueueState> SeparateTarget::open_queue(cl_command_queue_properties) {
  return std::make_unique<OpenQueue>(*streams_[next_stream_++ % streams_.size()]);
}

bool SeparateTarget::can_follow(const Command &command, const Event &before) const {
  return &before.queue()->device().target() == this && !brings_to_host(command.body());
}

}  // namespace upsweep::tests
