// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels written as the compiler would make them for the CPU, which the device in software runs too.
#include "separate_fixture.h"
#include <array>
#include <cstring>

namespace upsweep::tests {
namespace {

/// What the compiler gives a block at an argument's offset.
template <typename T>
T argument(const UpsweepGroup &group, size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char *>(group.arguments) + offset, sizeof value);
  return value;
}

size_t first_item(const UpsweepGroup &group) {
  return group.global_offset[0] + group.group_id[0] * group.enqueued_local_size[0];
}

void add(UpsweepGroup *group) {
  unsigned *data = argument<unsigned *>(*group, 0) + first_item(*group);  // wraps around
  const auto value = argument<unsigned>(*group, 8);
  for (size_t i = 0; i < group->local_size[0]; ++i) data[i] += value;
}

void copy(UpsweepGroup *group) {
  const int *from = argument<const int *>(*group, 0) + first_item(*group);
  int *to = argument<int *>(*group, 8) + first_item(*group);
  for (size_t i = 0; i < group->local_size[0]; ++i) to[i] = from[i];
}

constexpr UpsweepArgument pointer(const char *name, uint32_t offset, uint32_t qualifier) {
  return {name, "int*", UPSWEEP_ARGUMENT_GLOBAL, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE, qualifier, offset, 8,
          4,    0};
}

constexpr std::array<UpsweepArgument, 2> kAddArguments = {pointer("data", 0, CL_KERNEL_ARG_TYPE_NONE),
                                                          {"value", "int", UPSWEEP_ARGUMENT_VALUE,
                                                           CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE,
                                                           CL_KERNEL_ARG_TYPE_NONE, 8, 4, 4, 0}};
constexpr std::array<UpsweepArgument, 2> kCopyArguments = {pointer("from", 0, CL_KERNEL_ARG_TYPE_CONST),
                                                           pointer("to", 8, CL_KERNEL_ARG_TYPE_NONE)};

UpsweepKernel describe(const char *name, UpsweepEntry entry, std::span<const UpsweepArgument> arguments) {
  UpsweepKernel kernel{};
  kernel.name = name;
  kernel.attributes = "";
  kernel.entry = entry;
  kernel.arguments = arguments.data();
  kernel.num_arguments = static_cast<uint32_t>(arguments.size());
  kernel.argument_block_bytes = 16;
  kernel.frame_unit = 1;
  kernel.sub_group_size = 8;
  return kernel;
}

class Functions final : public CodeObject {
public:
  std::span<const UpsweepKernel> kernels() const override { return kernels_; }
  uint64_t program_scope_bytes() const override { return 0; }

private:
  std::array<UpsweepKernel, 2> kernels_{describe("add", add, kAddArguments), describe("copy", copy, kCopyArguments)};
};

}  // namespace

Ref<CodeObject> make_code() { return make_ref<Functions>(); }

}  // namespace upsweep::tests
