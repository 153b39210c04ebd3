// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generated grammar, and the walk over an instruction's operands that it directs.
#include "compiler/spirv/words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

#include <cstring>
#include <optional>

namespace upsweep::compiler::spirv {
namespace {

struct Layout {
  uint32_t number;
  const char *name;
  const char *operands;
};
constexpr Layout kInstructions[] = {
#define INSTRUCTION(number, name, operands) {number, name, operands},
#define ENUMERANT(kind, value, name, words)
#define OPENCL_STD(number, name, operands)
#include "spirv_grammar.inc"
#undef INSTRUCTION
#undef OPENCL_STD
};

constexpr Layout kOpenClStd[] = {
#define INSTRUCTION(number, name, operands)
#define OPENCL_STD(number, name, operands) {number, #name, operands},
#include "spirv_grammar.inc"
#undef ENUMERANT
#undef OPENCL_STD
};

enum class Kind : uint8_t { kCapability, kDecoration, kExecutionMode, kImageOperands, kMemoryAccess, kLoopControl, kBuiltIn };
struct Enumerant {
  Kind kind;
  uint32_t value;
  const char *name;
  const char *words;
};
constexpr Enumerant kEnumerants[] = {
#define OPENCL_STD(number, name, operands)
#define ENUMERANT(kind, value, name, words) {Kind::k##kind, value, name, words},
#include "spirv_grammar.inc"
#undef INSTRUCTION
#undef ENUMERANT
#undef OPENCL_STD
};

const Layout *layout_of(Op op) {
  const auto number = static_cast<uint32_t>(op);
  const auto *found = llvm::lower_bound(kInstructions, number, [](const Layout &a, uint32_t b) { return a.number < b; });
  return found != std::end(kInstructions) && found->number == number ? found : nullptr;
}

const Enumerant *enumerant_of(Kind kind, uint32_t value) {
  const auto *found =
      llvm::find_if(kEnumerants, [&](const Enumerant &each) { return each.kind == kind && each.value == value; });
  return found != std::end(kEnumerants) ? found : nullptr;
}

std::string name_of(Kind kind, uint32_t value, const char *noun) {
  const Enumerant *found = enumerant_of(kind, value);
  return found ? found->name : (llvm::Twine(noun) + " " + llvm::Twine(value)).str();
}

/// Walks over the operands of one instruction, and throws Invalid where a word is missing.
class Walk {
public:
  Walk(llvm::ArrayRef<uint32_t> words, uint32_t bound) : words_(words), bound_(bound) {}

  void over(llvm::StringRef layout) {
    for (size_t i = 0; i < layout.size(); ++i) {
      const char kind = layout[i];
      const char quantifier = i + 1 < layout.size() ? layout[i + 1] : 0;
      if (quantifier == '?') {
        ++i;
        if (!at_end()) one(kind);
      } else if (quantifier == '*') {
        ++i;
        while (!at_end()) one(kind);
      } else {
        one(kind);
      }
    }
  }
  [[nodiscard]] bool at_end() const { return next_ == words_.size(); }

private:
  uint32_t take() {
    require(!at_end(), "it ends before its last operand");
    return words_[next_++];
  }
  void id() {
    const uint32_t taken = take();
    require(taken != 0 && taken < bound_, "an id is 0, or not below the bound");
  }

  void one(char kind) {
    switch (kind) {
    case 'T':
    case 'R':
    case 'i': return id();
    case 's': return text();
    // Constants and the labels of OpSwitch have the width of a type that the words do not show: the rest belongs to them.
    case 'N':
    case 'S':
    case 'o': next_ = words_.size(); return;
    case 'I': return mask(Kind::kImageOperands);
    case 'M': return mask(Kind::kMemoryAccess);
    case 'L': return mask(Kind::kLoopControl);
    case 'D': return value(Kind::kDecoration);
    case 'E': return value(Kind::kExecutionMode);
    default: take();
    }
  }

  void text() {
    for (;;)
      if (has_zero_byte(take())) return;
  }
  static bool has_zero_byte(uint32_t word) {
    return !(word & 0xff) || !(word & 0xff00) || !(word & 0xff0000) || !(word & 0xff000000);
  }

  void mask(Kind kind) {
    const uint32_t bits = take();
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
      if (!(bits & bit)) continue;
      const Enumerant *found = enumerant_of(kind, bit);
      require(found, "an operand has a bit that this compiler does not know");
      over(found->words);
    }
  }
  void value(Kind kind) {
    const Enumerant *found = enumerant_of(kind, take());
    if (found)
      over(found->words);
    else
      next_ = words_.size();  // the decoration or the mode is refused by its name, or ignored
  }

