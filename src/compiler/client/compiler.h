// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's interface to the compiler. Blocking, thread-safe, and never throws. The disk cache or another process (`upsweepc
// --server`) does the work, so a compiler that crashes, hangs or runs out of memory only fails the build.
#ifndef UPSWEEP_COMPILER_CLIENT_COMPILER_H
#define UPSWEEP_COMPILER_CLIENT_COMPILER_H

#include "base/wire.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::compiler {

enum class Status : uint32_t {
  kSuccess = 0,
  kBuildFailure = 1,  ///< the program is wrong, or the compiler crashed, timed out or ran out of memory; the log says which
  kInvalidOptions =
      2,  ///< CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS or CL_INVALID_LINKER_OPTIONS, depending on the entry point
  kInvalidBinary = 3,  ///< an input binary is damaged or foreign
  kUnavailable = 4,    ///< upsweepc cannot be found or started: CL_COMPILER_NOT_AVAILABLE
};

/// An embedded header: the text for `#include <name>` and `#include "name"`, preferred over files.
struct Header {
  std::string name;
  std::string text;
};

/// The value that the application sets for a specialisation constant of SPIR-V.
struct Specialisation {
  uint32_t id;
  Bytes value;
};

struct SourceRequest {
  std::string source;  ///< text, or the bytes of a SPIR-V module
  std::vector<Header> headers;
  std::string options;   ///< as passed to clBuildProgram or clCompileProgram
  std::string target{};  ///< the target (binary.h); empty: target_id(), this computer's CPU
  bool is_spirv = false;
  std::vector<Specialisation> specialisations{};  ///< of a SPIR-V module
};

struct Reply {
  Status status = Status::kUnavailable;
  std::string log;  ///< also has warnings of successful builds; ends without a newline
  Bytes binary;     ///< a program binary (binary.h) on success, else empty
  bool from_cache = false;
};

/// Whether to return a cached reply, or to remove it because it turned out to be useless.
enum class Cached : uint8_t { kReturn, kRemove };

/// clBuildProgram with source: an executable.
[[nodiscard]] Reply build(const SourceRequest &request, Cached cached = Cached::kReturn) noexcept;

/// clCompileProgram: an object (only the portable module).
[[nodiscard]] Reply compile(const SourceRequest &request) noexcept;

/// clLinkProgram: an executable, or a library with -create-library. `inputs` are program binaries of any kind; of executables
/// only the portable module is used.
[[nodiscard]] Reply link(std::span<const ByteSpan> inputs, std::string_view options, std::string_view target = {},
                         Cached cached = Cached::kReturn) noexcept;

/// An executable for the target, from the portable module in `binary` of any kind.
[[nodiscard]] Reply lower(ByteSpan binary, std::string_view options, std::string_view target = {},
                          Cached cached = Cached::kReturn) noexcept;

}  // namespace upsweep::compiler
#endif
