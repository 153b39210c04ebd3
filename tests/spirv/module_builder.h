// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds SPIR-V modules in memory, word by word. It checks nothing, so tests also build wrong modules with it.
#ifndef UPSWEEP_TESTS_SPIRV_MODULE_BUILDER_H
#define UPSWEEP_TESTS_SPIRV_MODULE_BUILDER_H

#include <spirv/unified1/spirv.hpp11>

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::tests {

using spv::Op;
using Id = uint32_t;
using Words = std::vector<uint32_t>;

template <typename Enumerant>
constexpr uint32_t word(Enumerant value) {
  return static_cast<uint32_t>(value);
}

/// The words of a text: four bytes in each, and at least one zero byte at the end.
Words text_words(const std::string &text);
Words operator+(Words a, const Words &b);

class ModuleBuilder {
public:
  explicit ModuleBuilder(uint32_t version = 0x10400) : version_(version) {}

  [[nodiscard]] Id id() { return next_++; }

  // The preamble. Capabilities of all tests of one area are declared by the area's tests; these four always are.
  void capability(spv::Capability capability) { capabilities_.push_back(word(capability)); }
  void extension(const std::string &name) { put(extensions_, Op::OpExtension, text_words(name)); }
  Id import(const std::string &name);
  void name(Id id, const std::string &text) { put(names_, Op::OpName, Words{id} + text_words(text)); }
  void decorate(Id id, spv::Decoration decoration, const Words &operands = {});
  void export_as(Id id, const std::string &name, spv::LinkageType type = spv::LinkageType::Export);
  void entry_point(Id function, const std::string &name) { entry_points_.emplace_back(function, name); }
  void mode(Id function, spv::ExecutionMode mode, const Words &operands);
  /// The operands are ids of constants.
  void mode_by_id(Id function, spv::ExecutionMode mode, const Words &operands);
  /// An OpString.
  Id note(const std::string &text);

  // Types. Equal ones have one id, but each structure is of its own.
  Id type(Op op, const Words &operands = {});
  Id void_type() { return type(Op::OpTypeVoid); }
  Id bool_type() { return type(Op::OpTypeBool); }
  Id integer(unsigned bits) { return type(Op::OpTypeInt, {bits, 0}); }
  Id floating(unsigned bits) { return type(Op::OpTypeFloat, {bits}); }
  /// The scalar itself for one component.
  Id vector(Id scalar, unsigned lanes) { return lanes == 1 ? scalar : type(Op::OpTypeVector, {scalar, lanes}); }
  Id array(Id element, uint32_t count) { return type(Op::OpTypeArray, {element, constant(32, count)}); }
  Id structure(const Words &members);
  Id pointer(spv::StorageClass storage, Id pointee) { return type(Op::OpTypePointer, {word(storage), pointee}); }
  Id function_type(Id result, const Words &parameters) { return type(Op::OpTypeFunction, Words{result} + parameters); }

  // Constants and variables of program scope.
  Id constant(unsigned bits, uint64_t value);
  Id constant(float value);
  Id constant(double value);
  /// A constant instruction of any kind.
  Id constant_of(Op op, Id type, const Words &operands = {}) { return define(globals_, op, type, operands); }
  /// A vector of equal components, or the scalar itself.
  Id splat(Id scalar_type, unsigned lanes, Id value);
  Id global(spv::StorageClass storage, Id pointee, const Words &initial = {});
  Id built_in(spv::BuiltIn variable, Id type);

  // Functions.
  Id begin_function(Id result, const Words &parameters, std::vector<Id> &arguments, uint32_t control = 0);
  void end_function() { put(functions_, Op::OpFunctionEnd, {}); }
  void block(Id label) { put(functions_, Op::OpLabel, {label}); }
  Id block();
  Id op(Op op, Id type, const Words &operands) { return define(functions_, op, type, operands); }
  void statement(Op op, const Words &operands = {}) { put(functions_, op, operands); }
  Id load(Id type, Id pointer) { return op(Op::OpLoad, type, {pointer}); }
  void store(Id pointer, Id value) { statement(Op::OpStore, {pointer, value}); }
  /// A variable of the storage class Function, for the first block.
  Id variable(Id pointee, const Words &initial = {});
  /// Adds instruction words as they are.
  void raw(const Words &words) { functions_.insert(functions_.end(), words.begin(), words.end()); }
  void raw_global(Op op, const Words &operands) { put(globals_, op, operands); }
  void raw_decoration(Op op, const Words &operands) { put(decorations_, op, operands); }

  /// Begins a kernel with these parameters and its first block.
  std::vector<Id> begin_kernel(const std::string &name, const Words &parameters);
  void end_kernel();
  [[nodiscard]] Id kernel() const { return kernel_; }
  /// The global id in the first dimension, as an integer of 64 bits.
  Id global_id();
  /// A pointer to element `index` of a pointer of this storage class.
  Id element(Id base, Id index, Id pointee, spv::StorageClass storage = spv::StorageClass::CrossWorkgroup);

  [[nodiscard]] Words words() const;

private:
  static void put(Words &section, Op op, const Words &operands);
  Id define(Words &section, Op op, Id type, const Words &operands);

  uint32_t version_;
  Id next_ = 1;
  Id kernel_ = 0;
  Words capabilities_, extensions_, imports_, modes_, strings_, names_, decorations_, globals_, functions_, interface_;
  std::vector<std::pair<Id, std::string>> entry_points_;
  std::map<Words, Id> types_, constants_;
  std::map<Words, Id> built_ins_;
};

/// A module with the types that most kernels use.
struct KernelModule : ModuleBuilder {
  explicit KernelModule(uint32_t version = 0x10400) : ModuleBuilder(version) {
    using C = spv::Capability;
    for (const C each : {C::Int8, C::Int16, C::Int64, C::Float64, C::Vector16, C::GenericPointer}) capability(each);
  }
  Id i32 = integer(32), i64 = integer(64), boolean = bool_type();
  Id global_i32 = pointer(spv::StorageClass::CrossWorkgroup, i32);
  Id number(int64_t value) { return constant(32, static_cast<uint64_t>(value)); }
  Id binary(Op op, Id a, Id b) { return this->op(op, i32, {a, b}); }
  Id compare(Op op, Id a, Id b) { return this->op(op, boolean, {a, b}); }
  void branch(Id label) { statement(Op::OpBranch, {label}); }
  void branch(Id condition, Id yes, Id no) { statement(Op::OpBranchConditional, {condition, yes, no}); }
  /// out[index] = value, of integers of 32 bits.
  void put_at(Id out, Id index, Id value) { store(element(out, index, i32), value); }
  Id get_at(Id in, Id index) { return load(i32, element(in, index, i32)); }
};

}  // namespace upsweep::tests
#endif
