// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/ModRef.h"

namespace upsweep::compiler::spirv {
namespace {

void add_parameter_attributes(const Reader &reader, llvm::Function &function, unsigned index, const Instruction &parameter) {
  llvm::LLVMContext &context = reader.context();
  const Type &type = reader.type(parameter.type);
  llvm::AttrBuilder attributes(context);
  for (const Decoration &each : reader.decorations(parameter.result)) {
    const uint32_t word = each.words.empty() ? 0 : each.words[0];
    if (each.kind == spv::Decoration::Restrict && type.is_pointer()) attributes.addAttribute(llvm::Attribute::NoAlias);
    if (each.kind == spv::Decoration::Alignment && type.is_pointer() && llvm::isPowerOf2_32(word) && word <= 1U << 20)
      attributes.addAlignmentAttr(llvm::Align(word));
    if (each.kind == spv::Decoration::MaxByteOffset && type.is_pointer()) attributes.addDereferenceableAttr(word);
    if (each.kind != spv::Decoration::FuncParamAttr) continue;
    switch (static_cast<spv::FunctionParameterAttribute>(word)) {
    case spv::FunctionParameterAttribute::Zext:
      if (type.is(Op::OpTypeInt) || type.is(Op::OpTypeBool)) attributes.addAttribute(llvm::Attribute::ZExt);
      break;
    case spv::FunctionParameterAttribute::Sext:
      if (type.is(Op::OpTypeInt)) attributes.addAttribute(llvm::Attribute::SExt);
      break;
    case spv::FunctionParameterAttribute::ByVal: {
      require(type.is_pointer() && type.storage == spv::StorageClass::Function && reader.pointee(type).bytes,
              "a parameter ByVal is no private pointer to an object");
      attributes.addByValAttr(reader.pointee(type).llvm);
      break;
    }
    case spv::FunctionParameterAttribute::Sret: break;  // a pointer like another
    case spv::FunctionParameterAttribute::NoAlias:
      if (type.is_pointer()) attributes.addAttribute(llvm::Attribute::NoAlias);
      break;
    case spv::FunctionParameterAttribute::NoCapture:
      if (type.is_pointer()) attributes.addAttribute(llvm::Attribute::NoCapture);
      break;
    case spv::FunctionParameterAttribute::NoWrite:
      if (type.is_pointer()) attributes.addAttribute(llvm::Attribute::ReadOnly);
      break;
    default: break;
    }
  }
  function.addParamAttrs(index, attributes);
}

llvm::MDNode *texts(llvm::LLVMContext &context, const std::vector<std::string> &list) {
  std::vector<llvm::Metadata *> nodes;
  for (const std::string &text : list) nodes.push_back(llvm::MDString::get(context, text));
  return llvm::MDNode::get(context, nodes);
}

llvm::MDNode *numbers(llvm::LLVMContext &context, llvm::ArrayRef<uint32_t> list) {
  std::vector<llvm::Metadata *> nodes;
  for (const uint32_t number : list)
    nodes.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), number)));
  return llvm::MDNode::get(context, nodes);
}

/// The types that LLVM's translator notes in OpString "kernel_arg_type.NAME.int*,float,"; empty if there are none for all.
std::vector<std::string> noted_types(const Reader &reader, const EntryPoint &entry, size_t count) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  reader.noted_types(entry.name).split(parts, ',');
  if (!parts.empty() && parts.back().empty()) parts.pop_back();
  if (parts.size() == count) return {parts.begin(), parts.end()};
  return {};
}

const char *access_name(const Type &type) {
  if (!type.is(Op::OpTypeImage) && !type.is(Op::OpTypePipe)) return "none";
  constexpr const char *kNames[] = {"read_only", "write_only", "read_write"};
  return kNames[static_cast<unsigned>(type.access)];
}

std::string qualifiers_of(const Reader &reader, const Type &type, uint32_t id) {
  if (type.is(Op::OpTypePipe)) return "pipe";
  std::vector<std::string> words;
  const auto is_alone = [](const Decoration &each) {
    return each.kind == spv::Decoration::Restrict ||
           (each.kind == spv::Decoration::FuncParamAttr && !each.words.empty() &&
            each.words[0] == static_cast<uint32_t>(spv::FunctionParameterAttribute::NoAlias));
  };
  // NoWrite does not mean "const": optimisers find it out of themselves.
  if (type.is_pointer() && type.storage == spv::StorageClass::UniformConstant) words.emplace_back("const");
  if (type.is_pointer() && llvm::any_of(reader.decorations(id), is_alone)) words.emplace_back("restrict");
  if (reader.has(id, spv::Decoration::Volatile)) words.emplace_back("volatile");
  return llvm::join(words, " ");
}

