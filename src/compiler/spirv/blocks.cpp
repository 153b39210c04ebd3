// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_INTEL_subgroups: reads and writes of blocks, cl_intel_subgroups' functions.
#include "compiler/spirv/code.h"

namespace upsweep::compiler::spirv {
namespace {

constexpr unsigned kGlobalSpace = 1;

/// An unsigned integer: the suffix of its functions' names, and its type's letter.
struct Element {
  unsigned width;
  const char *suffix, *letter;
};
constexpr Element kElements[] = {{8, "_uc", "h"}, {16, "_us", "t"}, {32, "_ui", "j"}, {64, "_ul", "m"}};

struct Block {
  std::string name;  ///< of the function
  CType data, pointer;
};

Block block_of(const Type &data, const char *operation) {
  const unsigned lanes = data.lanes(), width = data.scalar().width;
  require(data.is_integer(), "a block of a sub-group has elements that are no integers");
  require(lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || (lanes == 16 && width == 8),
          "a block of a sub-group has neither 1, 2, 4 nor 8 elements for each work-item, nor 16 bytes");
  for (const Element &each : kElements)
    if (each.width == width)
      return {std::string("intel_sub_group_block_") + operation + each.suffix + (lanes > 1 ? std::to_string(lanes) : ""),
              number(each.letter, lanes), pointer_to(number(each.letter), kGlobalSpace)};
  require(false, "a block of a sub-group has integers of neither 8, 16, 32 nor 64 bits");
  return {};
}

void check_pointer(Code &code, const Value &pointer, const Type &data) {
  require(pointer.type->is_pointer() && address_space(pointer.type->storage) == kGlobalSpace,
          "a block of a sub-group is not in CrossWorkgroup memory");
  require(code.reader.pointee(*pointer.type).id == data.scalar().id,
          "the pointer to a block does not have the type of the block's elements");
}

void read(Code &code, const Instruction &i) {
  const Type &data = code.type(i.type);
  const Value pointer = code.value(i, 0);
  const Block block = block_of(data, "read");
  check_pointer(code, pointer, data);
  code.define(i, code.call(block.name, data.llvm, {pointer.llvm}, {as_const(block.pointer)}));
}

void write(Code &code, const Instruction &i) {
  const Value pointer = code.value(i, 0), data = code.value(i, 1);
  const Block block = block_of(*data.type, "write");
  check_pointer(code, pointer, *data.type);
  code.call(block.name, code.build.getVoidTy(), {pointer.llvm, data.llvm}, {block.pointer, block.data});
}

void check_image(const Value &image, const Value &coordinate) {
  const Type &type = *image.type;
  require(type.is(Op::OpTypeImage) && type.dim == spv::Dim::Dim2D && !type.is_array && !type.has_depth,
          "a block of a sub-group is not in a two-dimensional image");
  require(coordinate.type->is_integer() && coordinate.type->lanes() == 2 && coordinate.type->scalar().width == 32,
          "the coordinate of a block has not two components of 32 bits");
}

void read_image(Code &code, const Instruction &i) {
  const Type &data = code.type(i.type);
  const Value image = code.value(i, 0), coordinate = code.value(i, 1);
  check_image(image, coordinate);
  code.define(i, code.call(block_of(data, "read").name, data.llvm, {image.llvm, coordinate.llvm},
                           {code.c_type(*image.type, false), number("i", 2)}));
}

void write_image(Code &code, const Instruction &i) {
  const Value image = code.value(i, 0), coordinate = code.value(i, 1), data = code.value(i, 2);
  const Block block = block_of(*data.type, "write");
  check_image(image, coordinate);
  code.call(block.name, code.build.getVoidTy(), {image.llvm, coordinate.llvm, data.llvm},
            {code.c_type(*image.type, false), number("i", 2), block.data});
}

}  // namespace

void add_blocks(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpSubgroupBlockReadINTEL, read);
  add(Op::OpSubgroupBlockWriteINTEL, write);
  add(Op::OpSubgroupImageBlockReadINTEL, read_image);
  add(Op::OpSubgroupImageBlockWriteINTEL, write_image);
}

}  // namespace upsweep::compiler::spirv
