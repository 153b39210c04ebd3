// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks: points in a stream that can be waited for and that know their time. They are CUDA's events, used again and again.
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

/// Looks for a short while whether all that was given to the stream is over: the fastest way to see the end of something short.
bool ends_soon(const Gpu &gpu, CUstream stream);

/// A point in a stream. Its functions may be called on several threads at once.
class Mark final : public Counted, public Recycled<Mark> {
public:
  Mark(Marks &marks, bool is_timed) : marks_(marks), is_timed_(is_timed) {}
  ~Mark() override;

  /// Makes it the point that `stream` is at now; once, before others have the mark. The GPU's context is the calling thread's.
  void record(CUstream stream);

  bool is_over() const;
  /// Returns when the stream has come here, or has failed. To be there at once, it looks for a short while and sleeps in naps
  /// that are short beside what it has waited; if it `is_patient`, it sleeps until the driver wakes it.
  Result<void> wait(bool is_patient) const;
  /// Work that is given to `stream` from now on starts after this point.
  Result<void> hold_back(CUstream stream) const;
  /// Nanoseconds since `earlier`, which may also be later; both are timed and over.
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

  /// A mark that is yet to be recorded: what may fail for want of memory is behind it then. The GPU's context is the calling
  /// thread's.
  Ref<Mark> make(bool is_timed);
  /// The point that `stream` is at now.
  Ref<Mark> record(CUstream stream, bool is_timed);

private:
  friend class Mark;
  CUevent take(bool is_timed);
  void give_back(CUevent event, bool is_timed) noexcept;

  const Gpu &gpu_;
  std::mutex mutex_;
  /// CUDA's events without and with time, and how many have been made: there is room for all to be unused.
  std::array<std::vector<CUevent>, 2> unused_;
  std::array<size_t, 2> num_made_{};
};

/// Puts the GPU's times on the host's clock (now_ns()). The difference is measured anew every now and then: a span between
/// marks is a float, exact for as long as it is short.
class GpuClock {
public:
  explicit GpuClock(Marks &marks) : marks_(marks) {}

  struct Base {
    Ref<Mark> mark;
    uint64_t host_ns = 0;

    uint64_t host_time(const Mark &mark) const;
  };
  /// For marks recorded about now. The GPU's context is the calling thread's.
  Base base();

private:
  Marks &marks_;
  std::mutex mutex_;           ///< guards what follows
  CUstream stream_ = nullptr;  ///< empty but for this
  Base base_;
};

}  // namespace upsweep
#endif
