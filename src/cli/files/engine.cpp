// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine of the processors, and the choice between processors and a device.
#include "cli/files/engine.h"

#include "cli/files/parallel.h"
#include "cli/files/view.h"

#include <algorithm>

namespace upsweep::cli {
namespace {

constexpr size_t kColumns = size_t{1} << 14;  // columns per piece of a thread

class ProcessorEngine : public Engine {
public:
  ProcessorEngine(const Operator &op, Compute compute) : Engine(op, kStepElements), width_(bytes_of(compute)) {}

  Result<void> scan(const void *in, void *to, size_t n, const void *from) override {
    op_.scan(in, to, n, from);
    return {};
  }
  Result<void> scan_axis(void *values, uint64_t batches, uint64_t length, uint64_t inner) override {
    op_.scan_axis(values, batches, length, inner);
    return {};
  }
  Result<void> scan_by_flag(const uint8_t *flags, void *values, size_t n) override {
    op_.scan_by_flag(flags, values, n);
    return {};
  }
  Result<void> reduce(const void *in, size_t n, void *total) override {
    op_.reduce(in, n, total);
    return {};
  }
  Result<void> reduce_rows(const void *in, size_t rows, size_t length, void *totals) override {
    const auto *values = static_cast<const std::byte *>(in);
    auto *results = static_cast<std::byte *>(totals);
    share_out(rows, std::max<size_t>(1, kStepElements / length / 16), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) op_.reduce(values + i * length * width_, length, results + i * width_);
    });
    return {};
  }
  Result<void> reduce_columns(const void *in, size_t rows, size_t width, void *totals) override {
    const auto *values = static_cast<const std::byte *>(in);
    auto *results = static_cast<std::byte *>(totals);
    share_out(width, kColumns, [&](size_t begin, size_t end) {
      for (size_t r = 0; r < rows; ++r)
        op_.combine(results + begin * width_, values + (r * width + begin) * width_, end - begin);
    });
    return {};
  }
  [[nodiscard]] bool takes_axis(size_t) const override { return true; }

private:
  const size_t width_;
};

}  // namespace

std::unique_ptr<Engine> make_processor_engine(const Operator &op, Compute compute) {
  return std::make_unique<ProcessorEngine>(op, compute);
}

Result<std::unique_ptr<Engine>> make_engine(Operation operation, Compute compute, WorkDevice *device) {
  if (device) return make_device_engine(operation, compute, *device);
  return make_processor_engine(*find_operator(operation, compute), compute);
}

}  // namespace upsweep::cli
