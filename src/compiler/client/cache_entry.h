// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry of the disk cache as bytes. It contains its whole key, since another request may have the same hash, by chance or
// because a kernel's author constructed it.
#ifndef UPSWEEP_COMPILER_CLIENT_CACHE_ENTRY_H
#define UPSWEEP_COMPILER_CLIENT_CACHE_ENTRY_H

#include "compiler/client/protocol.h"

namespace upsweep::compiler {

/// Length of an entry's magic, version included.
inline constexpr size_t kEntryMagicBytes = 8;

/// True for entries of any version: entries of other versions are misses, but may be removed.
[[nodiscard]] bool has_entry_magic(ByteSpan start);

[[nodiscard]] Bytes encode_entry(ByteSpan key, const Result &result);

/// Empty if the bytes are damaged, or have another version or key. Does not check the files that the reply depends on.
[[nodiscard]] std::optional<Result> decode_entry(ByteSpan bytes, ByteSpan key);

/// Whether the file is in the same state as when the compiler used it. Never blocks.
[[nodiscard]] bool is_unchanged(const Dependency &dependency);

}  // namespace upsweep::compiler
#endif