void add_modes(const Reader &reader, llvm::Function &kernel, const EntryPoint &entry) {
  llvm::LLVMContext &context = reader.context();
  for (const Instruction *mode : entry.modes) {
    const auto operand = [&](size_t index) {
      const uint32_t word = mode->at(index);
      return mode->op == Op::OpExecutionModeId ? static_cast<uint32_t>(reader.constant(word)) : word;
    };
    switch (static_cast<spv::ExecutionMode>(mode->at(1))) {
    case spv::ExecutionMode::LocalSize:
    case spv::ExecutionMode::LocalSizeId:
      require(operand(2) && operand(3) && operand(4), "a required size is 0");
      kernel.setMetadata("reqd_work_group_size", numbers(context, {operand(2), operand(3), operand(4)}));
      break;
    case spv::ExecutionMode::LocalSizeHint:
    case spv::ExecutionMode::LocalSizeHintId:
      kernel.setMetadata("work_group_size_hint", numbers(context, {operand(2), operand(3), operand(4)}));
      break;
    case spv::ExecutionMode::SubgroupSize:
      kernel.setMetadata("intel_reqd_sub_group_size", numbers(context, {operand(2)}));
      break;
    case spv::ExecutionMode::SubgroupsPerWorkgroup:
    case spv::ExecutionMode::SubgroupsPerWorkgroupId:
      require(operand(2), "a required number of sub-groups is 0");
      kernel.setMetadata("upsweep_reqd_num_sub_groups", numbers(context, {operand(2)}));
      break;
    case spv::ExecutionMode::VecTypeHint:
    case spv::ExecutionMode::ContractionOff:
    case spv::ExecutionMode::DenormPreserve:
    case spv::ExecutionMode::SignedZeroInfNanPreserve:
    case spv::ExecutionMode::RoundingModeRTE: break;  // as all code is
    default: throw Invalid("the execution mode " + name_of(static_cast<spv::ExecutionMode>(mode->at(1))) + " is not supported");
    }
  }
}

}  // namespace

void set_function_attributes(const Reader &reader, llvm::Function &function, const Instruction &head,
                             llvm::ArrayRef<Instruction> body) {
  const bool is_kernel = reader.kernel(head);
  function.setCallingConv(is_kernel ? llvm::CallingConv::SPIR_KERNEL : llvm::CallingConv::SPIR_FUNC);
  if (function.getName().starts_with("llvm.")) return;  // an intrinsic has its own
  function.setDSOLocal(true);
  function.addFnAttr(llvm::Attribute::Convergent);
  function.addFnAttr(llvm::Attribute::NoUnwind);
  const auto control = static_cast<spv::FunctionControlMask>(head.at(0));
  const auto is_set = [&](spv::FunctionControlMask bit) { return (control & bit) != spv::FunctionControlMask::MaskNone; };
  if (is_set(spv::FunctionControlMask::Inline)) function.addFnAttr(llvm::Attribute::InlineHint);
  if (is_set(spv::FunctionControlMask::DontInline) && !is_kernel && reader.heeds_dont_inline())
    function.addFnAttr(llvm::Attribute::NoInline);
  unsigned index = 0;
  for (const Instruction &i : body) {
    if (i.op != Op::OpFunctionParameter) continue;
    require(index < function.arg_size(), "a function has more parameters than its type");
    add_parameter_attributes(reader, function, index++, i);
  }
}

void describe_kernel(const Reader &reader, llvm::Function &kernel, const EntryPoint &entry, llvm::ArrayRef<Instruction> body) {
  std::vector<uint32_t> spaces;
  std::vector<std::string> access, types, qualifiers, names;
  for (const Instruction &i : body) {
    if (i.op != Op::OpFunctionParameter) continue;
    const Type &type = reader.type(i.type);
    const bool is_by_value = kernel.hasParamAttribute(static_cast<unsigned>(spaces.size()), llvm::Attribute::ByVal);
    const bool is_memory = type.is(Op::OpTypeImage) || type.is(Op::OpTypePipe);
    spaces.push_back(is_memory ? 1 : type.is_pointer() && !is_by_value ? address_space(type.storage) : 0);
    access.emplace_back(access_name(type));
    types.push_back(is_by_value ? source_name(reader.pointee(type), nullptr)
                                : source_name(type, type.is_pointer() ? &reader.pointee(type) : nullptr));
    qualifiers.push_back(is_by_value ? "" : qualifiers_of(reader, type, i.result));
    names.push_back(reader.name(i.result).str());
  }
  if (std::vector<std::string> noted = noted_types(reader, entry, types.size()); !noted.empty()) types = std::move(noted);
  llvm::LLVMContext &context = reader.context();
  kernel.setMetadata("kernel_arg_addr_space", numbers(context, spaces));
  kernel.setMetadata("kernel_arg_access_qual", texts(context, access));
  kernel.setMetadata("kernel_arg_type", texts(context, types));
  kernel.setMetadata("kernel_arg_base_type", texts(context, types));
  kernel.setMetadata("kernel_arg_type_qual", texts(context, qualifiers));
  kernel.setMetadata("kernel_arg_name", texts(context, names));
  if (llvm::none_of(names, [](const std::string &name) { return name.empty(); })) kernel.addFnAttr("upsweep-argument-info");
  kernel.addFnAttr("uniform-work-group-size", "false");
  add_modes(reader, kernel, entry);
}

void finish_module(const Reader &reader) {
  llvm::LLVMContext &context = reader.context();
  llvm::Module &module = reader.module();
  module.addModuleFlag(llvm::Module::Error, "wchar_size", 4);
  module.getOrInsertNamedMetadata("opencl.ocl.version")->addOperand(numbers(context, {3, 0}));
  module.getOrInsertNamedMetadata("opencl.spir.version")->addOperand(numbers(context, {3, 0}));
}

}  // namespace upsweep::compiler::spirv
