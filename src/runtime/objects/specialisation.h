// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The specialisation constants of a SPIR-V module, as far as clSetProgramSpecializationConstant checks them. The compiler reads
// the module.
#ifndef UPSWEEP_RUNTIME_OBJECTS_SPECIALISATION_H
#define UPSWEEP_RUNTIME_OBJECTS_SPECIALISATION_H

#include "base/wire.h"

#include <cstddef>
#include <optional>

namespace upsweep {

/// True if the bytes have whole words and a header of SPIR-V 1.0 to 1.6, in either order of bytes.
bool is_spirv_header(ByteSpan module);

/// The bytes of a specialisation constant's value; empty if the module has none of this number.
std::optional<size_t> bytes_of_specialisation(ByteSpan module, uint32_t id);

}  // namespace upsweep
#endif
