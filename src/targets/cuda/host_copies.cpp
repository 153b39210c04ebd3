// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has two pieces of pinned memory: it works on one while the other is in transfer.
#include "targets/cuda/host_copies.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <new>
#include <thread>

namespace upsweep {
namespace {

/// The CUDA driver copies shorter ranges at least as fast; measured on an H200 and 16 cores (docs/decisions/gpu-queues.md).
constexpr size_t kLeastToGpu = size_t{16} << 20, kLeastToHost = size_t{4} << 20;
constexpr size_t kPieceBytes = size_t{1} << 20, kLeastPieceBytes = size_t{512} << 10;
constexpr size_t kPageMask = 4095;  // parts start at page boundaries if the copy does
constexpr size_t kMostThreads = 6;
/// Limit of pinned pieces; a copy that finds none free is left to the CUDA driver.
constexpr size_t kMostPieces = 4 * kMostThreads;

size_t num_threads(size_t parts) {
  static const size_t most = std::clamp<size_t>(std::thread::hardware_concurrency() / 2, 2, kMostThreads);
  return std::min(most, parts / 2);
}

}  // namespace

PointerMemory memory_type(const Gpu &gpu, const void *pointer) {
  constexpr int kMemoryType = 2;  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
  // The plural function reports no error for memory unknown to the driver.
  unsigned type = 0;
  int attribute = kMemoryType;
  void *value = &type;
  const bool is_answered = gpu.driver.pointer_attributes(1, &attribute, &value, reinterpret_cast<uint64_t>(pointer)) == 0;
  return is_answered ? static_cast<PointerMemory>(type) : PointerMemory::kUnknown;
}

bool is_known_to_driver(const Gpu &gpu, const void *pointer) { return memory_type(gpu, pointer) != PointerMemory::kUnknown; }

/// A copy in parts, which threads take in order. A helper may arrive after the last part.
class HostCopies::Job final : public Counted {
public:
  Job(HostCopies &owner, const Copy &copy, size_t part_bytes, CUstream stream)
      : owner_(owner), copy_(copy), part_bytes_(part_bytes), stream_(stream) {}

  bool has_parts() const { return next_ < copy_.bytes; }

  /// Works until no parts are left; the GPU's context must be the calling thread's.
  void work(std::optional<Piece> first) {
    ++num_working_;
    std::array<Slot, 2> slots{Slot{std::move(first)}, {}};
    if (slots[0].piece && next_ + part_bytes_ < copy_.bytes) slots[1].piece = owner_.take();
    Result<void> done;
    try {
      done = copy_parts(slots);
    } catch (const std::bad_alloc &) {
      done = fail(CL_OUT_OF_HOST_MEMORY);
    }
    if (!done) next_ = copy_.bytes;
    for (Slot &slot : slots) {
      if (done) done = settle(slot);
      if (slot.piece) owner_.give_back(*std::move(slot.piece));
    }
    if (!done) fail_with(std::move(done));
    if (--num_working_ == 0) num_working_.notify_all();
  }

  Result<void> wait() {
    while (const unsigned working = num_working_) num_working_.wait(working);
    std::lock_guard lock(mutex_);
    return result_;
  }

private:
  struct Slot {
    std::optional<Piece> piece;
    size_t begin = 0;
    bool is_full = false;  ///< holds bytes for the host, perhaps still in transfer
  };

  Result<void> copy_parts(std::array<Slot, 2> &slots) {
    for (size_t turn = slots[1].piece ? 2 : 1, i = 0; slots[0].piece; i = (i + 1) % turn) {
      if (auto settled = settle(slots[i]); !settled) return settled;
      slots[i].begin = next_.fetch_add(part_bytes_);
      if (slots[i].begin >= copy_.bytes) break;
      if (auto given = give(slots[i]); !given) return given;
    }
    return {};
  }

  size_t bytes_of(const Slot &slot) const { return std::min(part_bytes_, copy_.bytes - slot.begin); }

  /// Frees the slot's piece; for a copy to the host, first waits for its bytes and stores them.
  Result<void> settle(Slot &slot) {
    if (!slot.piece || !slot.piece->last_use) return {};
    if (copy_.direction == Direction::kToGpu && !has_parts()) return {};  // the next user of the piece will wait
    auto arrived = slot.piece->last_use->wait(false);
    if (arrived && std::exchange(slot.is_full, false)) std::memcpy(copy_.host + slot.begin, slot.piece->bytes, bytes_of(slot));
    return arrived;
  }

