// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowering of one function. Each section of the specification has a file with its instructions' handlers.
#ifndef UPSWEEP_COMPILER_SPIRV_CODE_H
#define UPSWEEP_COMPILER_SPIRV_CODE_H

#include "compiler/spirv/mangling.h"
#include "compiler/spirv/reader.h"

#include "llvm/Analysis/TargetFolder.h"
#include "llvm/IR/IRBuilder.h"

namespace upsweep::compiler::spirv {

class Code;
using Handler = void (*)(Code &code, const Instruction &i);
using Handlers = llvm::DenseMap<uint32_t, Handler>;

class Code {
public:
  Code(Reader &reader, llvm::Function &function);

  /// Lowers the instructions from OpFunction to OpFunctionEnd.
  void read_body(llvm::ArrayRef<Instruction> body, size_t &now);
  /// Lowers one instruction at the builder's place.
  void lower(const Instruction &i);

  Reader &reader;
  llvm::Function &function;
  llvm::IRBuilder<llvm::TargetFolder> build;
  llvm::StoreInst *last_built_in = nullptr;  ///< of the first values of built-in variables in the entry block

  [[nodiscard]] const Type &type(uint32_t id) const { return reader.type(id); }
  /// The value of an operand that is an id. A built-in variable is a private copy of its values.
  [[nodiscard]] Value value(const Instruction &i, size_t index);
  [[nodiscard]] llvm::BasicBlock &block(uint32_t label) const;
  void define(const Instruction &i, llvm::Value *value);
  void define_phi(const Instruction &i, llvm::PHINode &phi);
  /// The value that OpenCL C's function of a built-in variable returns for a dimension, which may be above 2; null unless the
  /// vector is a load of such a variable. Translators write get_global_size(3) as a fourth component.
  [[nodiscard]] llvm::Value *built_in_component(const Value &vector, llvm::Value *dimension);
  /// An alloca in the entry block.
  [[nodiscard]] llvm::AllocaInst *variable(llvm::Type *type, const llvm::Twine &name = "");

  /// Calls a function of the OpenCL C library; the name in C, the parameters in C's types.
  llvm::CallInst *call(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> values,
                       llvm::ArrayRef<CType> types);
  /// The same by its name in the object file.
  llvm::CallInst *call_symbol(llvm::StringRef symbol, llvm::Type *result, llvm::ArrayRef<llvm::Value *> values);
  /// The C type of a value; integers are signed or not.
  [[nodiscard]] CType c_type(const Type &type, bool is_signed) const;

  /// The image and the sampler of an OpSampledImage, which is no value of LLVM's.
  void set_sampled_image(const Instruction &i, const Value &image, const Value &sampler) {
    sampled_images_[i.result] = {image, sampler};
  }
  [[nodiscard]] std::pair<Value, Value> sampled_image(uint32_t id) const;

private:
  struct Phi {
    const Instruction *instruction;
    llvm::PHINode *phi;
  };
  [[nodiscard]] Value any_value(const Instruction &i, size_t index);
  llvm::Value *built_in_variable(uint32_t id, spv::BuiltIn variable);
  void fill_phis();

  llvm::DenseMap<uint32_t, llvm::BasicBlock *> blocks_;
  llvm::DenseMap<uint32_t, llvm::Value *> built_ins_;
  llvm::DenseMap<const llvm::Value *, spv::BuiltIn> copied_built_ins_;
  llvm::DenseMap<uint32_t, std::pair<Value, Value>> sampled_images_;
  std::vector<Phi> phis_;
};

/// The words of a label of OpSwitch.
[[nodiscard]] size_t switch_words(const Reader &reader, const Instruction &i);
/// A private variable in the entry block with the values of a built-in variable.
[[nodiscard]] llvm::Value *make_built_in(Code &code, uint32_t id, spv::BuiltIn variable);
/// A call of the variable's function of a dimension; null if it has none.
[[nodiscard]] llvm::Value *call_for_dimension(Code &code, spv::BuiltIn variable, const Type &scalar, llvm::Value *dimension);

// The sections of the specification.
void add_memory(Handlers &table);
void add_control_flow(Handlers &table);
void add_arithmetic(Handlers &table);
void add_dot_products(Handlers &table);
void add_relations(Handlers &table);
void add_conversions(Handlers &table);
void add_composites(Handlers &table);
void add_extended_instructions(Handlers &table);
void add_groups(Handlers &table);
void add_blocks(Handlers &table);
void add_atomics(Handlers &table);
void add_barriers(Handlers &table);
void add_clocks(Handlers &table);
void add_images(Handlers &table);
void add_pipes(Handlers &table);
void add_enqueue(Handlers &table);

}  // namespace upsweep::compiler::spirv
#endif
