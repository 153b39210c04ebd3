// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes an operator's steps: on the processors by the CPU library, or on an OpenCL device by the OpenCL library.
#ifndef UPSWEEP_CLI_FILES_ENGINE_H
#define UPSWEEP_CLI_FILES_ENGINE_H

#include "cli/files/operators.h"
#include "cli/files/work_device.h"

#include <memory>

namespace upsweep::cli {

// Values are of one compute type and in host memory; pointers to them are aligned.
class Engine {
public:
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;
  virtual ~Engine() = default;

  // to[0] = from, to[i + 1] = to[i] op in[i]: n + 1 values.
  virtual Result<void> scan(const void *in, void *to, size_t n, const void *from) = 0;
  // Scans in place along the middle of three axes.
  virtual Result<void> scan_axis(void *values, uint64_t batches, uint64_t length, uint64_t inner) = 0;
  // Scans in place, restarting wherever a flag is not 0.
  virtual Result<void> scan_by_flag(const uint8_t *flags, void *values, size_t n) = 0;
  // total = total op in[0] op … in[n - 1]
  virtual Result<void> reduce(const void *in, size_t n, void *total) = 0;
  // reduce() for each row of `length` values; rows are contiguous.
  virtual Result<void> reduce_rows(const void *in, size_t rows, size_t length, void *totals) = 0;
  // totals[i] = totals[i] op in[i] op in[width + i] …: columns of contiguous rows.
  virtual Result<void> reduce_columns(const void *in, size_t rows, size_t width, void *totals) = 0;

  // Whether the engine supports an axis whose adjacent elements are `inner` elements apart.
  [[nodiscard]] virtual bool takes_axis(size_t inner) const = 0;
  // totals[i] = totals[i] op in[i], on this thread, to combine steps.
  void combine(void *totals, const void *in, size_t n) const { op_.combine(totals, in, n); }
  // The identity, which changes no value, not even the sign of zero.
  [[nodiscard]] const std::array<std::byte, 8> &nothing() const { return op_.nothing; }
  // Number of elements per step.
  [[nodiscard]] size_t step() const { return step_; }

protected:
  Engine(const Operator &op, size_t step) : op_(op), step_(step) {}

  const Operator &op_;

private:
  const size_t step_;
};

// On the device, or on the processors if it is null. The device must outlive the engine.
Result<std::unique_ptr<Engine>> make_engine(Operation operation, Compute compute, WorkDevice *device);

// Creates one of the two kinds.
std::unique_ptr<Engine> make_processor_engine(const Operator &op, Compute compute);
Result<std::unique_ptr<Engine>> make_device_engine(Operation operation, Compute compute, WorkDevice &device);

}  // namespace upsweep::cli
#endif
