// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs: the state of their builds.
#include "runtime/objects/program.h"

namespace upsweep {

Program::Program(Context &context, std::vector<Ref<Device>> devices, Origin origin, std::string source)
    : context_(&context), devices_(std::move(devices)), origin_(origin), source_(std::move(source)), builds_(devices_.size()) {}

std::optional<size_t> Program::index_of(const Device &device) const {
  // A sub-device runs what its parent was built for.
  for (const Device *candidate = &device; candidate; candidate = candidate->parent())
    for (size_t i = 0; i < devices_.size(); ++i)
      if (devices_[i].get() == candidate) return i;
  return std::nullopt;
}

DeviceBuild Program::build_of(size_t index) const {
  std::lock_guard lock(mutex_);
  // A sub-device for which nothing was built runs what was built for its parent.
  for (const Device *ancestor = devices_[index]->parent(); ancestor && builds_[index].status == CL_BUILD_NONE;
       ancestor = ancestor->parent())
    for (size_t i = 0; i < devices_.size(); ++i)
      if (devices_[i].get() == ancestor && builds_[i].status != CL_BUILD_NONE) index = i;
  return builds_[index];
}

Ref<CodeObject> Program::code_of(size_t index) const {
  std::lock_guard lock(mutex_);
  return builds_[index].code;
}

void Program::set_binary(size_t index, Bytes binary, cl_program_binary_type type) {
  std::lock_guard lock(mutex_);
  builds_[index].binary = std::move(binary);
  builds_[index].type = type;
}

Result<void> Program::begin_build(std::span<const size_t> indices, const std::string &options) {
  std::lock_guard lock(mutex_);
  for (size_t index : indices)
    if (builds_[index].status == CL_BUILD_IN_PROGRESS)
      return fail(CL_INVALID_OPERATION, "an earlier build of the program for the device has not ended");
  if (kernels_ != 0) return fail(CL_INVALID_OPERATION, "the program has " + std::to_string(kernels_) + " kernel objects");
  for (size_t index : indices) builds_[index].options = options;  // may run out of memory
  for (size_t index : indices) {
    builds_[index].status = CL_BUILD_IN_PROGRESS;
    builds_[index].log.clear();
    builds_[index].code.reset();
  }
  return {};
}

void Program::end_build(size_t index, DeviceBuild build) {
  std::lock_guard lock(mutex_);
  build.options = std::move(builds_[index].options);
  builds_[index] = std::move(build);
}

void Program::end_failed_builds(std::span<const size_t> indices) noexcept {
  std::lock_guard lock(mutex_);
  for (size_t index : indices)
    if (builds_[index].status == CL_BUILD_IN_PROGRESS) builds_[index].status = CL_BUILD_ERROR;
}

}  // namespace upsweep
