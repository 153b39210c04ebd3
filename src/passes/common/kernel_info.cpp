// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a kernel's type and metadata. Numbers that the driver returns unchanged are CL/cl.h's.
#include "passes/common/kernel_info.h"

#include "base/enqueue_abi.h"
#include "passes/common/block_kernels.h"
#include "passes/common/flat_memory.h"
#include "passes/common/link_builtins.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

enum AddressQualifier : uint32_t { kAddressGlobal = 0x119B, kAddressLocal, kAddressConstant, kAddressPrivate };
enum AccessQualifier : uint32_t { kAccessReadOnly = 0x11A0, kAccessWriteOnly, kAccessReadWrite, kAccessNone };
enum TypeQualifier : uint32_t { kTypeConst = 1, kTypeRestrict = 2, kTypeVolatile = 4, kTypePipe = 8 };

// Local arguments may hold any type, whatever the kernel declares, so they get at least the alignment of most types.
constexpr uint32_t kLeastLocalAlign = 16;
// Offsets are naturally aligned, up to the block's own alignment.
constexpr uint64_t kBlockAlign = kLargestAlign;

constexpr StringLiteral kKernelPrefix = "kernel.";

uint32_t address_qualifier(unsigned space) {
  switch (space) {
  case kGlobalSpace: return kAddressGlobal;
  case kConstantSpace: return kAddressConstant;
  case kLocalSpace: return kAddressLocal;
  default: return kAddressPrivate;
  }
}

uint32_t access_qualifier(StringRef text) {
  if (text == "read_only") return kAccessReadOnly;
  if (text == "write_only") return kAccessWriteOnly;
  if (text == "read_write") return kAccessReadWrite;
  return kAccessNone;
}

uint32_t type_qualifier(StringRef text) {
  SmallVector<StringRef, 4> words;
  text.split(words, ' ');
  uint32_t bits = 0;
  for (StringRef word : words)
    bits |= word == "const"      ? kTypeConst
            : word == "restrict" ? kTypeRestrict
            : word == "volatile" ? kTypeVolatile
            : word == "pipe"     ? kTypePipe
                                 : 0u;
  return bits;
}

StringRef text_at(const MDNode *node, unsigned index) {
  if (!node || index >= node->getNumOperands()) return "";
  auto *text = dyn_cast_or_null<MDString>(node->getOperand(index));
  return text ? text->getString() : "";
}

uint64_t number_at(const MDNode *node, unsigned index) {
  if (!node || index >= node->getNumOperands()) return 0;
  auto *value = mdconst::dyn_extract_or_null<ConstantInt>(node->getOperand(index));
  return value ? value->getZExtValue() : 0;
}

ArgumentKind argument_kind(StringRef base_type, uint32_t qualifiers, unsigned space) {
  if (qualifiers & kTypePipe) return ArgumentKind::kPipe;
  if (base_type == "sampler_t") return ArgumentKind::kSampler;
  if (base_type == "queue_t") return ArgumentKind::kQueue;
  if (base_type.starts_with("image") && base_type.ends_with("_t")) return ArgumentKind::kImage;
  if (!base_type.ends_with("*")) return ArgumentKind::kValue;
  if (space == kLocalSpace) return ArgumentKind::kLocal;
  return space == kConstantSpace ? ArgumentKind::kConstant : ArgumentKind::kGlobal;
}

// "uint4" from <4 x i32> and its signedness, as in vec_type_hint(uint4).
std::string type_name(const Type *type, bool is_signed) {
  std::string count;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    count = utostr(vector->getNumElements());
    type = vector->getElementType();
  }
  if (type->isHalfTy()) return "half" + count;
  if (type->isFloatTy()) return "float" + count;
  if (type->isDoubleTy()) return "double" + count;
  static constexpr const char *kNames[] = {"char", "short", "int", "long"};
  unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
  return (is_signed ? "" : "u") + std::string(kNames[bits <= 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3]) + count;
}

void add_sizes(const Function &kernel, const char *name, GroupSize &sizes, SmallVectorImpl<std::string> &texts) {
  const MDNode *node = kernel.getMetadata(name);
  if (!node) return;
  for (unsigned i = 0; i < 3; ++i) sizes[i] = static_cast<uint32_t>(number_at(node, i));
  texts.push_back(std::string(name) + "(" + utostr(sizes[0]) + "," + utostr(sizes[1]) + "," + utostr(sizes[2]) + ")");
}

