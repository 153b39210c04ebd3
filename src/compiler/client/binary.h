// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The container of CL_PROGRAM_BINARIES and of the disk cache: a portable module, for executables the shared object made from
// it, and the data that decide whether both can be used here. Little-endian; the layout is in binary.cpp.
#ifndef UPSWEEP_COMPILER_CLIENT_BINARY_H
#define UPSWEEP_COMPILER_CLIENT_BINARY_H

#include "compiler/client/compiler.h"

#include <optional>

namespace upsweep::compiler {

/// The values of CL_PROGRAM_BINARY_TYPE are the driver's business; the order is the same.
enum class BinaryKind : uint32_t {
  kObject = 1,      ///< clCompileProgram
  kLibrary = 2,     ///< clLinkProgram with -create-library
  kExecutable = 3,  ///< has a shared object
};

/// A checked view into a container; valid as long as its bytes are.
struct BinaryView {
  BinaryKind kind = BinaryKind::kObject;
  std::string_view build_id;  ///< of the compiler that made it
  std::string_view target;    ///< the shared object's target, as target_id() names it; empty without one
  std::string_view options;   ///< that it was built with: CL_PROGRAM_BUILD_OPTIONS of its maker
  ByteSpan module;            ///< LLVM bitcode for spir64
  ByteSpan shared_object;     ///< ELF, exports the UpsweepCodeObject, or a GpuImage; empty unless executable
};

/// Checks magic, version, sizes and checksum. Nothing when the bytes are damaged, truncated or not ours.
[[nodiscard]] std::optional<BinaryView> open_binary(ByteSpan bytes) noexcept;

[[nodiscard]] Bytes make_binary(const BinaryView &parts);

/// True when the code in it was made for `target` (empty: this computer's CPU) and this driver; else lower() makes it.
[[nodiscard]] bool runs_here(const BinaryView &binary, std::string_view target = {}) noexcept;

/// Names everything that a shared object depends on: ABI, CPU features, UPSWEEP_LANES. Constant for a process.
[[nodiscard]] const std::string &target_id();

}  // namespace upsweep::compiler
#endif
