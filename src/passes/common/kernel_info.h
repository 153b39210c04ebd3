// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel is to the driver: its arguments' layout in the argument block and its attributes, read from the function's type
// and from Clang's metadata.
#ifndef UPSWEEP_PASSES_KERNEL_INFO_H
#define UPSWEEP_PASSES_KERNEL_INFO_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

#include <array>
#include <string>

namespace upsweep::passes {

struct KernelArgument {
  std::string name;
  std::string type_name;
  uint32_t kind = 0;               ///< UpsweepArgumentKind
  uint32_t address_qualifier = 0;  ///< cl_kernel_arg_*_qualifier values
  uint32_t access_qualifier = 0;
  uint32_t type_qualifier = 0;
  uint32_t offset = 0;
  uint32_t size = 0;
  uint32_t align = 0;
};

struct KernelInfo {
  llvm::SmallVector<KernelArgument, 8> arguments;
  uint32_t argument_block_bytes = 0;
  std::array<uint32_t, 3> required_local_size{};
  std::array<uint32_t, 3> local_size_hint{};
  uint32_t required_sub_group_size = 0;
  bool uniform_work_group_size = false;
  bool has_argument_info = false;
  std::string attributes;  ///< as CL_KERNEL_ATTRIBUTES
};

[[nodiscard]] bool is_kernel(const llvm::Function &function);

/// `kernel` with flat memory.
[[nodiscard]] KernelInfo read_kernel_info(const llvm::Function &kernel);

}  // namespace upsweep::passes
#endif
