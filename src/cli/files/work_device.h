// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device of `--device` in the verbs on files: its memory, transfers and their times.
#ifndef UPSWEEP_CLI_FILES_WORK_DEVICE_H
#define UPSWEEP_CLI_FILES_WORK_DEVICE_H

#include "cli/opencl.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace upsweep::cli {

class WorkDevice {
public:
  // Elements per step: transfers of some MiB reach full speed.
  static constexpr size_t kStep = size_t{1} << 22;

  // "cpu", "gpu" or a number as in `upsweep info`; null if the choice is empty.
  static Result<std::unique_ptr<WorkDevice>> open(const std::string &choice);
  WorkDevice(const WorkDevice &) = delete;
  WorkDevice &operator=(const WorkDevice &) = delete;
  ~WorkDevice();

  // Buffer `place` with space for `bytes` bytes; its contents may be lost.
  Result<cl_mem> room(size_t place, size_t bytes);
  Result<cl_mem> upload(size_t place, const void *from, size_t bytes);
  Result<void> download(cl_mem memory, size_t offset, void *to, size_t bytes);
  // Downloads `rows` values of `bytes` bytes, starting at `offset`, with `pitch` bytes between them.
  Result<void> download_column(cl_mem memory, size_t offset, size_t pitch, size_t bytes, size_t rows, void *to);
  // Runs a call of the library for OpenCL queues and waits for it.
  Result<void> call(const std::function<cl_int(cl_command_queue)> &enqueue);

  [[nodiscard]] std::string name() const;
  // "NVIDIA H100: transfers 12.3 ms, calls 4.5 ms"
  [[nodiscard]] std::string times() const;

private:
  explicit WorkDevice(Device device) : device_(std::move(device)) {}

  Device device_;
  std::vector<cl::Buffer> rooms_;
  double transfer_seconds_ = 0;
  double call_seconds_ = 0;
};

}  // namespace upsweep::cli
#endif
