// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a program binary, once unchanged and once with a valid header, so that the parts behind it are read.
#include "base/wire.h"
#include "compiler/client/binary.h"
#include "compiler/client/hash.h"

#include <cstdlib>

namespace {

using namespace upsweep;
using namespace upsweep::compiler;

/// A binary that is accepted must be equal after it is written again.
void check(ByteSpan bytes) {
  std::optional<BinaryView> view = open_binary(bytes);
  if (!view) return;
  const Bytes again = make_binary(*view);
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
  (void)runs_here(*view);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const ByteSpan bytes(data, size);
  check(bytes);
  // Magic, version and kind in the form of make_binary(), then the checksum of these bytes.
  Bytes framed = make_binary({});
  framed.resize(8 + 4 + 4);
  WireWriter checksum;
  checksum.put(hash_bytes(bytes));
  framed.insert(framed.end(), checksum.bytes().begin(), checksum.bytes().end());
  framed.insert(framed.end(), bytes.begin(), bytes.end());
  check(framed);
  return 0;
}
