// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of reading one module: ids, and what the module says of them before its functions.
#ifndef UPSWEEP_COMPILER_SPIRV_READER_H
#define UPSWEEP_COMPILER_SPIRV_READER_H

#include "compiler/spirv/line_tables.h"
#include "compiler/spirv/read_module.h"
#include "compiler/spirv/source_lines.h"
#include "compiler/spirv/types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <optional>

namespace upsweep::compiler::spirv {

struct Value {
  llvm::Value *llvm = nullptr;
  const Type *type = nullptr;
};

struct Decoration {
  spv::Decoration kind;
  std::vector<uint32_t> words;
};

struct EntryPoint {
  std::string name;
  std::vector<const Instruction *> modes;
};

enum class Import : uint8_t { kNone, kOpenClStd, kIgnored };

class Reader {
public:
  Reader(llvm::LLVMContext &context, const Input &input, std::string &log);

  [[nodiscard]] std::unique_ptr<llvm::Module> read();

  [[nodiscard]] llvm::LLVMContext &context() const { return module_->getContext(); }
  [[nodiscard]] llvm::Module &module() const { return *module_; }
  [[nodiscard]] const llvm::DataLayout &layout() const { return module_->getDataLayout(); }

  /// Throw Invalid if the id is not of this kind.
  [[nodiscard]] const Type &type(uint32_t id) const;
  [[nodiscard]] const Type &pointee(const Type &pointer) const { return type(pointer.pointee); }
  [[nodiscard]] Value value(uint32_t id) const;
  /// The type of an instruction's result, which need not have been read yet.
  [[nodiscard]] const Type &result_type(uint32_t id) const;
  [[nodiscard]] uint64_t constant(uint32_t id) const;  ///< an integer
  [[nodiscard]] llvm::Function &function(uint32_t id) const;
  [[nodiscard]] Import import(uint32_t id) const { return imports_.lookup(id); }

  /// Null if there is none.
  [[nodiscard]] const Decoration *decoration(uint32_t id, spv::Decoration kind) const;
  [[nodiscard]] bool has(uint32_t id, spv::Decoration kind) const { return decoration(id, kind) != nullptr; }
  [[nodiscard]] llvm::ArrayRef<Decoration> decorations(uint32_t id) const;
  /// Empty if the module gives none.
  [[nodiscard]] llvm::StringRef name(uint32_t id) const;
  [[nodiscard]] const EntryPoint *entry_point(uint32_t id) const;
  /// The entry point of an OpFunction; null if it is none that the host can enqueue, since a parameter is a generic pointer.
  /// LLVM's translator makes such entry points of blocks.
  [[nodiscard]] const EntryPoint *kernel(const Instruction &head) const;
  /// The types that an OpString such as "kernel_arg_type.k.int*,float," notes for a kernel; empty if there is none.
  [[nodiscard]] llvm::StringRef noted_types(llvm::StringRef kernel) const {
    const auto found = noted_types_.find(kernel);
    return found != noted_types_.end() ? llvm::StringRef(found->second) : llvm::StringRef();
  }
  /// "kernel.cl:12:5"; empty if the module names no line for the instruction.
  [[nodiscard]] std::string place_of(const Instruction &i) const { return lines_.place_of(index_of(i)); }
  /// The same as debug information; empty unless the input asks for it.
  [[nodiscard]] llvm::DebugLoc location(const llvm::Function &function, const Instruction &i) {
    return tables_ ? tables_->location(function, index_of(i)) : llvm::DebugLoc();
  }
  [[nodiscard]] const Input &input() const { return input_; }
  [[nodiscard]] bool contracts() const { return contracts_; }
  /// False if all functions are DontInline: Clang marks them so at -O0, and inlining gives them the speed of OpenCL C.
  [[nodiscard]] bool heeds_dont_inline() const { return heeds_dont_inline_; }

  /// Gives an id its value, of the type that the reader has for it. Throws Invalid if it has one, or if the types differ.
  void define(uint32_t id, llvm::Value *value, const Type &type);
  void declare(Type type);
  /// The alias scopes of an OpAliasScopeListDeclINTEL; null if LLVM knows none.
  [[nodiscard]] llvm::MDNode *alias_scopes(uint32_t list) const { return scopes_.lookup(list); }
  /// The bits of a literal sampler that an id names, and its type.
  [[nodiscard]] std::optional<uint32_t> sampler(uint32_t id) const;
  [[nodiscard]] const Type &sampler_type() const { return *type_of_sampler_; }
  [[nodiscard]] const Type &built_in_type(uint32_t id) const;
  /// The built-in variable that an id names, if it names one.
  [[nodiscard]] std::optional<spv::BuiltIn> built_in(uint32_t id) const;

private:
  struct FunctionBody {
    size_t first, last;  ///< instructions from OpFunction to OpFunctionEnd
  };

  [[nodiscard]] size_t index_of(const Instruction &i) const { return static_cast<size_t>(&i - words_.instructions.data()); }
  void split_functions();
  void read_preamble(const Instruction &i);
  void read_import(const Instruction &i);
  void note(llvm::StringRef text);
  void read_alias(const Instruction &i);
  void decorate(const Instruction &i);
  void read_globals();
  void read_type(const Instruction &i);
  void read_image_type(Type &type, const Instruction &i);
  void read_constant(const Instruction &i);
  llvm::Constant *constant_of(const Type &type, const Instruction &i);
  llvm::Constant *composite_of(const Type &type, const Instruction &i);
  llvm::Constant *specialised(const Type &type, uint32_t id) const;
  llvm::Constant *specialised_operation(const Type &type, const Instruction &i);
  void read_variable(const Instruction &i);
  void declare_function(const Instruction &i, llvm::ArrayRef<Instruction> body);
  void add_line_tables();
  void check_module();

  const Input &input_;
  std::string &log_;
  std::unique_ptr<llvm::Module> module_;
  Words words_;
  SourceLines lines_;
  std::optional<LineTables> tables_;
  std::vector<FunctionBody> bodies_;
  std::deque<Type> types_;
  std::vector<const Type *> type_of_id_;
  std::vector<Value> values_;
  std::vector<uint32_t> result_types_;
  llvm::DenseMap<uint32_t, llvm::Function *> functions_;
  llvm::DenseMap<uint32_t, std::vector<Decoration>> decorations_;
  llvm::DenseMap<uint32_t, std::string> names_;
  llvm::DenseMap<uint32_t, EntryPoint> entry_points_;
  llvm::StringSet<> entry_names_;
  llvm::DenseMap<uint32_t, Import> imports_;
  llvm::DenseMap<uint32_t, llvm::MDNode *> scopes_;
  llvm::DenseMap<uint32_t, uint32_t> samplers_;
  const Type *type_of_sampler_ = nullptr;
  llvm::DenseMap<uint32_t, const Type *> built_in_types_;
  size_t copied_decorations_ = 0;
  llvm::StringMap<std::string> noted_types_;
  bool contracts_ = true;
  bool heeds_dont_inline_ = false;
  uint32_t now_ = 0;  ///< the instruction being read
};

}  // namespace upsweep::compiler::spirv
#endif
