// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as an entry of the disk cache, with a checksum that is right: they are a result or nothing. Once as all that
// follows the checksum, and once after the key that is asked for.
#include "base/wire.h"
#include "compiler/client/cache_entry.h"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace upsweep;
using namespace upsweep::compiler;

constexpr std::string_view kKeyText = "key";
const ByteSpan kKey(reinterpret_cast<const uint8_t *>(kKeyText.data()), kKeyText.size());

/// What is taken must come out again when it is written.
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
