// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image instructions: OpenCL C's functions of images and samplers.
#include "compiler/spirv/code.h"

namespace upsweep::compiler::spirv {
namespace {

constexpr uint32_t kLod = 0x2, kGrad = 0x4, kSample = 0x40, kSignExtend = 0x1000, kZeroExtend = 0x2000;
constexpr uint32_t kWithOneId = kLod | 0x1 | 0x8 | 0x10 | 0x20 | kSample | 0x80 | 0x100 | 0x200;  // Grad has two

/// The operands behind the coordinate.
struct Operands {
  uint32_t mask = 0;
  llvm::SmallVector<Value, 2> level;  ///< the operand Lod, or both operands of Grad
};

Operands operands_of(Code &code, const Instruction &i, size_t index) {
  Operands result;
  if (index >= i.size()) return result;
  result.mask = i.at(index++);
  for (uint32_t bit = 1; bit != 0; bit <<= 1) {
    if (!(result.mask & bit)) continue;
    if (bit == kLod) result.level.push_back(code.value(i, index));
    if (bit == kGrad) result.level = {code.value(i, index), code.value(i, index + 1)};
    require(!(bit & kWithOneId & ~kLod), "an operand of the image instruction is not supported");
    index += bit == kGrad ? 2 : bit & kWithOneId ? 1 : 0;
  }
  // Level 0 is an image without levels, too.
  const auto *zero = result.level.size() == 1 ? llvm::dyn_cast<llvm::Constant>(result.level[0].llvm) : nullptr;
  if (zero && zero->isNullValue()) result.level.clear();
  return result;
}

unsigned coordinates_of(const Type &image) {
  const unsigned dimensions = image.dim == spv::Dim::Dim3D ? 3 : image.dim == spv::Dim::Dim2D ? 2 : 1;
  const unsigned all = dimensions + (image.is_array ? 1 : 0);
  return all == 3 ? 4 : all;  // OpenCL C has vectors of four here
}

/// The coordinate with as many components as OpenCL C's functions take.
std::pair<llvm::Value *, CType> coordinate_of(Code &code, const Value &given, unsigned wanted) {
  require(given.type->is_integer() || given.type->is_float(), "a coordinate is no number");
  auto &build = code.build;
  llvm::Value *made = given.llvm;
  const CType c_type = number(code.c_type(given.type->scalar(), true).code, wanted);
  if (given.type->lanes() == wanted) return {made, c_type};
  require(given.type->is_vector(), "a coordinate has too few components");
  if (wanted == 1) return {build.CreateExtractElement(made, uint64_t(0)), c_type};
  llvm::Value *zero = llvm::Constant::getNullValue(given.type->llvm);
  llvm::SmallVector<int, 4> mask;
  for (unsigned k = 0; k < wanted; ++k) mask.push_back(static_cast<int>(std::min(k, given.type->lanes())));
  require(given.type->lanes() + 1 >= wanted, "a coordinate has too few components");
  return {build.CreateShuffleVector(made, zero, mask), c_type};
}

const Type &image_of(const Value &value) {
  require(value.type->is(Op::OpTypeImage), "the operand is no image");
  return *value.type;
}

/// "f", "h", "i" or "ui" of a texel's type, and "" for an integer of unknown sign.
std::string suffix_of(const Type &texel, uint32_t mask) {
  if (texel.is_float()) return texel.scalar().width == 16 ? "h" : "f";
  require(texel.is_integer() && texel.scalar().width == 32, "a texel has components of 32 bits, or of 16 as half");
  return mask & kSignExtend ? "i" : mask & kZeroExtend ? "ui" : "";
}

llvm::Value *data_type(Code &code, const Value &image) {
  return code.call("get_image_channel_data_type", code.build.getInt32Ty(), {image.llvm}, {code.c_type(*image.type, false)});
}

/// True at run time for formats of signed integers: CL_SIGNED_INT8, 16 and 32.
llvm::Value *is_signed(Code &code, const Value &image) {
  constexpr uint32_t kSignedInt8 = 0x10d7;
  return code.build.CreateICmpULT(code.build.CreateSub(data_type(code, image), code.build.getInt32(kSignedInt8)),
                                  code.build.getInt32(3));
}

struct Read {
  Value image;
  llvm::SmallVector<llvm::Value *, 5> values;
  llvm::SmallVector<CType, 5> types;
};

void finish_read(Code &code, const Instruction &i, const Read &read, const Operands &operands) {
  const Type &texel = code.type(i.type);
  const bool is_depth = read.image.type->has_depth;
  const std::string suffix = suffix_of(texel, operands.mask);
  require(is_depth || texel.lanes() == 4, "a texel has four components");
  llvm::Type *result = is_depth ? texel.scalar().llvm : texel.llvm;
  const auto call = [&](const std::string &name) { return code.call("read_image" + name, result, read.values, read.types); };
  llvm::Value *made = !suffix.empty() ? static_cast<llvm::Value *>(call(suffix))
                                      : code.build.CreateSelect(is_signed(code, read.image), call("i"), call("ui"));
  if (is_depth && texel.is_vector())
    made = code.build.CreateInsertElement(llvm::Constant::getNullValue(texel.llvm), made, uint64_t(0));
  code.define(i, made);
}

void add(Read &read, llvm::Value *value, const CType &type) {
  read.values.push_back(value);
  read.types.push_back(type);
}

void add_levels(Code &code, Read &read, const Operands &operands, unsigned coordinates) {
  for (const Value &level : operands.level) {
    if (operands.level.size() == 1) {
      add(read, level.type->is_integer() ? code.build.CreateSIToFP(level.llvm, code.build.getFloatTy()) : level.llvm,
          number("f"));
    } else {
      const auto [value, type] =
          coordinate_of(code, level, std::min(coordinates, level.type->lanes() == 3 ? 4U : level.type->lanes()));
      add(read, value, type);
    }
  }
}

void sample(Code &code, const Instruction &i) {
  const auto [image, sampler] = code.sampled_image(i.at(0));
  const unsigned wanted = coordinates_of(image_of(image));
  const auto [coordinate, type] = coordinate_of(code, code.value(i, 1), wanted);
  const Operands operands = operands_of(code, i, 2);
  Read read{image, {}, {}};
  add(read, image.llvm, code.c_type(*image.type, false));
  add(read, sampler.llvm, code.c_type(*sampler.type, false));
  add(read, coordinate, type);
  add_levels(code, read, operands, wanted);
  finish_read(code, i, read, operands);
}

void read(Code &code, const Instruction &i) {
  const Value image = code.value(i, 0);
  const unsigned wanted = coordinates_of(image_of(image));
  const Value given = code.value(i, 1);
  require(given.type->is_integer(), "a coordinate of a texel is no integer");
  const auto [coordinate, type] = coordinate_of(code, given, wanted);
  const Operands operands = operands_of(code, i, 2);
  require(operands.level.empty(), "a texel is read from a level, or with a gradient");
  Read texel{image, {}, {}};
  add(texel, image.llvm, code.c_type(*image.type, false));
  add(texel, coordinate, type);
  finish_read(code, i, texel, operands);
}

void write(Code &code, const Instruction &i) {
  const Value image = code.value(i, 0), given = code.value(i, 1), texel = code.value(i, 2);
  const bool is_depth = image_of(image).has_depth;
  require(given.type->is_integer(), "a coordinate of a texel is no integer");
  const auto [coordinate, type] = coordinate_of(code, given, coordinates_of(*image.type));
  const Operands operands = operands_of(code, i, 3);
  std::string suffix = suffix_of(*texel.type, operands.mask);
  // Without a sign, values up to 2^31 - 1 are right in formats of both signs.
  if (suffix.empty()) suffix = "i";
  llvm::SmallVector<llvm::Value *, 4> values{image.llvm, coordinate};
  llvm::SmallVector<CType, 4> types{code.c_type(*image.type, false), type};
  if (!operands.level.empty()) {
    require(operands.level.size() == 1 && operands.level[0].type->is(Op::OpTypeInt), "a level is no integer");
    values.push_back(operands.level[0].llvm);
    types.push_back(number("i"));
  }
  llvm::Value *written =
      is_depth && texel.type->is_vector() ? code.build.CreateExtractElement(texel.llvm, uint64_t(0)) : texel.llvm;
  require(is_depth || texel.type->lanes() == 4, "a texel has four components");
  values.push_back(written);
  types.push_back(number(code.c_type(texel.type->scalar(), suffix == "i").code, is_depth ? 1 : 4));
  code.call("write_image" + suffix, code.build.getVoidTy(), values, types);
}

void pair(Code &code, const Instruction &i) {
  const Value image = code.value(i, 0), sampler = code.value(i, 1);
  require(image.type->is(Op::OpTypeImage) && sampler.type->is(Op::OpTypeSampler), "the operands are no image and no sampler");
  require(code.type(i.type).is(Op::OpTypeSampledImage) && code.type(i.type).element == image.type,
          "the result is no sampled image of this image");
  code.set_sampled_image(i, image, sampler);
}

void image_alone(Code &code, const Instruction &i) { code.define(i, code.sampled_image(i.at(0)).first.llvm); }

/// A dimension of the mip level: "level n has 2^n times fewer texels, and at least one". A level that the image lacks is
/// undefined.
llvm::Value *of_level(Code &code, llvm::Value *size, llvm::Value *level) {
  if (!level) return size;
  auto &build = code.build;
  llvm::Value *distance = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, level, build.getInt32(31));
  return build.CreateBinaryIntrinsic(llvm::Intrinsic::umax, build.CreateLShr(size, distance), build.getInt32(1));
}

/// Width, height, depth and number of images, as far as the image has them.
void size(Code &code, const Instruction &i) {
  const Value image = code.value(i, 0);
  const Type &type = image_of(image);
  const Type &result = code.type(i.type);
  require(result.is_integer(), "a size is no integer");
  auto &build = code.build;
  const CType c_image = code.c_type(type, false);
  llvm::Value *level = nullptr;
  if (i.op == Op::OpImageQuerySizeLod) {
    const Value operand = code.value(i, 1);
    require(operand.type->is(Op::OpTypeInt), "a level is no integer");
    level = build.CreateZExtOrTrunc(operand.llvm, build.getInt32Ty());
  }
  const auto dimension = [&](const char *name) {
    return of_level(code, code.call(name, build.getInt32Ty(), {image.llvm}, {c_image}), level);
  };
  llvm::SmallVector<llvm::Value *, 4> sizes{dimension("get_image_width")};
  if (type.dim == spv::Dim::Dim2D || type.dim == spv::Dim::Dim3D) sizes.push_back(dimension("get_image_height"));
  if (type.dim == spv::Dim::Dim3D) sizes.push_back(dimension("get_image_depth"));
  if (type.is_array) sizes.push_back(code.call("get_image_array_size", build.getInt64Ty(), {image.llvm}, {c_image}));
  require(sizes.size() <= result.lanes(), "a size has too few components");
  llvm::Value *made = llvm::Constant::getNullValue(result.llvm);
  for (unsigned k = 0; k < sizes.size(); ++k) {
    llvm::Value *one = build.CreateZExtOrTrunc(sizes[k], result.scalar().llvm);
    made = result.is_vector() ? build.CreateInsertElement(made, one, k) : one;
  }
  code.define(i, made);
}

void query(Code &code, const Instruction &i) {
  const Value image = code.value(i, 0);
  const CType c_image = code.c_type(image_of(image), false);
  auto &build = code.build;
  // SPIR-V counts formats and orders from 0, OpenCL C from these numbers.
  constexpr uint32_t kFirstDataType = 0x10d0, kFirstOrder = 0x10b0;
  llvm::Value *made = nullptr;
  switch (i.op) {
  case Op::OpImageQueryFormat: made = build.CreateSub(data_type(code, image), build.getInt32(kFirstDataType)); break;
  case Op::OpImageQueryOrder:
    made = build.CreateSub(code.call("get_image_channel_order", build.getInt32Ty(), {image.llvm}, {c_image}),
                           build.getInt32(kFirstOrder));
    break;
  default: made = code.call("get_image_num_mip_levels", build.getInt32Ty(), {image.llvm}, {c_image});
  }
  code.define(i, made);
}

}  // namespace

void add_images(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpSampledImage, pair);
  add(Op::OpImage, image_alone);
  add(Op::OpImageSampleExplicitLod, sample);
  add(Op::OpImageRead, read);
  add(Op::OpImageWrite, write);
  for (const Op op : {Op::OpImageQuerySizeLod, Op::OpImageQuerySize}) add(op, size);
  for (const Op op : {Op::OpImageQueryFormat, Op::OpImageQueryOrder, Op::OpImageQueryLevels}) add(op, query);
}

}  // namespace upsweep::compiler::spirv
