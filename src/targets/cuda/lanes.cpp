// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes are made when there is none to be used again.
#include "targets/cuda/lanes.h"
#include <system_error>
#include <thread>

namespace upsweep {
namespace {

/// Commands of an out-of-order queue that run side by side.
constexpr size_t kLanesOutOfOrder = 4;

}  // namespace

Lane *Lanes::take() {
  std::lock_guard lock(mutex_);
  if (!unused_.empty()) {
    Lane *lane = unused_.back();
    unused_.pop_back();
    return lane;
  }
  const Gpu &gpu = marks_.gpu();
  CurrentContext current(gpu);
  CUstream stream = nullptr;
  if (gpu.driver.create_stream(&stream, kOrderedByItself) != 0) return nullptr;
  Lane &lane = all_.emplace_back(marks_, stream, all_.size());
  try {
    std::thread([this, &lane] { look_after_(lane); }).detach();  // the platform lives as long as the process
  } catch (const std::system_error &) {
    all_.pop_back();
    return nullptr;
  }
  return &lane;
}

void Lanes::give_back(Lane &lane) {
  std::lock_guard lock(mutex_);
  unused_.push_back(&lane);
}

Lanes::Position Lanes::position(uint64_t ticket) {
  std::lock_guard lock(mutex_);
  return {&all_[(ticket >> kNumberBits) - 1], ticket & ((uint64_t{1} << kNumberBits) - 1)};
}

CudaQueue::CudaQueue(Lanes &lanes, bool is_out_of_order, std::shared_ptr<void> memory)
    : lanes_(lanes), memory_(std::move(memory)) {
  while (own_.size() < (is_out_of_order ? kLanesOutOfOrder : 1)) {
    Lane *lane = lanes_.take();
    if (!lane) break;
    own_.push_back(lane);
  }
}

CudaQueue::~CudaQueue() {
  for (Lane *lane : own_) lanes_.give_back(*lane);
}

Lane &CudaQueue::choose() {
  if (own_.size() == 1) return *own_.front();
  for (Lane *lane : own_)
    if (lane->newest() == 0) return *lane;
  return *own_[next_.fetch_add(1, std::memory_order_relaxed) % own_.size()];
}

}  // namespace upsweep