  Result<void> give(Slot &slot) {
    char *const piece = slot.piece->bytes;
    const size_t bytes = bytes_of(slot);
    Ref<Mark> used = owner_.marks_.make(false);
    if (copy_.direction == Direction::kToGpu) std::memcpy(piece, copy_.host + slot.begin, bytes);
    auto given = owner_.give({copy_.direction, copy_.gpu + slot.begin, piece, bytes}, stream_);
    slot.is_full = given && copy_.direction == Direction::kToHost;
    used->record(stream_);
    slot.piece->last_use = std::move(used);
    return given;
  }

  void fail_with(Result<void> failed) {
    std::lock_guard lock(mutex_);
    result_ = std::move(failed);
  }

  HostCopies &owner_;
  const Copy copy_;
  const size_t part_bytes_;
  CUstream stream_;
  std::atomic<size_t> next_{0};  ///< start of the first part that no thread has taken
  std::atomic<unsigned> num_working_{0};
  std::mutex mutex_;
  Result<void> result_;
};

Result<void> HostCopies::give(const Copy &copy, CUstream stream) const {
  const CudaDriver &driver = marks_.gpu().driver;
  const CUresult result = copy.direction == Direction::kToGpu ? driver.copy_to_device(copy.gpu, copy.host, copy.bytes, stream)
                                                              : driver.copy_to_host(copy.host, copy.gpu, copy.bytes, stream);
  return driver.check(result, CL_OUT_OF_RESOURCES, "a copy could not be started");
}

Result<void> HostCopies::issue(const Copy &copy, CUstream stream) {
  const Gpu &gpu = marks_.gpu();
  std::optional<Piece> piece;
  if (copy.bytes >= (copy.direction == Direction::kToGpu ? kLeastToGpu : kLeastToHost) && !is_known_to_driver(gpu, copy.host))
    piece = take();
  if (!piece) return give(copy, stream);
  const size_t part_bytes = std::clamp(copy.bytes / (2 * kMostThreads) & ~kPageMask, kLeastPieceBytes, kPieceBytes);
  const auto job = make_ref<Job>(*this, copy, part_bytes, stream);
  try {
    for (size_t i = 1; i < num_threads((copy.bytes + part_bytes - 1) / part_bytes); ++i)
      helpers_.run([this, job, &gpu] {
        CurrentContext current(gpu);
        if (job->has_parts()) job->work(take());
      });
  } catch (const std::exception &) {
    // No memory or threads: continue with the existing threads.
  }
  job->work(std::move(piece));
  return job->wait();
}

// Pinned memory

std::optional<HostCopies::Piece> HostCopies::take() {
  std::lock_guard lock(mutex_);
  // Pieces of a slow stream stay with it; other copies should not wait for it.
  const auto is_free = [](const Piece &piece) { return !piece.last_use || piece.last_use->is_over(); };
  if (const auto found = std::ranges::find_if(unused_, is_free); found != unused_.end()) {
    Piece piece{found->bytes, nullptr};
    unused_.erase(found);
    return piece;
  }
  unused_.reserve(kMostPieces);
  void *bytes = nullptr;
  if (num_pieces_ == kMostPieces || marks_.gpu().driver.allocate_host(&bytes, kPieceBytes, 0) != 0) return std::nullopt;
  ++num_pieces_;
  return Piece{static_cast<char *>(bytes), nullptr};
}

void HostCopies::give_back(Piece piece) {
  std::lock_guard lock(mutex_);
  unused_.push_back(std::move(piece));
}

std::shared_ptr<void> HostCopies::keep_memory() {
  std::lock_guard lock(mutex_);
  auto kept = kept_.lock();
  if (!kept) {
    // The CUDA driver waits for an idle GPU before it frees.
    kept.reset(static_cast<void *>(this), [this](void *) {
      try {
        helpers_.run([this] { free_unused(); });
      } catch (const std::exception &) {
        free_unused();  // no memory or threads
      }
    });
    kept_ = kept;
  }
  return kept;
}

void HostCopies::free_unused() {
  std::vector<Piece> pieces;
  {
    std::lock_guard lock(mutex_);
    if (!kept_.expired()) return;
    pieces.swap(unused_);
    num_pieces_ -= pieces.size();
  }
  CurrentContext current(marks_.gpu());
  for (const Piece &piece : pieces) {
    if (piece.last_use) static_cast<void>(piece.last_use->wait(true));
    marks_.gpu().driver.free_host(piece.bytes);
  }
}

}  // namespace upsweep
