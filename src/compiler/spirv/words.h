// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A SPIR-V module as words: the header, and instructions whose operands have the layout that the grammar gives.
#ifndef UPSWEEP_COMPILER_SPIRV_WORDS_H
#define UPSWEEP_COMPILER_SPIRV_WORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <spirv/unified1/spirv.hpp11>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace upsweep::compiler::spirv {

using spv::Op;

/// A module that the reader refuses. The reader throws it, and read_module() turns it into the build's log.
class Invalid : public std::exception {
public:
  explicit Invalid(std::string text) : text_(std::move(text)) {}
  const char *what() const noexcept override { return text_.c_str(); }

private:
  std::string text_;
};

/// Throws Invalid with this text unless the condition holds.
inline void require(bool condition, const char *text) {
  if (!condition) throw Invalid(text);
}

struct Instruction {
  Op op;
  uint32_t type = 0;                  ///< the id of the result's type; 0: none
  uint32_t result = 0;                ///< the id of the result; 0: none
  llvm::ArrayRef<uint32_t> operands;  ///< the words behind the two ids
  size_t word = 0;                    ///< its place in the module, for messages

  [[nodiscard]] size_t size() const { return operands.size(); }
  /// An operand. Throws Invalid if the instruction is shorter.
  [[nodiscard]] uint32_t at(size_t index) const;
};

struct Words {
  uint32_t version = 0;  ///< as in the header: 0x00010400 is 1.4
  uint32_t bound = 0;    ///< all ids are smaller
  std::vector<Instruction> instructions;
  std::vector<uint32_t> storage;  ///< the module in this machine's order of bytes
};

inline constexpr uint32_t kMostIds = 4194303;  ///< the specification's limit of the bound

/// Splits a module. Throws Invalid if the header or the layout of an instruction is wrong.
/// Calls `check` with each capability, before the layout of later instructions is looked at.
[[nodiscard]] Words split_words(llvm::ArrayRef<uint8_t> bytes, void (*check)(spv::Capability capability));

/// The text that begins at operands[first]. `next` becomes the index of the operand behind it.
[[nodiscard]] std::string text_at(llvm::ArrayRef<uint32_t> operands, size_t first, size_t *next = nullptr);

/// True of the last instruction of a block.
[[nodiscard]] inline bool is_terminator(Op op) {
  return (op >= Op::OpBranch && op <= Op::OpUnreachable && op != Op::OpLabel) || op == Op::OpTerminateInvocation;
}

/// "OpIAdd", or "instruction 6999" if the grammar has none of this number.
[[nodiscard]] std::string name_of(Op op);
/// "Int64", or "capability 6999".
[[nodiscard]] std::string name_of(spv::Capability capability);
[[nodiscard]] std::string name_of(spv::Decoration decoration);
[[nodiscard]] std::string name_of(spv::ExecutionMode mode);
[[nodiscard]] std::string name_of(spv::BuiltIn variable);
/// The name of an instruction of OpenCL.std; empty if there is none.
[[nodiscard]] llvm::StringRef opencl_std_name(uint32_t number);

}  // namespace upsweep::compiler::spirv
#endif
