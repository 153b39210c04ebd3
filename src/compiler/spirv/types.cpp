// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type-declaration instructions.
#include "compiler/spirv/reader.h"

#include "llvm/IR/DerivedTypes.h"

namespace upsweep::compiler::spirv {
namespace {

constexpr uint64_t kMostBytes = uint64_t(1) << 47, kMostLeaves = uint64_t(1) << 48;

llvm::Type *number_type(llvm::LLVMContext &context, Op op, unsigned width) {
  if (op == Op::OpTypeInt) {
    require(width == 8 || width == 16 || width == 32 || width == 64, "an integer type has 8, 16, 32 or 64 bits");
    return llvm::IntegerType::get(context, width);
  }
  switch (width) {
  case 16: return llvm::Type::getHalfTy(context);
  case 32: return llvm::Type::getFloatTy(context);
  case 64: return llvm::Type::getDoubleTy(context);
  default: throw Invalid("a floating-point type has 16, 32 or 64 bits");
  }
}

const char *opaque_name(Op op) {
  switch (op) {
  case Op::OpTypeSampler: return "spirv.Sampler";
  case Op::OpTypeEvent: return "spirv.Event";
  case Op::OpTypeDeviceEvent: return "spirv.DeviceEvent";
  case Op::OpTypeReserveId: return "spirv.ReserveId";
  case Op::OpTypeQueue: return "spirv.Queue";
  default: return nullptr;
  }
}

}  // namespace

unsigned address_space(spv::StorageClass storage) {
  switch (storage) {
  case spv::StorageClass::Function:
  case spv::StorageClass::Input: return 0;
  case spv::StorageClass::CrossWorkgroup: return 1;
  case spv::StorageClass::UniformConstant: return 2;
  case spv::StorageClass::Workgroup: return 3;
  case spv::StorageClass::Generic: return 4;
  default: throw Invalid("kernels have no such storage class");
  }
}

std::string image_name(const Type &type) {
  std::string name = "image";
  switch (type.dim) {
  case spv::Dim::Dim1D: name += "1d"; break;
  case spv::Dim::Dim2D: name += "2d"; break;
  case spv::Dim::Dim3D: name += "3d"; break;
  case spv::Dim::Buffer: name += "1d_buffer"; break;
  default: throw Invalid("kernels have images of one, two and three dimensions, and of buffers");
  }
  if (type.is_array) name += "_array";
  if (type.has_samples) name += "_msaa";
  if (type.has_depth) name += "_depth";
  return name;
}

std::string source_name(const Type &type, const Type *pointee) {
  const auto number = [](const Type &scalar) -> std::string {
    if (scalar.is(Op::OpTypeFloat)) return scalar.width == 16 ? "half" : scalar.width == 32 ? "float" : "double";
    switch (scalar.width) {
    case 8: return "uchar";
    case 16: return "ushort";
    case 32: return "uint";
    default: return "ulong";
    }
  };
  switch (type.op) {
  case Op::OpTypeInt:
  case Op::OpTypeFloat: return number(type);
  case Op::OpTypeVector: return number(*type.element) + std::to_string(type.count);
  case Op::OpTypeBool: return "bool";
  case Op::OpTypePointer: return (pointee ? source_name(*pointee, nullptr) : std::string("void")) + "*";
  case Op::OpTypeImage: return image_name(type) + "_t";
  case Op::OpTypeSampler: return "sampler_t";
  case Op::OpTypeQueue: return "queue_t";
  case Op::OpTypePipe: return "void";
  case Op::OpTypeEvent: return "event_t";
  case Op::OpTypeStruct:
    return type.llvm && type.llvm->isStructTy() && type.llvm->getStructName().starts_with("struct.")
               ? type.llvm->getStructName().drop_front(7).str()
               : "struct";
  default: return "void";
  }
}

void Reader::read_image_type(Type &type, const Instruction &i) {
  type.dim = static_cast<spv::Dim>(i.at(1));
  type.has_depth = i.at(2) == 1;
  type.is_array = i.at(3) == 1;
  type.has_samples = i.at(4) == 1;
  type.access = i.size() > 7 ? static_cast<spv::AccessQualifier>(i.at(7)) : spv::AccessQualifier::ReadOnly;
  require(type.access <= spv::AccessQualifier::ReadWrite, "an image is neither read nor written");
  require(this->type(i.at(0)).is(Op::OpTypeVoid), "an image of kernels has texels of type void");
  static_cast<void>(image_name(type));
  const auto access = static_cast<unsigned>(type.access);
  type.llvm = llvm::TargetExtType::get(
      context(), "spirv.Image", {llvm::Type::getVoidTy(context())},
      {static_cast<unsigned>(type.dim), type.has_depth, type.is_array, type.has_samples, 0, 0, access});
}

void Reader::read_type(const Instruction &i) {
  Type type;
  type.op = i.op;
  type.id = i.result;
  llvm::LLVMContext &context = this->context();
  const auto in_memory = [&] { type.bytes = type.llvm->isSized() ? layout().getTypeAllocSize(type.llvm).getFixedValue() : 0; };
  switch (i.op) {
  case Op::OpTypeForwardPointer: return;
  case Op::OpTypeVoid: type.llvm = llvm::Type::getVoidTy(context); break;
  case Op::OpTypeBool:
    type.llvm = llvm::Type::getInt1Ty(context);
    type.bytes = type.width = 1;
    break;
  case Op::OpTypeInt:
  case Op::OpTypeFloat:
    type.width = i.at(0);
    type.llvm = number_type(context, i.op, type.width);
    in_memory();
    break;
  case Op::OpTypeVector: {
    type.element = &this->type(i.at(0));
    type.count = i.at(1);
    const bool is_number =
        type.element->is(Op::OpTypeInt) || type.element->is(Op::OpTypeFloat) || type.element->is(Op::OpTypeBool);
    const bool is_pointer = type.element->is_pointer();
    require(is_number || is_pointer, "a vector's components are no numbers");
    require(type.count == 2 || type.count == 3 || type.count == 4 || type.count == 8 || type.count == 16,
            "a vector has 2, 3, 4, 8 or 16 components");
    type.width = type.element->width;
    type.llvm = llvm::FixedVectorType::get(type.element->llvm, static_cast<unsigned>(type.count));
    in_memory();
    break;
  }
  case Op::OpTypeArray: {
    type.element = &this->type(i.at(0));
    type.count = constant(i.at(1));
    require(type.element->bytes != 0, "an array's elements have no size");
    require(type.count != 0 && type.count <= kMostBytes / type.element->bytes, "an array has no element, or over 2^47 bytes");
    type.depth = type.element->depth + 1;
    type.leaves = type.element->leaves > kMostLeaves / type.count ? kMostLeaves : type.element->leaves * type.count;
    type.llvm = llvm::ArrayType::get(type.element->llvm, type.count);
    in_memory();
    break;
  }
  case Op::OpTypeStruct: {
    std::vector<llvm::Type *> members;
    uint64_t total = 0;
    for (const uint32_t id : i.operands) {
      const Type &member = this->type(id);
      require(member.bytes != 0, "a structure's member has no size");
      total += member.bytes;
      require(total <= kMostBytes, "a structure has over 2^47 bytes");
      type.depth = std::max(type.depth, member.depth + 1);
      type.leaves = std::min(type.leaves + member.leaves, kMostLeaves);
      type.members.push_back(&member);
      members.push_back(member.llvm);
    }
    const llvm::StringRef name = this->name(i.result);
    type.llvm =
        llvm::StructType::create(context, members, name.empty() ? "struct.s" : name, has(i.result, spv::Decoration::CPacked));
    in_memory();
    type.bytes = std::max<uint64_t>(type.bytes, 1);
    break;
  }
  case Op::OpTypeOpaque: type.llvm = llvm::StructType::create(context, text_at(i.operands, 0)); break;
  case Op::OpTypePointer:
    type.storage = static_cast<spv::StorageClass>(i.at(0));
    type.pointee = i.at(1);
    type.llvm = llvm::PointerType::get(context, address_space(type.storage));
    type.width = 64;
    in_memory();
    break;
  case Op::OpTypeFunction: {
    type.element = &this->type(i.at(0));
    require(type.element->is(Op::OpTypeVoid) || type.element->bytes != 0, "a function's result has no size");
    std::vector<llvm::Type *> parameters;
    for (const uint32_t id : i.operands.drop_front()) {
      const Type &parameter = this->type(id);
      require(parameter.bytes != 0, "a function's parameter has no size");
      type.members.push_back(&parameter);
      parameters.push_back(parameter.llvm);
    }
    type.llvm = llvm::FunctionType::get(type.element->llvm, parameters, false);
    break;
  }
  case Op::OpTypeImage:
    read_image_type(type, i);
    in_memory();
    break;
  case Op::OpTypeSampledImage:
    // A pair in registers: an image and a sampler, which calls take apart.
    type.element = &this->type(i.at(0));
    require(type.element->is(Op::OpTypeImage), "a sampled image has no image");
    type.llvm = llvm::StructType::get(context, {type.element->llvm, llvm::TargetExtType::get(context, "spirv.Sampler")});
    break;
  case Op::OpTypePipe:
    type.access = static_cast<spv::AccessQualifier>(i.at(0));
    require(type.access <= spv::AccessQualifier::WriteOnly, "a pipe is read or written, not both");
    type.llvm = llvm::TargetExtType::get(context, "spirv.Pipe", {}, {static_cast<unsigned>(type.access)});
    in_memory();
    break;
  default:
    require(opaque_name(i.op), "the type is not supported");
    type.llvm = llvm::TargetExtType::get(context, opaque_name(i.op));
    in_memory();
  }
  declare(std::move(type));
}

}  // namespace upsweep::compiler::spirv
