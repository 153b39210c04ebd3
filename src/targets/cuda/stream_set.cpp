// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams are reused; new streams are created only when none is free.
#include "targets/cuda/stream_set.h"
#include <exception>
#include <thread>

namespace upsweep {
namespace {

/// Commands of an out-of-order queue that run concurrently.
constexpr size_t kStreamsOutOfOrder = 4;

}  // namespace

Stream *StreamSet::take() {
  std::lock_guard lock(mutex_);
  if (!unused_.empty()) {
    Stream *stream = unused_.back();
    unused_.pop_back();
    return stream;
  }
  const Gpu &gpu = marks_.gpu();
  CurrentContext current(gpu);
  unused_.reserve(all_.size() + 1);  // for give_back()
  Stream &stream = all_.emplace_back(marks_, all_.size());
  try {
    if (stream.create()) {
      std::thread([this, &stream] { look_after_(stream); }).detach();  // the platform lives as long as the process
      return &stream;
    }
  } catch (const std::exception &) {
    // no threads or memory
  }
  all_.pop_back();
  return nullptr;
}

void StreamSet::give_back(Stream &stream) {
  std::lock_guard lock(mutex_);
  unused_.push_back(&stream);
}

StreamSet::Position StreamSet::position(uint64_t ticket) {
  std::lock_guard lock(mutex_);
  return {&all_[(ticket >> kNumberBits) - 1], ticket & ((uint64_t{1} << kNumberBits) - 1)};
}

CudaQueue::CudaQueue(StreamSet &set, bool is_out_of_order, std::shared_ptr<void> memory)
    : set_(set), memory_(std::move(memory)) {
  const size_t wanted = is_out_of_order ? kStreamsOutOfOrder : 1;
  own_.reserve(wanted);
  while (own_.size() < wanted) {
    Stream *stream = set_.take();
    if (!stream) break;
    own_.push_back(stream);
  }
}

CudaQueue::~CudaQueue() {
  for (Stream *stream : own_) set_.give_back(*stream);
}

Stream::IssuePoint CudaQueue::issue_point() {
  if (own_.size() == 1) return own_.front()->issue_point();
  for (Stream *stream : own_)
    if (stream->newest() == 0)
      if (auto point = stream->try_issue_point()) return *std::move(point);
  const size_t first = next_.fetch_add(1, std::memory_order_relaxed);
  for (size_t i = 0; i < own_.size(); ++i)
    if (auto point = own_[(first + i) % own_.size()]->try_issue_point()) return *std::move(point);
  return own_[first % own_.size()]->issue_point();
}

}  // namespace upsweep
