// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of calls, which is kept for the next call on the same queue: a driver takes up to 100 us to create a buffer that is
// used.
#pragma once

#include <upsweep/opencl/error.h>
#include <upsweep/opencl/handles.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace upsweep::opencl::detail {

// Bytes that may still be kept, for a context and a device.
using KeptBytes = std::atomic<std::uint64_t>;

// The buffers of one queue. It executes commands in order, so that a call's commands do not overtake the previous call's.
class KeptBuffers {
public:
  explicit KeptBuffers(std::shared_ptr<KeptBytes> left) : left_(std::move(left)) {}
  KeptBuffers(const KeptBuffers &) = delete;
  KeptBuffers &operator=(const KeptBuffers &) = delete;
  ~KeptBuffers() {
    for (const Buffer &buffer : buffers_) *left_ += buffer.bytes;
  }

  // Taken by a call until it has enqueued its commands; false if a call of another thread has it.
  bool take() { return !is_taken_.exchange(true, std::memory_order_acquire); }
  void leave() { is_taken_.store(false, std::memory_order_release); }

  // The buffer at a place, of at least `bytes` bytes, created by `make`; none if the limit is reached.
  template <class Make>
  cl_mem at(std::size_t place, std::size_t bytes, const Make &make) {
    if (place >= buffers_.size()) buffers_.resize(place + 1);
    Buffer &buffer = buffers_[place];
    if (buffer.bytes >= bytes) return buffer.memory.get();
    buffer.memory.reset();
    *left_ += std::exchange(buffer.bytes, 0);
    const std::size_t rounded =
        bytes < kLeastBytes ? kLeastBytes : bytes + bytes / 8;  // for later calls that take a little more
    std::uint64_t left = *left_;
    while (left >= rounded && !left_->compare_exchange_weak(left, left - rounded)) {
    }
    if (left < rounded) return nullptr;
    buffer.bytes = rounded;
    buffer.memory.reset(make(rounded));
    if (!buffer.memory) *left_ += std::exchange(buffer.bytes, 0);
    return buffer.memory.get();
  }

private:
  struct Buffer {
    unique_handle<cl_mem> memory;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t kLeastBytes = std::size_t(1) << 16;
  std::shared_ptr<KeptBytes> left_;
  std::atomic<bool> is_taken_ = false;
  std::vector<Buffer> buffers_;
};

// The buffers of all queues of a context and a device. The handle of a released queue may be reused for a new queue; the
// commands of the old queue are complete by then.
class KeptOfQueues {
public:
  void allow(std::uint64_t bytes) { *left_ = bytes; }

  std::shared_ptr<KeptBuffers> of(cl_command_queue queue) {
    const std::lock_guard lock(mutex_);
    if (queues_.size() >= kMostQueues && queues_.find(queue) == queues_.end()) queues_.clear();
    std::shared_ptr<KeptBuffers> &kept = queues_[queue];
    if (!kept) kept = std::make_shared<KeptBuffers>(left_);
    return kept;
  }

private:
  static constexpr std::size_t kMostQueues = 32;
  std::mutex mutex_;
  std::shared_ptr<KeptBytes> left_ = std::make_shared<KeptBytes>(0);
  std::map<cl_command_queue, std::shared_ptr<KeptBuffers>> queues_;
};

// Memory for a call. OpenCL keeps released memory until the commands that use it are complete.
class Scratch {
public:
  Scratch() = default;
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    if (kept_) kept_->leave();
  }

  // Keeps buffers from now on, unless a call of another thread on the queue is in progress.
  void keep(std::shared_ptr<KeptBuffers> kept) {
    if (kept->take()) kept_ = std::move(kept);
  }

  cl_int take(cl_context context, std::size_t bytes, cl_mem *memory) {
    cl_int code = CL_SUCCESS;
    const auto make = [&](std::size_t size) { return clCreateBuffer(context, CL_MEM_READ_WRITE, size, nullptr, &code); };
    *memory = kept_ ? kept_->at(taken_++, bytes, make) : nullptr;
    if (*memory == nullptr) {
      own_.emplace_back(make(std::max<std::size_t>(bytes, 8)));
      *memory = own_.back().get();
    }
    return check(code, "clCreateBuffer");
  }

private:
  std::shared_ptr<KeptBuffers> kept_;
  std::size_t taken_ = 0;
  std::vector<unique_handle<cl_mem>> own_;
};

}  // namespace upsweep::opencl::detail
