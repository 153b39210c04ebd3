// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of compiled kernels runs none of their code, whatever their origin. The expected time of a
// kernel's launches.
#include "compiler/client/binary.h"
#include "targets/cpu/code_object.h"

#include <gtest/gtest.h>

#include <elf.h>

#include <cstdlib>
#include <cstring>

namespace upsweep::tests {
namespace {

/// Changes the tag of the entry DT_FLAGS_1 in a shared object's dynamic section.
void retag_flags(Bytes &elf, int64_t tag) {
  for (size_t at = 0; at + sizeof(Elf64_Dyn) <= elf.size(); at += 8) {
    Elf64_Dyn entry;
    std::memcpy(&entry, elf.data() + at, sizeof entry);
    if (entry.d_tag != DT_FLAGS_1 || entry.d_un.d_val != DF_1_NOW) continue;
    entry.d_tag = tag;
    std::memcpy(elf.data() + at, &entry, sizeof entry);
    return;
  }
  FAIL() << "there is no DT_FLAGS_1";
}

TEST(CodeObject, GivenAShapeThatRunsCodeWhenLoaded_WhenLoaded_ThenItIsRefusedAndTheMessageSaysWhy) {
  setenv("UPSWEEP_COMPILER", UPSWEEPC, 0);
  const compiler::Reply reply = compiler::build({"kernel void f(global int *a) { a[0] = 1; }", {}, ""});
  ASSERT_EQ(reply.status, compiler::Status::kSuccess) << reply.log;
  const ByteSpan object = compiler::open_binary(reply.binary)->shared_object;
  EXPECT_TRUE(load_code_object(object).has_value());
  for (const int64_t tag : {DT_INIT, DT_FINI, DT_INIT_ARRAY, DT_RUNPATH}) {
    Bytes changed(object.begin(), object.end());
    retag_flags(changed, tag);
    const auto loaded = load_code_object(changed);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, CL_INVALID_BINARY);
    EXPECT_NE(loaded.error().text.find("not safe to load: it "), std::string::npos) << loaded.error().text;
  }
}

TEST(KernelPace, GivenALaunchThatWasInterrupted_WhenNoted_ThenTheEstimateGrowsByAFactorOfFourAtMost) {
  constexpr uint64_t kItems = 1000;
  KernelPace pace;
  for (int i = 0; i < 100; ++i) pace.note(10 * kItems, kItems);
  EXPECT_FLOAT_EQ(static_cast<float>(pace.cycles()), 10);
  pace.note(10'000'000 * kItems, kItems);
  EXPECT_FLOAT_EQ(static_cast<float>(pace.cycles()), 40);
  for (int i = 0; i < 11; ++i) pace.note(10 * kItems, kItems);
  EXPECT_LT(pace.cycles(), 12);
}

TEST(KernelPace, GivenLaunchesThatBecomeSlower_WhenNoted_ThenAFewSuffice) {
  constexpr uint64_t kItems = 1000;
  KernelPace pace;
  pace.note(10 * kItems, kItems);
  for (int i = 0; i < 5; ++i) pace.note(10'000 * kItems, kItems);
  EXPECT_FLOAT_EQ(static_cast<float>(pace.cycles()), 10'000);
  // A first launch of any length is the whole estimate.
  KernelPace other;
  other.note(3'000'000 * kItems, kItems);
  EXPECT_FLOAT_EQ(static_cast<float>(other.cycles()), 3'000'000);
}

}  // namespace
}  // namespace upsweep::tests
