// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers whose device address the program has asked for (cl_ext_buffer_device_address): kernels reach them through pointers in
// memory.
#ifndef UPSWEEP_RUNTIME_CHECK_ADDRESSED_BUFFERS_H
#define UPSWEEP_RUNTIME_CHECK_ADDRESSED_BUFFERS_H

#include "base/check_abi.h"
#include <optional>

namespace upsweep {

class MemoryObject;

/// Does nothing unless kernels are checked.
void note_addressed(const MemoryObject &buffer, const char *base);
void forget_addressed(const MemoryObject &buffer);

/// The buffers that contain `pointer`, as one object with the rights of all; empty if no buffer contains it.
std::optional<UpsweepBounds> addressed_at(const void *pointer);

}  // namespace upsweep
#endif
