// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records points in streams and waits for them.
#include "targets/cuda/marks.h"
#include "runtime/objects/event.h"
#include "targets/cuda/poll_backoff.h"
#include <algorithm>

namespace upsweep {
namespace {

constexpr CUresult kNotReady = 600;
constexpr unsigned kSleepingWait = 1, kNoTime = 2;  // CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING
constexpr uint64_t kBaseLastsNs = 500'000'000;
constexpr int kBaseTries = 4;

}  // namespace

bool ends_soon(const Gpu &gpu, CUstream stream) {
  for (PollBackoff backoff; !backoff.is_napping(); backoff.pause()) {
    const CUresult state = gpu.driver.query_stream(stream);
    if (state != kNotReady) return state == 0;
  }
  return false;
}

Mark::~Mark() {
  if (event_) marks_.give_back(event_, is_timed_);
}

void Mark::record(CUstream stream) {
  if (event_) recorded_ = marks_.gpu().driver.record_event(event_, stream);
}

bool Mark::is_over() const { return recorded_ == 0 && marks_.gpu().driver.query_event(event_) == 0; }

Result<void> Mark::wait(bool is_blocking) const {
  const CudaDriver &driver = marks_.gpu().driver;
  CUresult state = recorded_ == 0 ? driver.query_event(event_) : recorded_;
  if (state == kNotReady && is_blocking) state = driver.synchronize_event(event_);
  for (PollBackoff backoff; state == kNotReady; state = driver.query_event(event_)) backoff.pause();
  return driver.check(state, CL_OUT_OF_RESOURCES, "the GPU's work failed");
}

Result<void> Mark::hold_back(CUstream stream) const {
  const CudaDriver &driver = marks_.gpu().driver;
  const CUresult state = recorded_ == 0 ? driver.wait_for_event(stream, event_, 0) : recorded_;
  return driver.check(state, CL_OUT_OF_RESOURCES, "a stream cannot wait");
}

double Mark::ns_since(const Mark &earlier) const {
  float ms = 0;
  marks_.gpu().driver.elapsed_time(&ms, earlier.event_, event_);
  return static_cast<double>(ms) * 1e6;
}

CUevent Marks::take(bool is_timed) {
  {
    std::lock_guard lock(mutex_);
    auto &unused = unused_[is_timed];
    if (!unused.empty()) {
      CUevent event = unused.back();
      unused.pop_back();
      return event;
    }
    const size_t made = num_made_[is_timed] + 1;
    if (unused.capacity() < made) unused.reserve(2 * made);
    num_made_[is_timed] = made;
  }
  CUevent event = nullptr;
  gpu_.driver.create_event(&event, kSleepingWait | (is_timed ? 0 : kNoTime));
  return event;
}

void Marks::give_back(CUevent event, bool is_timed) noexcept {
  std::lock_guard lock(mutex_);
  unused_[is_timed].push_back(event);
}

Ref<Mark> Marks::make(bool is_timed) {
  auto mark = make_ref<Mark>(*this, is_timed);
  mark->event_ = take(is_timed);
  return mark;
}

Ref<Mark> Marks::record(CUstream stream, bool is_timed) {
  Ref<Mark> mark = make(is_timed);
  mark->record(stream);
  return mark;
}

uint64_t GpuClock::Base::host_time(const Mark &other) const {
  return static_cast<uint64_t>(static_cast<int64_t>(host_ns) + static_cast<int64_t>(other.ns_since(*mark)));
}

GpuClock::Base GpuClock::base() {
  std::lock_guard lock(mutex_);
  if (base_.mark && now_ns() - base_.host_ns < kBaseLastsNs) return base_;
  if (!stream_) marks_.gpu().driver.create_stream(&stream_, kOrderedByItself);
  // The GPU reaches the mark between the call that records it and the check that finds it reached. The shortest of a few tries
  // is most precise.
  uint64_t quickest = UINT64_MAX;
  for (int i = 0; i < kBaseTries; ++i) {
    const uint64_t begin = now_ns();
    Ref<Mark> mark = marks_.record(stream_, true);
    if (!mark->wait(false)) break;
    const uint64_t took = now_ns() - begin;
    if (took < quickest) base_ = {std::move(mark), begin + took / 2};
    quickest = std::min(quickest, took);
  }
  return base_;
}

}  // namespace upsweep
