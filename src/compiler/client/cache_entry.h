// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry of the disk cache as bytes. It holds its key, all of it: a hash alone may be that of another request, by chance or
// by the design of somebody who writes kernels.
#ifndef UPSWEEP_COMPILER_CLIENT_CACHE_ENTRY_H
#define UPSWEEP_COMPILER_CLIENT_CACHE_ENTRY_H

#include "compiler/client/protocol.h"

namespace upsweep::compiler {

/// The first bytes of an entry, its version included.
inline constexpr size_t kEntryMagicBytes = 8;

/// True for entries of any version: with another one they are misses, but ours to remove.
[[nodiscard]] bool has_entry_magic(ByteSpan start);

[[nodiscard]] Bytes encode_entry(ByteSpan key, const Result &result);

/// Nothing when the bytes are damaged, of another version or of another key. The files that the reply depends on are not looked
/// at.
[[nodiscard]] std::optional<Result> decode_entry(ByteSpan bytes, ByteSpan key);

/// True when the file is as it was when the compiler asked for it. Never blocks.
[[nodiscard]] bool is_unchanged(const Dependency &dependency);

}  // namespace upsweep::compiler
#endif
