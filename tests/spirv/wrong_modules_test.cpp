// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong modules: the reader refuses them, and its log names the word, the instruction and the reason.
#include "mistakes.h"
#include "read_log.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace upsweep::tests {
namespace {

TEST(WrongModule, GivenEachMistake_WhenRead_ThenTheLogNamesItsPlaceAndReason) {
  for (const Mistake &mistake : mistakes()) {
    const Words module = module_of(mistake);
    const std::string log = read_log(module);
    const std::string trace = std::string(mistake.instruction) + ", " + mistake.reason + "\n" + log;
    EXPECT_NE(log.find("invalid SPIR-V: "), std::string::npos) << trace;
    EXPECT_NE(log.find(mistake.reason), std::string::npos) << trace;
    if (!*mistake.instruction) continue;
    const size_t place = log.find("word ");
    ASSERT_NE(place, std::string::npos) << trace;
    const size_t index = std::strtoul(log.c_str() + place + 5, nullptr, 10);
    const std::string heading = "word " + std::to_string(index) + ": " + mistake.instruction + ": ";
    EXPECT_NE(log.find(heading), std::string::npos) << trace;
    // The word is an instruction's first: walking from the header on meets it.
    size_t at = 5;
    while (at < index && (module[at] >> 16) != 0) at += module[at] >> 16;
    EXPECT_EQ(at, index) << trace;
  }
}

Words small_module() {
  KernelModule m;
  m.put_at(m.begin_kernel("k", {m.global_i32})[0], m.number(0), m.number(1));
  m.end_kernel();
  return m.words();
}

TEST(WrongModule, GivenAWrongHeader_WhenRead_ThenTheLogSaysSo) {
  Words module = small_module();
  for (const uint32_t bound : {0U, 4194304U, ~0U}) {
    module[3] = bound;
    EXPECT_NE(read_log(module).find("bound"), std::string::npos) << bound;
  }
  module = small_module();
  module[3] = 10;
  EXPECT_NE(read_log(module).find("not below the bound"), std::string::npos);
}

TEST(WrongModule, GivenAModuleCutAnywhere_WhenRead_ThenEachCutInsideAFunctionFails) {
  const Words module = small_module();
  size_t first_function = 5;
  while ((module[first_function] & 0xffff) != word(Op::OpFunction)) first_function += module[first_function] >> 16;
  for (size_t count = 0; count < module.size(); ++count) {
    const std::string log = read_log(Words(module.begin(), module.begin() + static_cast<long>(count)));
    // A cut between two instructions in front of the functions may leave a whole module, without the entry point.
    if (count < 5 || count > first_function) EXPECT_NE(log.find("invalid SPIR-V"), std::string::npos) << count << log;
  }
  EXPECT_EQ(read_log(module), "");
}

TEST(WrongModule, GivenAnInstructionOfNoLength_WhenRead_ThenTheLogNamesTheWord) {
  Words module = small_module();
  module[5] &= 0xffff;
  EXPECT_NE(read_log(module).find("word 5: an instruction of no length"), std::string::npos);
}

TEST(WrongModule, GivenOtherModels_WhenRead_ThenTheLogNamesThem) {
  const Words module = small_module();
  for (size_t at = 5; at < module.size(); at += module[at] >> 16) {
    if ((module[at] & 0xffff) != word(Op::OpMemoryModel)) continue;
    Words other = module;
    other[at + 1] = word(spv::AddressingModel::Physical32);
    EXPECT_NE(read_log(other).find("Physical64"), std::string::npos);
    other = module;
    other[at + 2] = word(spv::MemoryModel::GLSL450);
    EXPECT_NE(read_log(other).find("memory model"), std::string::npos);
  }
}

}  // namespace
}  // namespace upsweep::tests
