// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads shared objects that the compiler made for the CPU.
#ifndef UPSWEEP_TARGETS_CPU_CODE_OBJECT_H
#define UPSWEEP_TARGETS_CPU_CODE_OBJECT_H

#include "base/result.h"
#include "runtime/code_object.h"
#include "targets/cpu/kernel_abi.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace upsweep {

/// A kernel's time per work-item, from its latest launches. Thread-safe.
class KernelPace {
public:
  /// Cycles of the time stamp counter per work-item; before the first launch, more than any kernel takes.
  double cycles() const { return cycles_.load(std::memory_order_relaxed); }

  /// A slow launch raises the estimate, a fast launch lowers it only a little: too many workers cost less than too few. On a
  /// busy machine other threads may use the processor for milliseconds during a launch of microseconds. A single launch
  /// therefore raises the estimate at most kMostGrowth times.
  void note(uint64_t cycles, uint64_t items) {
    const float before = cycles_.load(std::memory_order_relaxed);
    float now = static_cast<float>(cycles) / static_cast<float>(items);
    if (before > 0) now = std::min(now, before * kMostGrowth);
    if (now > before || now < before - before / 8)  // avoid stores, which slow down all readers
      cycles_.store(before == kUnknown ? now : std::max(now, before - before / 8), std::memory_order_relaxed);
  }

private:
  static constexpr float kUnknown = 1e30f;
  static constexpr float kMostGrowth = 4;
  std::atomic<float> cycles_{kUnknown};
};

class CpuCode final : public CodeObject {
public:
  /// `code` has one element for each kernel of `descriptions`, and lives as long as `library`, a handle of dlopen() or null.
  /// `table` is in the library, which the object closes.
  CpuCode(std::vector<KernelDescription> descriptions, const UpsweepCodeObject &table, void *library);

  std::span<const KernelDescription> kernels() const override { return std::span(descriptions_).first(num_kernels_); }
  /// The kernels of blocks by number; numbers start at 1.
  std::span<const KernelDescription> blocks() const { return std::span(descriptions_).subspan(num_kernels_); }
  uint64_t program_scope_bytes() const override { return table_.program_scope_bytes; }
  std::optional<ProgramVariable> variable(std::string_view name) const override;

  /// The code of a kernel in kernels() or blocks().
  const UpsweepKernelCode &code(const KernelDescription &kernel) const { return code_[&kernel - descriptions_.data()]; }
  KernelPace &pace(const KernelDescription &kernel) const { return paces_[&kernel - descriptions_.data()]; }

private:
  ~CpuCode() override;

  std::vector<KernelDescription> descriptions_;
  size_t num_kernels_;
  const UpsweepCodeObject &table_;
  const UpsweepKernelCode *code_;  ///< of the table
  const std::unique_ptr<KernelPace[]> paces_;
  void *library_;
};

/// Target::load_code, for an ELF image that exports an UpsweepCodeObject.
Result<Ref<CodeObject>> load_code_object(std::span<const uint8_t> elf);

}  // namespace upsweep
#endif
