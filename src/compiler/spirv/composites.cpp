// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composite instructions.
#include "compiler/spirv/code.h"

namespace upsweep::compiler::spirv {
namespace {

/// The place of a member inside a composite: indices into structures and arrays, then at most one into a vector.
struct Place {
  llvm::SmallVector<unsigned, 4> indices;
  std::optional<unsigned> component;
  const Type *type = nullptr;
};

Place place_of(const Instruction &i, size_t first, const Type &type) {
  Place place;
  place.type = &type;
  require(first < i.size(), "there is no index");
  for (size_t k = first; k < i.size(); ++k) {
    const uint32_t index = i.at(k);
    const Type &from = *place.type;
    require(index < (from.is(Op::OpTypeStruct) ? from.members.size() : from.count), "an index is beyond its type's members");
    place.type = from.is(Op::OpTypeStruct) ? from.members[index] : from.element;
    if (from.is_vector())
      place.component = index;
    else
      place.indices.push_back(index);
  }
  return place;
}

void extract(Code &code, const Instruction &i) {
  const Value whole = code.value(i, 0);
  if (i.size() == 2 && i.at(1) >= whole.type->count)
    if (llvm::Value *value = code.built_in_component(whole, code.build.getInt32(i.at(1)))) return code.define(i, value);
  const Place place = place_of(i, 1, *whole.type);
  llvm::Value *part = place.indices.empty() ? whole.llvm : code.build.CreateExtractValue(whole.llvm, place.indices);
  code.define(i, place.component ? code.build.CreateExtractElement(part, *place.component) : part);
}

void insert(Code &code, const Instruction &i) {
  const Value object = code.value(i, 0), whole = code.value(i, 1);
  const Place place = place_of(i, 2, *whole.type);
  require(object.type == place.type, "the object has another type than its place");
  llvm::Value *part = object.llvm;
  if (place.component) {
    llvm::Value *vector = place.indices.empty() ? whole.llvm : code.build.CreateExtractValue(whole.llvm, place.indices);
    part = code.build.CreateInsertElement(vector, part, *place.component);
  }
  code.define(i, place.indices.empty() ? part : code.build.CreateInsertValue(whole.llvm, part, place.indices));
}

llvm::Value *vector_of(Code &code, const Instruction &i, const Type &type) {
  llvm::Value *made = llvm::PoisonValue::get(type.llvm);
  unsigned next = 0;
  for (size_t k = 0; k < i.size(); ++k) {
    const Value part = code.value(i, k);
    require(&part.type->scalar() == type.element && next + part.type->lanes() <= type.lanes(),
            "the parts do not make the vector");
    for (unsigned lane = 0; lane < part.type->lanes(); ++lane)
      made = code.build.CreateInsertElement(
          made, part.type->is_vector() ? code.build.CreateExtractElement(part.llvm, lane) : part.llvm, next++);
  }
  require(next == type.lanes(), "the parts do not make the vector");
  return made;
}

void construct(Code &code, const Instruction &i) {
  const Type &type = code.type(i.type);
  if (type.is_vector()) return code.define(i, vector_of(code, i, type));
  require(type.is_composite(), "the type is not composite");
  require(i.size() == (type.is(Op::OpTypeStruct) ? type.members.size() : type.count),
          "there are more or fewer parts than members");
  llvm::Value *made = llvm::PoisonValue::get(type.llvm);
  for (unsigned k = 0; k < i.size(); ++k) {
    const Value part = code.value(i, k);
    require(part.type == (type.is(Op::OpTypeStruct) ? type.members[k] : type.element),
            "a part has another type than its member");
    made = code.build.CreateInsertValue(made, part.llvm, k);
  }
  code.define(i, made);
}

void shuffle(Code &code, const Instruction &i) {
  const Value a = code.value(i, 0), b = code.value(i, 1);
  require(a.type->is_vector() && b.type->is_vector() && a.type->element == b.type->element,
          "the operands are not two vectors of one component type");
  const unsigned lanes = std::max(a.type->lanes(), b.type->lanes());
  const auto widened = [&](const Value &value) {
    if (value.type->lanes() == lanes) return value.llvm;
    llvm::SmallVector<int, 16> mask(lanes, llvm::PoisonMaskElem);
    for (unsigned k = 0; k < value.type->lanes(); ++k) mask[k] = static_cast<int>(k);
    return code.build.CreateShuffleVector(value.llvm, mask);
  };
  llvm::SmallVector<int, 16> mask;
  for (const uint32_t component : i.operands.drop_front(2)) {
    require(component == UINT32_MAX || component < a.type->lanes() + b.type->lanes(), "a component is beyond both vectors");
    const bool is_second = component >= a.type->lanes();
    mask.push_back(component == UINT32_MAX ? llvm::PoisonMaskElem
                                           : static_cast<int>(is_second ? component - a.type->lanes() + lanes : component));
  }
  require(mask.size() == code.type(i.type).lanes() && mask.size() > 1, "the result has more or fewer components");
  llvm::Value *left = widened(a), *right = widened(b);
  code.define(i, code.build.CreateShuffleVector(left, right, mask));
}

void dynamic(Code &code, const Instruction &i) {
  const bool extracts = i.op == Op::OpVectorExtractDynamic;
  const Value vector = code.value(i, 0), index = code.value(i, extracts ? 1 : 2);
  require(vector.type->is_vector() && index.type->is(Op::OpTypeInt), "the operands are no vector and no index");
  if (extracts) {
    llvm::Value *built_in = code.built_in_component(vector, index.llvm);
    return code.define(i, built_in ? built_in : code.build.CreateExtractElement(vector.llvm, index.llvm));
  }
  const Value part = code.value(i, 1);
  require(part.type == vector.type->element, "the component has another type than the vector's");
  code.define(i, code.build.CreateInsertElement(vector.llvm, part.llvm, index.llvm));
}

void copy(Code &code, const Instruction &i) {
  const Value value = code.value(i, 0);
  const Type &to = code.type(i.type);
  if (value.type == &to) return code.define(i, value.llvm);
  // OpCopyLogical: the same members in another type.
  require(i.op == Op::OpCopyLogical && value.type->is_composite() && value.type->op == to.op, "the types differ");
  const size_t count = to.is(Op::OpTypeStruct) ? to.members.size() : to.count;
  require(count == (to.is(Op::OpTypeStruct) ? value.type->members.size() : value.type->count), "the types differ");
  constexpr size_t kMostMembers = 65535;
  require(count <= kMostMembers, "a value of more than 65535 members is copied");
  llvm::Value *made = llvm::PoisonValue::get(to.llvm);
  for (unsigned k = 0; k < count; ++k) {
    llvm::Value *part = code.build.CreateExtractValue(value.llvm, k);
    require(part->getType() == llvm::ExtractValueInst::getIndexedType(to.llvm, k), "the types' members differ");
    made = code.build.CreateInsertValue(made, part, k);
  }
  code.define(i, made);
}

}  // namespace

void add_composites(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpCompositeExtract, extract);
  add(Op::OpCompositeInsert, insert);
  add(Op::OpCompositeConstruct, construct);
  add(Op::OpVectorShuffle, shuffle);
  for (const Op op : {Op::OpVectorExtractDynamic, Op::OpVectorInsertDynamic}) add(op, dynamic);
  for (const Op op : {Op::OpCopyObject, Op::OpCopyLogical}) add(op, copy);
}

}  // namespace upsweep::compiler::spirv
