// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The container of CL_PROGRAM_BINARIES and of the disk cache: a portable module, the shared object made from it (executables
// only), and the data that decide whether both can be used here. Little-endian; binary.cpp describes the layout.
#ifndef UPSWEEP_COMPILER_CLIENT_BINARY_H
#define UPSWEEP_COMPILER_CLIENT_BINARY_H

#include "compiler/client/compiler.h"

#include <optional>

namespace upsweep::compiler {

/// In the order of CL_PROGRAM_BINARY_TYPE's values, which the driver maps.
enum class BinaryKind : uint32_t {
  kObject = 1,      ///< clCompileProgram
  kLibrary = 2,     ///< clLinkProgram with -create-library
  kExecutable = 3,  ///< has a shared object
};

/// A validated view of a container's bytes, which must outlive it.
struct BinaryView {
  BinaryKind kind = BinaryKind::kObject;
  std::string_view build_id;  ///< of the compiler that made the binary
  std::string_view target;    ///< the shared object's target in target_id()'s form; empty without a shared object
  std::string_view options;   ///< CL_PROGRAM_BUILD_OPTIONS of the build that made it
  ByteSpan module;            ///< LLVM bitcode for spir64
  ByteSpan shared_object;     ///< ELF that exports an UpsweepCodeObject, or a GpuImage; empty unless executable
};

/// Checks magic, version, sizes and checksum. Empty if the bytes are damaged, truncated or foreign.
[[nodiscard]] std::optional<BinaryView> open_binary(ByteSpan bytes) noexcept;

[[nodiscard]] Bytes make_binary(const BinaryView &parts);

/// Whether its code was made for `target` (empty: this computer's CPU) and this driver; otherwise lower() must make new code.
[[nodiscard]] bool runs_here(const BinaryView &binary, std::string_view target = {}) noexcept;

/// Identifies all dependencies of a shared object: ABI, CPU features, UPSWEEP_LANES. Constant for a process.
[[nodiscard]] const std::string &target_id();

}  // namespace upsweep::compiler
#endif
