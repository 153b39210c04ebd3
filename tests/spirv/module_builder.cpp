// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each section of the module's layout is a list of words, which words() joins.
#include "module_builder.h"

namespace upsweep::tests {

Words text_words(const std::string &text) {
  Words words(text.size() / 4 + 1);
  for (size_t i = 0; i < text.size(); ++i)
    words[i / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(text[i])) << (8 * (i % 4));
  return words;
}

Words operator+(Words a, const Words &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void ModuleBuilder::put(Words &section, Op op, const Words &operands) {
  section.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | word(op));
  section.insert(section.end(), operands.begin(), operands.end());
}

Id ModuleBuilder::define(Words &section, Op op, Id type, const Words &operands) {
  const Id result = id();
  put(section, op, Words{type, result} + operands);
  return result;
}

Id ModuleBuilder::import(const std::string &name) {
  const Id result = id();
  put(imports_, Op::OpExtInstImport, Words{result} + text_words(name));
  return result;
}

Id ModuleBuilder::note(const std::string &text) {
  const Id result = id();
  put(strings_, Op::OpString, Words{result} + text_words(text));
  return result;
}

void ModuleBuilder::decorate(Id id, spv::Decoration decoration, const Words &operands) {
  put(decorations_, Op::OpDecorate, Words{id, word(decoration)} + operands);
}

void ModuleBuilder::export_as(Id id, const std::string &name, spv::LinkageType type) {
  decorate(id, spv::Decoration::LinkageAttributes, text_words(name) + Words{word(type)});
}

void ModuleBuilder::mode(Id function, spv::ExecutionMode mode, const Words &operands) {
  put(modes_, Op::OpExecutionMode, Words{function, word(mode)} + operands);
}

void ModuleBuilder::mode_by_id(Id function, spv::ExecutionMode mode, const Words &operands) {
  put(modes_, Op::OpExecutionModeId, Words{function, word(mode)} + operands);
}

Id ModuleBuilder::type(Op op, const Words &operands) {
  const Words key = Words{word(op)} + operands;
  const auto found = types_.find(key);
  if (found != types_.end()) return found->second;
  const Id result = id();
  put(globals_, op, Words{result} + operands);
  return types_[key] = result;
}

Id ModuleBuilder::structure(const Words &members) {
  const Id result = id();
  put(globals_, Op::OpTypeStruct, Words{result} + members);
  return result;
}

Id ModuleBuilder::constant(unsigned bits, uint64_t value) {
  const Id type = integer(bits);
  Words operands{static_cast<uint32_t>(value)};
  // A constant of less than 32 bits is the low part of its word, whose other bits are 0, as the type is unsigned.
  if (bits < 32) operands[0] &= (1U << bits) - 1;
  if (bits == 64) operands.push_back(static_cast<uint32_t>(value >> 32));
  const Words key = Words{type} + operands;
  const auto found = constants_.find(key);
  return found != constants_.end() ? found->second : constants_[key] = constant_of(Op::OpConstant, type, operands);
}

Id ModuleBuilder::constant(float value) { return constant_of(Op::OpConstant, floating(32), {std::bit_cast<uint32_t>(value)}); }

Id ModuleBuilder::constant(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  return constant_of(Op::OpConstant, floating(64), {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
}

Id ModuleBuilder::splat(Id scalar_type, unsigned lanes, Id value) {
  if (lanes == 1) return value;
  return constant_of(Op::OpConstantComposite, vector(scalar_type, lanes), Words(lanes, value));
}

Id ModuleBuilder::global(spv::StorageClass storage, Id pointee, const Words &initial) {
  // Since version 1.4, entry points list the variables of every storage class.
  interface_.push_back(define(globals_, Op::OpVariable, pointer(storage, pointee), Words{word(storage)} + initial));
  return interface_.back();
}

Id ModuleBuilder::built_in(spv::BuiltIn variable, Id type) {
  Id &result = built_ins_[{word(variable), type}];
  if (result != 0) return result;
  result = global(spv::StorageClass::Input, type);
  decorate(result, spv::Decoration::BuiltIn, {word(variable)});
  return result;
}

Id ModuleBuilder::begin_function(Id result, const Words &parameters, std::vector<Id> &arguments, uint32_t control) {
  const Id function = define(functions_, Op::OpFunction, result, {control, function_type(result, parameters)});
  arguments.clear();
  for (const Id parameter : parameters) arguments.push_back(define(functions_, Op::OpFunctionParameter, parameter, {}));
  return function;
}

Id ModuleBuilder::block() {
  const Id label = id();
  block(label);
  return label;
}

Id ModuleBuilder::variable(Id pointee, const Words &initial) {
  const Id type = pointer(spv::StorageClass::Function, pointee);
  return define(functions_, Op::OpVariable, type, Words{word(spv::StorageClass::Function)} + initial);
}

std::vector<Id> ModuleBuilder::begin_kernel(const std::string &name, const Words &parameters) {
  std::vector<Id> arguments;
  kernel_ = begin_function(void_type(), parameters, arguments);
  entry_point(kernel_, name);
  block();
  return arguments;
}

void ModuleBuilder::end_kernel() {
  statement(Op::OpReturn);
  end_function();
}

Id ModuleBuilder::global_id() {
  const Id size = integer(64), sizes = vector(size, 3);
  const Id all = load(sizes, built_in(spv::BuiltIn::GlobalInvocationId, sizes));
  return op(Op::OpCompositeExtract, size, {all, 0});
}

Id ModuleBuilder::element(Id base, Id index, Id pointee, spv::StorageClass storage) {
  return op(Op::OpInBoundsPtrAccessChain, pointer(storage, pointee), {base, index});
}

Words ModuleBuilder::words() const {
  constexpr uint32_t kGenerator = 0;
  Words all{spv::MagicNumber, version_, kGenerator, next_, 0};
  for (const spv::Capability each : {spv::Capability::Addresses, spv::Capability::Linkage, spv::Capability::Kernel})
    put(all, Op::OpCapability, {word(each)});
  for (const uint32_t each : capabilities_) put(all, Op::OpCapability, {each});
  all = all + extensions_ + imports_;
  put(all, Op::OpMemoryModel, {word(spv::AddressingModel::Physical64), word(spv::MemoryModel::OpenCL)});
  for (const auto &[function, name] : entry_points_)
    put(all, Op::OpEntryPoint, Words{word(spv::ExecutionModel::Kernel), function} + text_words(name) + interface_);
  return all + modes_ + strings_ + names_ + decorations_ + globals_ + functions_;
}

}  // namespace upsweep::tests
