// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine of an OpenCL device: uploads each step, computes it with the library for OpenCL queues, and downloads the results.
#include "cli/files/engine.h"

#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segments.h>

namespace upsweep::cli {
namespace {

namespace ocl = upsweep::opencl;

enum Place : size_t { kIn, kOut, kFlags };

ocl::operation operation_of(Operation operation) {
  switch (operation) {
  case Operation::Sum: return ocl::plus{};
  case Operation::Product: return ocl::multiplies{};
  case Operation::Min: return ocl::minimum{};
  case Operation::Max: return ocl::maximum{};
  case Operation::And: return ocl::bit_and{};
  case Operation::Or: return ocl::bit_or{};
  case Operation::Xor: break;
  }
  return ocl::bit_xor{};
}

class DeviceEngine : public Engine {
public:
  DeviceEngine(Operation operation, Compute compute, WorkDevice &device)
      : Engine(*find_operator(operation, compute), WorkDevice::kStep), operation_(operation_of(operation)),
        type_(with_compute(compute, [](auto zero) { return ocl::type_of<decltype(zero)>::value(); })), device_(device) {}

  Result<void> scan(const void *in, void *to, size_t n, const void *from) override {
    const auto x = device_.upload(kIn, in, n * type_.bytes);
    const auto out = device_.room(kOut, (n + 1) * type_.bytes);
    if (!x || !out) return Failure(x ? out.error() : x.error());
    const auto done = device_.call([&](cl_command_queue queue) {
      return ocl::exclusive_scan(array(*x), array(*out), n, operation_, ocl::value(type_, from), queue,
                                 ocl::total_to(array(*out, n)));
    });
    return done.and_then([&] { return device_.download(*out, 0, to, (n + 1) * type_.bytes); });
  }

  Result<void> scan_axis(void *values, uint64_t batches, uint64_t length, uint64_t) override {
    const size_t n = batches * length;
    const auto x = device_.upload(kIn, values, n * type_.bytes);
    if (!x) return Failure(x.error());
    return scan_rows(*x, n, length).and_then([&] { return device_.download(*x, 0, values, n * type_.bytes); });
  }

  Result<void> scan_by_flag(const uint8_t *flags, void *values, size_t n) override {
    const auto x = device_.upload(kIn, values, n * type_.bytes);
    const auto heads = device_.upload(kFlags, flags, n);
    if (!x || !heads) return Failure(x ? heads.error() : x.error());
    const auto done = device_.call([&](cl_command_queue queue) {
      return ocl::inclusive_scan_by_flag(ocl::buffer<uint8_t>(*heads), array(*x), array(*x), n, operation_, queue);
    });
    return done.and_then([&] { return device_.download(*x, 0, values, n * type_.bytes); });
  }

  Result<void> reduce(const void *in, size_t n, void *total) override {
    const auto x = device_.upload(kIn, in, n * type_.bytes);
    const auto out = device_.room(kOut, type_.bytes);
    if (!x || !out) return Failure(x ? out.error() : x.error());
    const auto done = device_.call([&](cl_command_queue queue) {
      return ocl::reduce(array(*x), array(*out), n, operation_, ocl::value(type_, total), queue);
    });
    return done.and_then([&] { return device_.download(*out, 0, total, type_.bytes); });
  }

  // The last sums of a scan of rows. `totals` must be initial.
  Result<void> reduce_rows(const void *in, size_t rows, size_t length, void *totals) override {
    const size_t n = rows * length;
    const auto x = device_.upload(kIn, in, n * type_.bytes);
    if (!x) return Failure(x.error());
    return scan_rows(*x, n, length).and_then([&] {
      return device_.download_column(*x, (length - 1) * type_.bytes, length * type_.bytes, type_.bytes, rows, totals);
    });
  }

  Result<void> reduce_columns(const void *, size_t, size_t, void *) override {
    return fail("with --device, totals are computed along the last axis only");  // callers check takes_axis() first
  }
  [[nodiscard]] bool takes_axis(size_t inner) const override { return inner == 1; }

private:
  [[nodiscard]] ocl::array array(cl_mem memory, size_t first = 0) const { return {type_, memory, first}; }
  Result<void> scan_rows(cl_mem x, size_t n, size_t length) {
    return device_.call(
        [&](cl_command_queue queue) { return ocl::inclusive_scan_of_rows(array(x), array(x), n, length, operation_, queue); });
  }

  const ocl::operation operation_;
  const ocl::element_type type_;
  WorkDevice &device_;
};

}  // namespace

Result<std::unique_ptr<Engine>> make_device_engine(Operation operation, Compute compute, WorkDevice &device) {
  return std::make_unique<DeviceEngine>(operation, compute, device);
}

}  // namespace upsweep::cli
