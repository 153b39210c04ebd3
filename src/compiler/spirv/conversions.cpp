// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion instructions. A conversion with a rounding mode or saturation is OpenCL C's convert_TYPE_sat_MODE().
#include "compiler/spirv/code.h"

#include "passes/common/flat_memory.h"

namespace upsweep::compiler::spirv {
namespace {

enum class Kind : uint8_t { kSigned, kUnsigned, kFloat };

bool is_kind(const Type &type, Kind kind) { return kind == Kind::kFloat ? type.is_float() : type.is_integer(); }

/// The end of OpenCL C's name of the conversion; empty for the default.
std::string mode_of(const Reader &reader, uint32_t id, bool saturates) {
  std::string mode = saturates || reader.has(id, spv::Decoration::SaturatedConversion) ? "_sat" : "";
  if (const Decoration *rounding = reader.decoration(id, spv::Decoration::FPRoundingMode)) {
    constexpr const char *kModes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    require(!rounding->words.empty() && rounding->words[0] < 4, "the rounding mode is unknown");
    mode += kModes[rounding->words[0]];
  }
  return mode;
}

std::string number_name(const Type &type, Kind kind) {
  std::string name = source_name(type, nullptr);
  return kind == Kind::kSigned ? name.substr(1) : name;  // "uint4" without its "u"
}

llvm::Value *plain(Code &code, const Value &from, const Type &to, Kind from_kind, Kind to_kind) {
  auto &build = code.build;
  if (from_kind == Kind::kFloat && to_kind == Kind::kFloat) return build.CreateFPCast(from.llvm, to.llvm);
  if (from_kind == Kind::kFloat)
    return to_kind == Kind::kSigned ? build.CreateFPToSI(from.llvm, to.llvm) : build.CreateFPToUI(from.llvm, to.llvm);
  if (to_kind == Kind::kFloat)
    return from_kind == Kind::kSigned ? build.CreateSIToFP(from.llvm, to.llvm) : build.CreateUIToFP(from.llvm, to.llvm);
  return build.CreateIntCast(from.llvm, to.llvm, from_kind == Kind::kSigned);
}

template <Kind kFrom, Kind kTo, bool kSaturates>
void convert(Code &code, const Instruction &i) {
  const Value from = code.value(i, 0);
  const Type &to = code.type(i.type);
  require(is_kind(*from.type, kFrom) && is_kind(to, kTo) && from.type->lanes() == to.lanes(),
          "the types do not fit the conversion");
  const std::string mode = mode_of(code.reader, i.result, kSaturates);
  if (mode.empty()) return code.define(i, plain(code, from, to, kFrom, kTo));
  code.define(i, code.call("convert_" + number_name(to, kTo) + mode, to.llvm, {from.llvm},
                           {code.c_type(*from.type, kFrom == Kind::kSigned)}));
}

void pointer_and_integer(Code &code, const Instruction &i) {
  const Value from = code.value(i, 0);
  const Type &to = code.type(i.type);
  const bool is_to_pointer = i.op == Op::OpConvertUToPtr;
  require((is_to_pointer ? &to : from.type)->is_pointer() && (is_to_pointer ? from.type : &to)->is(Op::OpTypeInt),
          "the operands are no pointer and no integer");
  code.define(i, is_to_pointer ? code.build.CreateIntToPtr(from.llvm, to.llvm) : code.build.CreatePtrToInt(from.llvm, to.llvm));
}

/// The address space of the object to which a generic pointer leads, if the module casts an object's pointer to it.
std::optional<unsigned> space_of_object(const llvm::Value *pointer) {
  while (pointer->getType()->getPointerAddressSpace() == passes::kGenericSpace) {
    if (const auto *address = llvm::dyn_cast<llvm::GEPOperator>(pointer))
      pointer = address->getPointerOperand();
    else if (const auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
      pointer = cast->getPointerOperand();
    else
      return std::nullopt;
  }
  return pointer->getType()->getPointerAddressSpace();
}

void change_space(Code &code, const Instruction &i) {
  const Value from = code.value(i, 0);
  const Type &to = code.type(i.type);
  const bool is_to_generic = i.op == Op::OpPtrCastToGeneric;
  require(from.type->is_pointer() && to.is_pointer(), "the operand or the result is no pointer");
  require((is_to_generic ? to : *from.type).storage == spv::StorageClass::Generic, "neither pointer is generic");
  const auto named_space = (is_to_generic ? *from.type : to).storage;
  require(named_space != spv::StorageClass::Generic && named_space != spv::StorageClass::UniformConstant,
          "the other pointer is generic or constant");
  if (i.op != Op::OpGenericCastToPtrExplicit) return code.define(i, code.build.CreateAddrSpaceCast(from.llvm, to.llvm));
  const unsigned space = address_space(to.storage);
  constexpr const char *kNames[] = {"__to_private", "__to_global", "", "__to_local"};
  require(space <= 3 && space != 2, "the pointer's storage class is not private, global or local");
  if (const auto known = from.llvm->getType()->isPointerTy() ? space_of_object(from.llvm) : std::nullopt)
    return code.define(i, *known == space ? code.build.CreateAddrSpaceCast(from.llvm, to.llvm)
                                          : llvm::Constant::getNullValue(to.llvm));
  code.define(i, code.call_symbol(kNames[space], to.llvm, {from.llvm}));
}

void bit_cast(Code &code, const Instruction &i) {
  const Value from = code.value(i, 0);
  const Type &to = code.type(i.type);
  auto &build = code.build;
  if (from.type->is_pointer() && to.is_pointer()) {
    require(from.type->storage == to.storage, "a bit cast changes the storage class");
    return code.define(i, from.llvm);
  }
  // A pointer has the bits of an integer of 64 bits.
  const auto bits = [](const Type &type) {
    return type.is_integer() || type.is_float() || type.scalar().is_pointer() ? type.scalar().width * type.lanes() : 0;
  };
  require(bits(to) != 0 && bits(to) == bits(*from.type), "a bit cast changes the number of bits");
  const auto number_type = [&](const Type &type) {
    return type.scalar().is_pointer() ? type.llvm->getWithNewType(build.getInt64Ty()) : type.llvm;
  };
  llvm::Value *made = from.type->scalar().is_pointer() ? build.CreatePtrToInt(from.llvm, number_type(*from.type)) : from.llvm;
  made = build.CreateBitCast(made, number_type(to));
  code.define(i, to.scalar().is_pointer() ? build.CreateIntToPtr(made, to.llvm) : made);
}

void pointer_class(Code &code, const Instruction &i) {
  const Value from = code.value(i, 0);
  require(from.type->is_pointer() && from.type->storage == spv::StorageClass::Generic, "the pointer is not generic");
  // OpenCL C's flags are 1 and 2; SPIR-V's semantics are WorkgroupMemory, 0x100, and CrossWorkgroupMemory, 0x200.
  llvm::Value *flags = code.call("get_fence", code.build.getInt32Ty(), {from.llvm}, {pointer_to(number("v"), 4)});
  code.define(i, code.build.CreateShl(flags, 8));
}

}  // namespace

void add_conversions(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpConvertFToU, convert<Kind::kFloat, Kind::kUnsigned, false>);
  add(Op::OpConvertFToS, convert<Kind::kFloat, Kind::kSigned, false>);
  add(Op::OpConvertSToF, convert<Kind::kSigned, Kind::kFloat, false>);
  add(Op::OpConvertUToF, convert<Kind::kUnsigned, Kind::kFloat, false>);
  add(Op::OpUConvert, convert<Kind::kUnsigned, Kind::kUnsigned, false>);
  add(Op::OpSConvert, convert<Kind::kSigned, Kind::kSigned, false>);
  add(Op::OpFConvert, convert<Kind::kFloat, Kind::kFloat, false>);
  add(Op::OpSatConvertSToU, convert<Kind::kSigned, Kind::kUnsigned, true>);
  add(Op::OpSatConvertUToS, convert<Kind::kUnsigned, Kind::kSigned, true>);
  for (const Op op : {Op::OpConvertPtrToU, Op::OpConvertUToPtr}) add(op, pointer_and_integer);
  for (const Op op : {Op::OpPtrCastToGeneric, Op::OpGenericCastToPtr, Op::OpGenericCastToPtrExplicit}) add(op, change_space);
  add(Op::OpBitcast, bit_cast);
  add(Op::OpGenericPtrMemSemantics, pointer_class);
}

}  // namespace upsweep::compiler::spirv
