// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as an entry of the disk cache with a valid checksum: reading gives a result or none. Once the bytes follow the
// checksum, and once they follow the expected key.
#include "base/wire.h"
#include "compiler/client/cache_entry.h"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace upsweep;
using namespace upsweep::compiler;

constexpr std::string_view kKeyText = "key";
const ByteSpan kKey(reinterpret_cast<const uint8_t *>(kKeyText.data()), kKeyText.size());

/// A body that is accepted must be equal after it is written again.
void check(ByteSpan body) {
  Bytes entry = encode_entry(kKey, {});
  entry.resize(kEntryMagicBytes);
  WireWriter checksum;
  checksum.put(hash_bytes(body));
  for (ByteSpan part : {checksum.bytes(), body}) entry.insert(entry.end(), part.begin(), part.end());
  const std::optional<Result> result = decode_entry(entry, kKey);
  if (!result) return;
  if (!std::ranges::equal(encode_entry(kKey, *result), entry)) std::abort();
  (void)std::ranges::all_of(result->dependencies, is_unchanged);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const ByteSpan bytes(data, size);
  check(bytes);
  WireWriter body;
  body.put(kKey);
  Bytes with_key = body.take();
  with_key.insert(with_key.end(), bytes.begin(), bytes.end());
  check(with_key);
  return 0;
}
