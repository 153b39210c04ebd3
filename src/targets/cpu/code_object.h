// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of shared objects that the compiler made for the CPU.
#ifndef UPSWEEP_TARGETS_CPU_CODE_OBJECT_H
#define UPSWEEP_TARGETS_CPU_CODE_OBJECT_H

#include "base/result.h"
#include "runtime/code_object.h"
#include <cstdint>
#include <span>

namespace upsweep {

/// Target::load_code, for an ELF image that exports an UpsweepCodeObject.
Result<Ref<CodeObject>> load_code_object(std::span<const uint8_t> elf);

}  // namespace upsweep
#endif
