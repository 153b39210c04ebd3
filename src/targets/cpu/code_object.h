// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of shared objects that the compiler made for the CPU.
#ifndef UPSWEEP_TARGETS_CPU_CODE_OBJECT_H
#define UPSWEEP_TARGETS_CPU_CODE_OBJECT_H

#include "base/result.h"
#include "runtime/code_object.h"
#include <cstdint>
#include <span>

namespace upsweep::cpu {

/// Loads an ELF image. Each load is a copy of its own: two programs with the same content share no program-scope variable. The
/// error's text is for the build log.
Result<Ref<CodeObject>> load_code_object(std::span<const uint8_t> elf);

}  // namespace upsweep::cpu
#endif
