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

/// A kernel whose second of two blocks adds an integer to a pointer. `mark` writes instructions about lines in front of the
/// addition, and `mark_block` in the first block.
std::string log_with_lines(const std::function<void(KernelModule &m, Id file)> &mark_block,
                           const std::function<void(KernelModule &m, Id file)> &mark) {
  KernelModule m;
  const Id file = m.note("folder/kernel.cl");
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  const Id next = m.id();
  mark_block(m, file);
  m.branch(next);
  m.block(next);
  mark(m, file);
  m.op(Op::OpIAdd, m.i32, {out, m.number(1)});
  m.end_kernel();
  return read_log(m.words());
}

constexpr const char *kError = "error: invalid SPIR-V: word ";
const auto kNoMark = [](KernelModule &, Id) {};

void line(KernelModule &m, Id file, uint32_t line, uint32_t column) { m.statement(Op::OpLine, {file, line, column}); }

TEST(SourceLines, GivenOpLine_WhenALaterInstructionIsWrong_ThenTheLogBeginsWithTheLine) {
  const std::string log = log_with_lines(kNoMark, [](KernelModule &m, Id file) {
    line(m, file, 3, 1);
    m.op(Op::OpIAdd, m.i32, {m.number(1), m.number(2)});
    line(m, file, 12, 5);
  });
  EXPECT_EQ(log.find(std::string("folder/kernel.cl:12:5: ") + kError), 0U) << log;
}

TEST(SourceLines, GivenNoColumn_WhenAnInstructionIsWrong_ThenTheLogNamesTheLineAlone) {
  const std::string log = log_with_lines(kNoMark, [](KernelModule &m, Id file) { line(m, file, 12, 0); });
  EXPECT_EQ(log.find(std::string("folder/kernel.cl:12: ") + kError), 0U) << log;
}

TEST(SourceLines, GivenAnUnknownFile_WhenAnInstructionIsWrong_ThenTheLogNamesTheLine) {
  const std::string log = log_with_lines(kNoMark, [](KernelModule &m, Id) { line(m, m.i32, 12, 5); });
  EXPECT_EQ(log.find(std::string("<source>:12:5: ") + kError), 0U) << log;
}

TEST(SourceLines, GivenALongFileName_WhenAnInstructionIsWrong_ThenTheLogHasItsEnd) {
  const std::string log = log_with_lines(kNoMark, [](KernelModule &m, Id) {
    const Id file = m.note(std::string(10000, 'a') + "/kernel.cl");
    line(m, file, 12, 5);
  });
  EXPECT_EQ(log.find("...aaa"), 0U) << log;
  EXPECT_NE(log.find(std::string("a/kernel.cl:12:5: ") + kError), std::string::npos) << log;
  EXPECT_LT(log.size(), 500U);
}

TEST(SourceLines, GivenLinesThatEnd_WhenALaterInstructionIsWrong_ThenTheLogHasNone) {
  const std::string after_no_line = log_with_lines(kNoMark, [](KernelModule &m, Id file) {
    line(m, file, 12, 5);
    m.statement(Op::OpNoLine);
  });
  EXPECT_EQ(after_no_line.find(kError), 0U) << after_no_line;
  const std::string after_block = log_with_lines([](KernelModule &m, Id file) { line(m, file, 12, 5); }, kNoMark);
  EXPECT_EQ(after_block.find(kError), 0U) << after_block;
}

TEST(SourceLines, GivenLinesOfShaderDebugInfo_WhenALaterInstructionIsWrong_ThenTheLogBeginsWithTheLine) {
  constexpr uint32_t kDebugSource = 35, kDebugLine = 103, kDebugNoLine = 104;
  for (const bool ends : {false, true}) {
    const std::string log = log_with_lines(kNoMark, [&](KernelModule &m, Id file) {
      const Id set = m.import("NonSemantic.Shader.DebugInfo.100");
      const Id source = m.op(Op::OpExtInst, m.void_type(), {set, kDebugSource, file});
      m.op(Op::OpExtInst, m.void_type(), {set, kDebugLine, source, m.number(12), m.number(13), m.number(5), m.number(6)});
      if (ends) m.op(Op::OpExtInst, m.void_type(), {set, kDebugNoLine});
    });
    EXPECT_EQ(log.find((ends ? "" : "folder/kernel.cl:12:5: ") + std::string(kError)), 0U) << log;
  }
}

TEST(SourceLines, GivenTooShortDebugInstructions_WhenRead_ThenTheModuleIsRefused) {
  for (const uint32_t number : {35U, 103U}) {
    const std::string log = log_with_lines(kNoMark, [&](KernelModule &m, Id) {
      m.op(Op::OpExtInst, m.void_type(), {m.import("NonSemantic.Shader.DebugInfo.100"), number});
    });
    EXPECT_EQ(log.find("error: invalid SPIR-V: "), 0U) << log;
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
