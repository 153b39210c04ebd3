// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program binaries: encoding and decoding return the same parts, and damaged binaries are refused.
#include "compiler/client/binary.h"

#include <gtest/gtest.h>

namespace upsweep::compiler {
namespace {

const Bytes kModule = {'B', 'C', 0xc0, 0xde, 1, 2, 3};
const Bytes kObject = {0x7f, 'E', 'L', 'F', 9};

Bytes sample() {
  BinaryView parts;
  parts.kind = BinaryKind::kExecutable;
  parts.build_id = "id";
  parts.target = "cpu-x";
  parts.options = "-w";
  parts.module = kModule;
  parts.shared_object = kObject;
  return make_binary(parts);
}

TEST(Binary, GivenParts_WhenMadeAndOpened_ThenTheSame) {
  Bytes bytes = sample();
  auto view = open_binary(bytes);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->kind, BinaryKind::kExecutable);
  EXPECT_EQ(view->build_id, "id");
  EXPECT_EQ(view->target, "cpu-x");
  EXPECT_EQ(view->options, "-w");
  EXPECT_EQ(Bytes(view->module.begin(), view->module.end()), kModule);
  EXPECT_EQ(Bytes(view->shared_object.begin(), view->shared_object.end()), kObject);
  EXPECT_FALSE(runs_here(*view));
}

TEST(Binary, GivenAnyBitFlipped_WhenOpened_ThenRefused) {
  const Bytes bytes = sample();
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      Bytes damaged = bytes;
      damaged[i] ^= 1u << bit;
      auto view = open_binary(damaged);
      // Only the kind is not under the checksum: a flipped bit may give another valid kind.
      bool in_kind = i >= 12 && i < 16;
      EXPECT_TRUE(!view || in_kind) << "byte " << i << " bit " << bit;
    }
}

TEST(Binary, GivenAnyLength_WhenTruncated_ThenRefused) {
  const Bytes bytes = sample();
  for (size_t length = 0; length < bytes.size(); ++length) EXPECT_FALSE(open_binary(ByteSpan(bytes).first(length))) << length;
  Bytes longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(open_binary(longer));
}

TEST(Binary, GivenForeignBytes_WhenOpened_ThenRefused) {
  EXPECT_FALSE(open_binary({}));
  EXPECT_FALSE(open_binary(kModule));
  EXPECT_FALSE(open_binary(Bytes(4096, 0xff)));
}

TEST(Binary, GivenThisProcess_WhenTargetIsAsked_ThenItIsConstantAndNamesTheAbi) {
  EXPECT_EQ(&target_id(), &target_id());
  EXPECT_NE(target_id().find("cpu-abi"), std::string::npos);
}

}  // namespace
}  // namespace upsweep::compiler
