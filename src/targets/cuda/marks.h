// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks: points in a stream that can be waited for and that know their time. They are CUDA events, which are reused.
#ifndef UPSWEEP_TARGETS_CUDA_MARKS_H
#define UPSWEEP_TARGETS_CUDA_MARKS_H

#include "base/recycled.h"
#include "base/reference.h"
#include "targets/cuda/gpu.h"
#include <array>
#include <mutex>
#include <vector>

namespace upsweep {

class Marks;

/// Polls for a short while whether all work of the stream is done: the fastest way to see the end of short work.
bool ends_soon(const Gpu &gpu, CUstream stream);

/// A point in a stream. Its functions are thread-safe.
class Mark final : public Counted, public Recycled<Mark> {
public:
  Mark(Marks &marks, bool is_timed) : marks_(marks), is_timed_(is_timed) {}
  ~Mark() override;

  /// Sets the mark to the current point of `stream`; once, before other threads have the mark. The GPU's context must be the
  /// calling thread's.
  void record(CUstream stream);

  bool is_over() const;
  /// Returns when the stream has reached the mark, or has failed. A wait that `is_blocking` sleeps until the CUDA driver wakes
  /// the thread. Otherwise, for low latency, it polls for a while and then sleeps in naps that are short relative to the time
  /// waited.
  Result<void> wait(bool is_blocking) const;
  /// Makes work that is passed to `stream` from now on wait for this point.
  Result<void> hold_back(CUstream stream) const;
  /// Nanoseconds since `earlier`, negative if that is later; both must be timed and reached.
  double ns_since(const Mark &earlier) const;

private:
  friend class Marks;
  static constexpr CUresult kInvalidHandle = 400;

  Marks &marks_;
  CUevent event_ = nullptr;
  const bool is_timed_;
  CUresult recorded_ = kInvalidHandle;
};

class Marks {
public:
  explicit Marks(const Gpu &gpu) : gpu_(gpu) {}
  const Gpu &gpu() const { return gpu_; }

  /// A mark that is not recorded yet; recording it cannot fail for lack of memory. The GPU's context must be the calling
  /// thread's.
  Ref<Mark> make(bool is_timed);
  /// A mark at the current point of `stream`.
  Ref<Mark> record(CUstream stream, bool is_timed);

private:
  friend class Mark;
  CUevent take(bool is_timed);
  void give_back(CUevent event, bool is_timed) noexcept;

  const Gpu &gpu_;
  std::mutex mutex_;
  /// Unused CUDA events without and with time, and the numbers of existing events; the vectors have space for all of them.
  std::array<std::vector<CUevent>, 2> unused_;
  std::array<size_t, 2> num_made_{};
};

/// Converts the GPU's times to the host's clock (now_ns()). The difference is measured again regularly: CUDA returns the time
/// between marks as a float, which is exact only for short times.
class GpuClock {
public:
  explicit GpuClock(Marks &marks) : marks_(marks) {}

  struct Base {
    Ref<Mark> mark;
    uint64_t host_ns = 0;

    uint64_t host_time(const Mark &mark) const;
  };
  /// For marks recorded about now. The GPU's context must be the calling thread's.
  Base base();

private:
  Marks &marks_;
  std::mutex mutex_;           ///< guards the members below
  CUstream stream_ = nullptr;  ///< used only for this
  Base base_;
};

}  // namespace upsweep
#endif
