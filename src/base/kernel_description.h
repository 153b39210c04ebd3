// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes a compiled kernel in the same way for every target; kernel_description.def lists the fields.
#ifndef UPSWEEP_BASE_KERNEL_DESCRIPTION_H
#define UPSWEEP_BASE_KERNEL_DESCRIPTION_H

#include "base/wire.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace upsweep {

enum class ArgumentKind : uint32_t {
  kValue,     ///< `size` bytes copied into the block
  kGlobal,    ///< a pointer to global memory
  kConstant,  ///< a pointer to constant memory
  kLocal,     ///< a byte offset into the work-group's local memory as uint64_t
  kImage,
  kSampler,
  kPipe,
  kQueue
};

/// The alignment of argument blocks: that of double16 and long16, OpenCL C's largest types.
inline constexpr uint32_t kLargestAlign = 128;

using GroupSize = std::array<uint32_t, 3>;

struct ArgumentDescription {
#define UPSWEEP_KERNEL_FIELD(type, name)
#define UPSWEEP_ARGUMENT_FIELD(type, name) type name{};
#include "base/kernel_description.def"
  bool operator==(const ArgumentDescription &) const = default;
};

struct KernelDescription {
#define UPSWEEP_ARGUMENT_FIELD(type, name)
#define UPSWEEP_KERNEL_FIELD(type, name) type name{};
#include "base/kernel_description.def"
  bool operator==(const KernelDescription &) const = default;
};

/// Appends the fields in the table's order.
void put(WireWriter &writer, const KernelDescription &kernel);
/// Empty if the bytes are damaged.
[[nodiscard]] std::optional<KernelDescription> get_kernel_description(WireReader &reader);

}  // namespace upsweep
#endif
