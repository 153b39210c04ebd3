// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in the form of compiled CPU code, which the software device runs too.
#include "separate_fixture.h"
#include "targets/cpu/code_object.h"
#include <array>
#include <cstring>

namespace upsweep::tests {
namespace {

/// The argument at an offset of the block that the compiler passes.
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

ArgumentDescription pointer(const char *name, uint32_t offset, uint32_t qualifier) {
  return {.name = name,
          .type_name = "int*",
          .kind = ArgumentKind::kGlobal,
          .address_qualifier = CL_KERNEL_ARG_ADDRESS_GLOBAL,
          .access_qualifier = CL_KERNEL_ARG_ACCESS_NONE,
          .type_qualifier = qualifier,
          .offset = offset,
          .size = 8,
          .align = 4};
}

ArgumentDescription number(const char *name, uint32_t offset) {
  return {.name = name,
          .type_name = "int",
          .kind = ArgumentKind::kValue,
          .address_qualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE,
          .access_qualifier = CL_KERNEL_ARG_ACCESS_NONE,
          .offset = offset,
          .size = 4,
          .align = 4};
}

KernelDescription describe(const char *name, std::vector<ArgumentDescription> arguments) {
  return {.name = name, .arguments = std::move(arguments), .argument_block_bytes = 16, .sub_group_size = 8};
}

constexpr UpsweepKernelCode kCode[] = {{.entry = add,
                                        .large_entry = add,
                                        .large_bytes = UINT64_MAX,
                                        .frame_bytes = 0,
                                        .frame_unit = 1,
                                        .joins = UPSWEEP_JOIN_NEVER,
                                        .polls = 0,
                                        .reserved = 0},
                                       {.entry = copy,
                                        .large_entry = copy,
                                        .large_bytes = UINT64_MAX,
                                        .frame_bytes = 0,
                                        .frame_unit = 1,
                                        .joins = UPSWEEP_JOIN_NEVER,
                                        .polls = 0,
                                        .reserved = 0}};

constexpr UpsweepCodeObject kTable = [] {
  UpsweepCodeObject table{};
  table.abi = UPSWEEP_CPU_ABI;
  table.num_kernels = 2;
  table.kernels = kCode;
  return table;
}();

}  // namespace

Ref<CodeObject> make_code() {
  return make_ref<CpuCode>(
      std::vector{describe("add", {pointer("data", 0, CL_KERNEL_ARG_TYPE_NONE), number("value", 8)}),
                  describe("copy", {pointer("from", 0, CL_KERNEL_ARG_TYPE_CONST), pointer("to", 8, CL_KERNEL_ARG_TYPE_NONE)})},
      kTable, nullptr);
}

}  // namespace upsweep::tests
