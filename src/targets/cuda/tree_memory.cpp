// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All memory is allocated before the first kernel runs: an allocation may wait for kernels, which wait for space in the ring.
#include "targets/cuda/tree_memory.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <thread>

namespace upsweep {
namespace {

constexpr unsigned kPortableMapped = 3;  // CU_MEMHOSTALLOC_PORTABLE and _DEVICEMAP

/// Alignment of local arguments of blocks' kernels (passes/common/kernel_info.cpp).
constexpr uint32_t kLocalAlignment = UPSWEEP_BLOCK_ALIGNMENT;

/// Interval between checks of the rings: the longest time that a kernel waits if its ring is full and the reading thread is
/// busy.
constexpr std::chrono::milliseconds kNap{1};
/// After this many naps without a tree, the thread that relieves rings sleeps; the next tree's launch must wake it.
constexpr int kIdleNaps = 100;

}  // namespace

TreeMemory::~TreeMemory() {
  const CudaDriver &driver = gpu_.driver;
  for (void *pointer :
       {static_cast<void *>(slots_), static_cast<void *>(host_), static_cast<void *>(ends_), static_cast<void *>(prepared_)})
    if (pointer) driver.free_host(pointer);
  for (const CUdeviceptr address : {tree_, events_})
    if (address) driver.free(address);
  for (const TreeChunk &chunk : chunks_) {
    if (chunk.host) driver.free_host(chunk.host);
    if (chunk.device) driver.free(chunk.device);
  }
}

Result<void> TreeMemory::allocate() {
  const CudaDriver &driver = gpu_.driver;
  constexpr const char *kWhat = "memory for the commands that kernels enqueue";
  std::ranges::transform(std::array{kMaxThreadsX, kMaxThreadsY, kMaxThreadsZ}, most_items_.begin(),
                         [&](DeviceAttribute which) { return static_cast<uint32_t>(gpu_.attribute(which)); });
  Result<void> done;
  const auto host = [&](auto *&pointer, size_t bytes) {
    void *memory = nullptr;
    if (done) done = check(driver.allocate_host(&memory, bytes, kPortableMapped), kWhat);
    if (!done) return;
    std::memset(memory, 0, bytes);
    pointer = static_cast<std::remove_reference_t<decltype(pointer)>>(memory);
  };
  const auto device = [&](CUdeviceptr &address, size_t bytes) {
    if (done) done = check(driver.allocate(&address, bytes), kWhat);
  };
  host(slots_, MessageRing::kBytes);
  host(host_, sizeof *host_);
  if (done) ring_.set_memory(slots_, &host_->read_slots);
  host(ends_, UPSWEEP_TREE_GRIDS * sizeof *ends_);
  host(prepared_, sizeof *prepared_ + kMostBlocks * sizeof(UpsweepBlockLimits));
  device(tree_, sizeof(UpsweepTree) + kMostBlocks * sizeof(UpsweepBlockLimits));
  constexpr size_t kTableBytes = (UPSWEEP_TREE_EVENTS + UPSWEEP_TREE_GRIDS) * sizeof(uint64_t);
  device(events_, kTableBytes);
  for (TreeChunk &chunk : chunks_) {
    host(chunk.host, TreeChunk::kBytes);
    device(chunk.device, TreeChunk::kBytes);
  }
  for (CUstream &stream : streams_)
    if (done) done = check(driver.create_stream(&stream, kOrderedByItself), "streams for the commands that kernels enqueue");
  if (done) done = check(driver.fill_bytes(events_, 0, kTableBytes, streams_[0]), kWhat);
  return done;
}

/// The data that is constant while the kernels run; empty if it does not fit.
std::vector<std::byte> TreeMemory::constants(const Launch &launch, const CudaCode &code, uint64_t most_local_bytes) const {
  const auto blocks = code.blocks();
  if (blocks.size() > kMostBlocks) return {};
  std::vector<std::byte> bytes(sizeof(UpsweepTree) + blocks.size() * sizeof(UpsweepBlockLimits));
  auto &tree = *new (bytes.data()) UpsweepTree{};
  tree.ring = reinterpret_cast<uint64_t>(slots_);
  tree.host = reinterpret_cast<uint64_t>(host_);
  tree.events = events_;
  tree.blocks = tree_ + sizeof tree;
  tree.ended_groups = events_ + UPSWEEP_TREE_EVENTS * sizeof(uint64_t);
  tree.ends = reinterpret_cast<uint64_t>(ends_);
  tree.local_bytes = most_local_bytes;
  std::ranges::copy(most_items_, tree.most_items);
  const auto add = [&](const Ref<DeviceQueue> &queue) {
    const auto is_it = [&](const UpsweepTreeQueue &known) { return known.handle == queue->address(); };
    if (std::any_of(tree.queues, tree.queues + tree.num_queues, is_it)) return true;
    if (tree.num_queues == UPSWEEP_TREE_QUEUES) return false;
    tree.queues[tree.num_queues++] = {.handle = queue->address(), .bytes = queue->bytes(), .taken = 0, .returned = 0};
    return true;
  };
  if (launch.call.default_queue) {
    tree.default_queue = launch.call.default_queue->address();
    add(launch.call.default_queue);
  }
  for (const Ref<DeviceQueue> &queue : launch.call.queues)
    if (!add(queue)) return {};
  auto *limits = reinterpret_cast<UpsweepBlockLimits *>(bytes.data() + sizeof tree);
  for (const KernelDescription &block : blocks)
    *limits++ = {.local_bytes = block.local_bytes,
                 .work_group_size = block.max_work_group_size,
                 .is_uniform = block.uniform_work_group_size,
                 .argument_bytes = block.argument_block_bytes,
                 .local_alignment = kLocalAlignment};
  return bytes;
}

Result<void> TreeMemory::prepare(const Launch &launch, const CudaCode &code, uint64_t most_local_bytes, CUstream stream) {
  std::vector<std::byte> wanted = constants(launch, code, most_local_bytes);
  if (wanted.empty()) return fail(CL_OUT_OF_RESOURCES, "the kernel has too many queues, or its program too many blocks");
  // Usually equal to the previous launch's. That launch's resources are free again, except for events that its kernels did not
  // release.
  if (wanted == constants_ && ++num_unprepared_ < kMostUnprepared) return {};
  constants_ = std::move(wanted);
  num_unprepared_ = 0;
  host_->free_events = 0;
  std::ranges::fill(host_->returned, 0);
  std::ranges::copy(constants_, reinterpret_cast<std::byte *>(prepared_));
  prepared_->taken_slots = prepared_->read_slots = ring_.returned_slots();
  if (std::exchange(is_abandoned_, false))
    gpu_.driver.fill_bytes(prepared_->ended_groups, 0, UPSWEEP_TREE_GRIDS * sizeof(uint64_t), stream);
  return check(gpu_.driver.copy_to_device(tree_, prepared_, constants_.size(), stream),
               "device-side enqueue could not be prepared");
}

Result<bool> TreeMemory::are_streams_idle() const {
  constexpr CUresult kNotReady = 600;
  bool are_idle = true;
  for (CUstream stream : streams_) {
    const CUresult state = gpu_.driver.query_stream(stream);
    if (state != 0 && state != kNotReady) return fail(check(state, "the GPU's work failed"));
    are_idle &= state == 0;
  }
  return are_idle;
}

void TreeMemory::return_bytes(uint32_t queue, uint64_t bytes) {
  std::atomic_ref returned(host_->returned[queue]);
  returned.store(returned.load(std::memory_order_relaxed) + bytes, std::memory_order_release);
}

void TreeMemory::return_event_place(uint32_t place) {
  std::atomic_ref count(host_->free_events);
  const uint64_t number = count.load(std::memory_order_relaxed);
  host_->places[number % UPSWEEP_TREE_EVENTS] = place;
  count.store(number + 1, std::memory_order_release);
}

void TreeMemory::tell_times(uint64_t event, const std::array<uint64_t, 2> &values) {
  UpsweepEventTimes &times = host_->times[static_cast<uint32_t>(event)];
  for (size_t i = 0; i < values.size(); ++i) std::atomic_ref(times.values[i]).store(values[i], std::memory_order_relaxed);
  std::atomic_ref(times.event).store(event, std::memory_order_release);
}

// Resources of trees

Result<std::unique_ptr<TreeMemory>> TreeMemories::take() {
  {
    std::lock_guard lock(mutex_);
    if (!unused_.empty()) {
      auto memory = std::move(unused_.back());
      unused_.pop_back();
      note_use(*memory);
      return memory;
    }
  }
  auto memory = std::make_unique<TreeMemory>(gpu_);
  if (auto done = memory->allocate(); !done) return fail(done);
  std::lock_guard lock(mutex_);
  note_use(*memory);
  return memory;
}

void TreeMemories::give_back(std::unique_ptr<TreeMemory> memory) {
  memory->commands().tidy();
  std::lock_guard lock(mutex_);
  std::erase(used_, memory.get());
  unused_.push_back(std::move(memory));
}

/// Call it with the mutex locked.
void TreeMemories::note_use(TreeMemory &memory) {
  used_.push_back(&memory);
  if (!has_thread_) {
    try {
      helpers_.run([this] { relieve_rings(); });
      has_thread_ = true;
    } catch (const std::exception &) {
      // no thread can be started; only a tree during which the CUDA driver blocks needs it
    }
  }
  if (sleeps_) filled_.notify_one();
}

void TreeMemories::relieve_rings() {
  std::unique_lock lock(mutex_);
  for (int idle_naps = 0;; ++idle_naps) {
    for (TreeMemory *memory : used_) memory->ring().relieve();
    if (!used_.empty()) idle_naps = 0;
    if (idle_naps < kIdleNaps) {
      lock.unlock();
      std::this_thread::sleep_for(kNap);
      lock.lock();
      continue;
    }
    sleeps_ = true;
    filled_.wait(lock, [this] { return !used_.empty(); });
    sleeps_ = false;
  }
}

}  // namespace upsweep
