// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver asks of the compiler. Blocking, thread-safe, throws nothing; the work is done by the disk cache or by
// another process (`upsweepc --server`), so a compiler that crashes, hangs or runs out of memory is only a failed build.
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
  kBuildFailure = 1,  ///< the program is wrong, or the compiler crashed, timed out or ran out of memory: the log says which
  kInvalidOptions =
      2,  ///< CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS or CL_INVALID_LINKER_OPTIONS, by the entry point
  kInvalidBinary = 3,  ///< an input binary is damaged or foreign
  kUnavailable = 4,    ///< upsweepc cannot be found or started: CL_COMPILER_NOT_AVAILABLE
};

/// An embedded header: what `#include <name>` or `#include "name"` gives, before any file.
struct Header {
  std::string name;
  std::string text;
};

struct SourceRequest {
  std::string source;
  std::vector<Header> headers;
  std::string options;   ///< as given to clBuildProgram or clCompileProgram
  std::string target{};  ///< whose code is wanted (binary.h); empty: target_id(), this computer's CPU
};

struct Reply {
  Status status = Status::kUnavailable;
  std::string log;  ///< warnings too when it succeeded; ends without a newline
  Bytes binary;     ///< a program binary (binary.h) when it succeeded, else empty
  bool from_cache = false;
};

/// What to do with a reply that the disk cache has: return it, or remove it since it turned out to be of no use.
enum class Cached : uint8_t { kReturn, kRemove };

/// clBuildProgram with source: an executable.
[[nodiscard]] Reply build(const SourceRequest &request, Cached cached = Cached::kReturn) noexcept;

/// clCompileProgram: an object (the portable module only).
[[nodiscard]] Reply compile(const SourceRequest &request) noexcept;

/// clLinkProgram: an executable, or with -create-library a library. `inputs` are program binaries of any kind; executables are
/// taken by their portable module.
[[nodiscard]] Reply link(std::span<const ByteSpan> inputs, std::string_view options, std::string_view target = {},
                         Cached cached = Cached::kReturn) noexcept;

/// An executable for the target from the portable module in `binary`, whatever its kind.
[[nodiscard]] Reply lower(ByteSpan binary, std::string_view options, std::string_view target = {},
                          Cached cached = Cached::kReturn) noexcept;

}  // namespace upsweep::compiler
#endif
