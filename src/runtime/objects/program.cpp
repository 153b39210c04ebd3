// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs: the state of their builds.
#include "runtime/objects/program.h"
#include "runtime/objects/specialisation.h"

#include <algorithm>

namespace upsweep {

Program::Program(Context &context, std::vector<Ref<Device>> devices, Origin origin, std::string source)
    : context_(&context), devices_(std::move(devices)), origin_(origin), source_(std::move(source)), builds_(devices_.size()) {}

std::optional<size_t> Program::index_of(const Device &device) const {
  // A sub-device can run code that was built for its parent.
  for (const Device *candidate = &device; candidate; candidate = candidate->parent())
    for (size_t i = 0; i < devices_.size(); ++i)
      if (devices_[i].get() == candidate) return i;
  return std::nullopt;
}

DeviceBuild Program::build_of(size_t index) const {
  std::lock_guard lock(mutex_);
  // A sub-device without its own build uses its parent's.
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

Result<void> Program::specialise(uint32_t id, ByteSpan value) {
  const auto *module = reinterpret_cast<const uint8_t *>(source_.data());
  const std::optional<size_t> bytes = bytes_of_specialisation({module, source_.size()}, id);
  if (!bytes) return fail(CL_INVALID_SPEC_ID, "the module has no specialisation constant " + std::to_string(id));
  if (*bytes != value.size())
    return fail(CL_INVALID_VALUE,
                "specialisation constant " + std::to_string(id) + " has " + std::to_string(*bytes) + " bytes");
  std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(specialisations_, id, &compiler::Specialisation::id);
  if (found == specialisations_.end())
    specialisations_.push_back({id, {value.begin(), value.end()}});
  else
    found->value.assign(value.begin(), value.end());
  return {};
}

std::vector<compiler::Specialisation> Program::specialisations() const {
  std::lock_guard lock(mutex_);
  return specialisations_;
}

Result<void> Program::begin_build(std::span<const size_t> indices, const std::string &options) {
  std::lock_guard lock(mutex_);
  for (size_t index : indices)
    if (builds_[index].status == CL_BUILD_IN_PROGRESS)
      return fail(CL_INVALID_OPERATION, "an earlier build of the program for the device has not ended");
  if (kernels_ != 0) return fail(CL_INVALID_OPERATION, "the program has " + std::to_string(kernels_) + " kernel objects");
  for (size_t index : indices) builds_[index].options = options;  // may throw std::bad_alloc
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
