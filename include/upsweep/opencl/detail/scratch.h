// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of calls, which is kept for the next call on the same queue: a driver takes up to 100 us to make a buffer that is
// used.
#pragma once

#include <upsweep/opencl/error.h>
#include <upsweep/opencl/handles.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace upsweep::opencl::detail {

// The buffers of one queue, which carries out its commands in order: those of a call are not overtaken by those of the next
// one.
struct KeptBuffers {
  struct Buffer {
    unique_handle<cl_mem> memory;
    std::size_t bytes = 0;
  };
  std::atomic<bool> is_taken = false;  // by a call that has not enqueued all of its commands
  std::vector<Buffer> buffers;
};

// Of all queues of a context and a device. A handle that was released may be given to another queue; the commands of the first
// one are complete by then.
class KeptOfQueues {
public:
  std::shared_ptr<KeptBuffers> of(cl_command_queue queue) {
    const std::lock_guard lock(mutex_);
    if (queues_.size() >= kMostQueues && queues_.find(queue) == queues_.end()) queues_.clear();
    std::shared_ptr<KeptBuffers> &kept = queues_[queue];
    if (!kept) kept = std::make_shared<KeptBuffers>();
    return kept;
  }

private:
  static constexpr std::size_t kMostQueues = 32;
  std::mutex mutex_;
  std::map<cl_command_queue, std::shared_ptr<KeptBuffers>> queues_;
};

// Memory for one call. OpenCL keeps what is released until the commands that use it are complete.
class Scratch {
public:
  Scratch() = default;
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    if (kept_) kept_->is_taken.store(false, std::memory_order_release);
  }

  // Keeps buffers from now on, unless another thread's call on the queue has not come to its end.
  void keep(const std::shared_ptr<KeptBuffers> &kept) {
    if (!kept->is_taken.exchange(true, std::memory_order_acquire)) kept_ = kept;
  }

  cl_int take(cl_context context, std::size_t bytes, cl_mem *memory) {
    if (kept_ == nullptr || bytes > kMostKeptBytes) return make(context, bytes, &own_.emplace_back(), memory);
    if (taken_ == kept_->buffers.size()) kept_->buffers.emplace_back();
    KeptBuffers::Buffer &buffer = kept_->buffers[taken_++];
    if (buffer.bytes >= bytes) {
      *memory = buffer.memory.get();
      return CL_SUCCESS;
    }
    const std::size_t rounded = std::bit_ceil(std::max(bytes, kLeastKeptBytes));
    const cl_int code = make(context, rounded, &buffer.memory, memory);
    buffer.bytes = code == CL_SUCCESS ? rounded : 0;
    return code;
  }

private:
  static constexpr std::size_t kLeastKeptBytes = std::size_t(1) << 16, kMostKeptBytes = std::size_t(1) << 24;

  static cl_int make(cl_context context, std::size_t bytes, unique_handle<cl_mem> *to, cl_mem *memory) {
    cl_int code = CL_SUCCESS;
    to->reset(clCreateBuffer(context, CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 8), nullptr, &code));
    *memory = to->get();
    return check(code, "clCreateBuffer");
  }

  std::shared_ptr<KeptBuffers> kept_;
  std::size_t taken_ = 0;
  std::vector<unique_handle<cl_mem>> own_;
};

}  // namespace upsweep::opencl::detail