  llvm::ArrayRef<uint32_t> words_;
  uint32_t bound_;
  size_t next_ = 0;
};

void check_layout(const Layout &layout, llvm::ArrayRef<uint32_t> words, uint32_t bound) {
  Walk walk(words, bound);
  walk.over(layout.operands);
  require(walk.at_end(), "it has more operands than it takes");
}

}  // namespace

uint32_t Instruction::at(size_t index) const {
  require(index < operands.size(), "an operand is missing");
  return operands[index];
}

Words split_words(llvm::ArrayRef<uint8_t> bytes, void (*check)(spv::Capability capability)) {
  constexpr size_t kHeader = 5;
  require(bytes.size() >= kHeader * 4 && bytes.size() % 4 == 0, "the module has no whole header of five words");
  Words result;
  result.storage.resize(bytes.size() / 4);
  std::memcpy(result.storage.data(), bytes.data(), bytes.size());
  std::vector<uint32_t> &words = result.storage;
  if (words[0] == llvm::byteswap(static_cast<uint32_t>(spv::MagicNumber)))
    for (uint32_t &word : words) word = llvm::byteswap(word);
  require(words[0] == spv::MagicNumber, "the first word is not SPIR-V's magic number");
  result.version = words[1];
  require((result.version & 0xff0000ff) == 0 && result.version >= 0x10000 && result.version <= 0x10600,
          "the version is not one of 1.0 to 1.6");
  result.bound = words[3];
  require(result.bound > 0 && result.bound <= kMostIds, "the bound of ids is 0 or above 4194303");
  for (size_t next = kHeader; next < words.size();) {
    Instruction instruction{static_cast<Op>(words[next] & 0xffff), 0, 0, {}, next};
    const size_t count = words[next] >> 16;
    const std::string place = "word " + std::to_string(next) + ": ";
    if (count == 0 || count > words.size() - next)
      throw Invalid(place + "an instruction of no length, or over the module's end");
    llvm::ArrayRef<uint32_t> operands = llvm::ArrayRef(words).slice(next + 1, count - 1);
    if (instruction.op == Op::OpCapability && count > 1) check(static_cast<spv::Capability>(operands[0]));
    if (const Layout *layout = layout_of(instruction.op)) {
      try {
        check_layout(*layout, operands, result.bound);
      } catch (const Invalid &problem) {
        throw Invalid(place + layout->name + ": " + problem.what());
      }
      const llvm::StringRef kinds = layout->operands;
      for (uint32_t *id :
           {kinds.starts_with("T") ? &instruction.type : nullptr, kinds.contains('R') ? &instruction.result : nullptr}) {
        if (!id) continue;
        *id = operands.front();
        operands = operands.drop_front();
      }
    }
    instruction.operands = operands;
    result.instructions.push_back(instruction);
    next += count;
  }
  return result;
}

std::string text_at(llvm::ArrayRef<uint32_t> operands, size_t first, size_t *next) {
  std::string text;
  for (size_t i = first; i < operands.size(); ++i)
    for (unsigned byte = 0; byte < 4; ++byte) {
      const char letter = static_cast<char>(operands[i] >> (byte * 8));
      if (letter != 0) {
        text += letter;
        continue;
      }
      if (next) *next = i + 1;
      return text;
    }
  throw Invalid("a text has no end");
}

std::string name_of(Op op) {
  const Layout *found = layout_of(op);
  return found ? found->name : "instruction " + std::to_string(static_cast<uint32_t>(op));
}
std::string name_of(spv::Capability capability) {
  return name_of(Kind::kCapability, static_cast<uint32_t>(capability), "capability");
}
std::string name_of(spv::Decoration decoration) {
  return name_of(Kind::kDecoration, static_cast<uint32_t>(decoration), "decoration");
}
std::string name_of(spv::ExecutionMode mode) {
  return name_of(Kind::kExecutionMode, static_cast<uint32_t>(mode), "execution mode");
}
std::string name_of(spv::BuiltIn variable) {
  return name_of(Kind::kBuiltIn, static_cast<uint32_t>(variable), "built-in variable");
}

llvm::StringRef opencl_std_name(uint32_t number) {
  const auto *found = llvm::find_if(kOpenClStd, [&](const Layout &each) { return each.number == number; });
  return found != std::end(kOpenClStd) ? found->name : "";
}

}  // namespace upsweep::compiler::spirv