void read_attributes(const Function &kernel, KernelDescription &info) {
  SmallVector<std::string, 4> texts;
  add_sizes(kernel, "reqd_work_group_size", info.required_local_size, texts);
  add_sizes(kernel, "work_group_size_hint", info.local_size_hint, texts);
  if (const MDNode *hint = kernel.getMetadata("vec_type_hint"))
    if (auto *value = dyn_cast_or_null<ValueAsMetadata>(hint->getOperand(0)))
      texts.push_back("vec_type_hint(" + type_name(value->getType(), number_at(hint, 1) != 0) + ")");
  if (const MDNode *size = kernel.getMetadata("intel_reqd_sub_group_size")) {
    info.required_sub_group_size = static_cast<uint32_t>(number_at(size, 0));
    texts.push_back("intel_reqd_sub_group_size(" + utostr(info.required_sub_group_size) + ")");
  }
  info.required_sub_groups = static_cast<uint32_t>(number_at(kernel.getMetadata("upsweep_reqd_num_sub_groups"), 0));
  info.attributes = join(texts, " ");
  info.uniform_work_group_size = kernel.getFnAttribute("uniform-work-group-size").getValueAsBool();
}

ArgumentDescription read_argument(const Function &kernel, unsigned index) {
  ArgumentDescription result;
  unsigned space = static_cast<unsigned>(number_at(kernel.getMetadata("kernel_arg_addr_space"), index));
  result.name = text_at(kernel.getMetadata("kernel_arg_name"), index).str();
  result.type_name = text_at(kernel.getMetadata("kernel_arg_type"), index).str();
  result.type_qualifier = type_qualifier(text_at(kernel.getMetadata("kernel_arg_type_qual"), index));
  result.access_qualifier = access_qualifier(text_at(kernel.getMetadata("kernel_arg_access_qual"), index));
  const StringRef base_type = text_at(kernel.getMetadata("kernel_arg_base_type"), index);
  result.kind = argument_kind(base_type, result.type_qualifier, space);
  if (result.kind == ArgumentKind::kImage) result.image_type = base_type.str();
  result.address_qualifier = address_qualifier(space);

  const DataLayout &layout = kernel.getDataLayout();
  Type *type =
      kernel.hasParamAttribute(index, Attribute::ByVal) ? kernel.getParamByValType(index) : kernel.getArg(index)->getType();
  result.size = static_cast<uint32_t>(layout.getTypeAllocSize(type));
  result.align = static_cast<uint32_t>(layout.getABITypeAlign(type).value());
  return result;
}

/// A block's kernel has no metadata for its parameters: the literal's address, then local pointers.
KernelDescription describe_block(const Function &kernel) {
  KernelDescription info;
  info.is_block = true;
  info.uniform_work_group_size = kernel.getFnAttribute("uniform-work-group-size").getValueAsBool();
  for (unsigned i = 1; i < kernel.arg_size(); ++i) {
    ArgumentDescription argument;
    argument.kind = ArgumentKind::kLocal;
    argument.address_qualifier = kAddressLocal;
    argument.offset = 8 * (i - 1);
    argument.size = 8;
    argument.align = UPSWEEP_BLOCK_ALIGNMENT;
    info.arguments.push_back(std::move(argument));
  }
  info.argument_block_bytes = static_cast<uint32_t>(alignTo(8 * info.arguments.size(), UPSWEEP_BLOCK_ALIGNMENT));
  return info;
}

}  // namespace

std::string kernel_symbol(StringRef name) {
  // The library's functions have mangled names, or names that C reserves.
  const bool may_be_library = name.starts_with("_Z") || name.starts_with("__") || name == "printf";
  return ((may_be_library || name.starts_with(kKernelPrefix) ? kKernelPrefix : "") + name).str();
}

StringRef kernel_name(StringRef symbol) {
  symbol.consume_front(kKernelPrefix);
  return symbol;
}

bool is_kernel(const Function &function) { return function.hasFnAttribute(kKernelAttribute); }

uint64_t program_scope_bytes(const Module &module) {
  uint64_t bytes = 0;
  for (const GlobalVariable &variable : module.globals())
    if (variable.hasMetadata(kGlobalMetadata)) bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  return bytes;
}

KernelDescription describe_kernel(const Function &kernel) {
  KernelDescription info;
  if (kernel.hasFnAttribute(kBlockAttribute)) info = describe_block(kernel);
  info.name = info.is_block ? kernel.getName().str() : kernel_name(kernel.getName()).str();
  if (info.is_block) return info;
  info.has_argument_info = kernel.hasFnAttribute("upsweep-argument-info");  // compiler/language/frontend.h
  uint64_t offset = 0;
  for (unsigned i = 0; i < kernel.arg_size(); ++i) {
    ArgumentDescription argument = read_argument(kernel, i);
    offset = alignTo(offset, std::min<uint64_t>(argument.align, kBlockAlign));
    argument.offset = static_cast<uint32_t>(offset);
    offset += argument.size;
    if (argument.kind == ArgumentKind::kLocal)
      argument.align = std::max<uint32_t>(kLeastLocalAlign, kernel.getParamAlign(i).valueOrOne().value());
    info.arguments.push_back(std::move(argument));
  }
  info.argument_block_bytes = static_cast<uint32_t>(alignTo(offset, 8));
  read_attributes(kernel, info);
  return info;
}

}  // namespace upsweep::passes
