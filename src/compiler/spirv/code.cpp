// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a function, in an order in which values come before their uses, and calls of the library.
#include "compiler/spirv/code.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

namespace upsweep::compiler::spirv {
namespace {

const Handlers &handlers() {
  static const Handlers table = [] {
    Handlers made;
    add_memory(made);
    add_control_flow(made);
    add_arithmetic(made);
    add_dot_products(made);
    add_relations(made);
    add_conversions(made);
    add_composites(made);
    add_extended_instructions(made);
    add_groups(made);
    add_blocks(made);
    add_atomics(made);
    add_barriers(made);
    add_clocks(made);
    add_images(made);
    add_pipes(made);
    add_enqueue(made);
    return made;
  }();
  return table;
}

/// Code generation takes a value apart, member by member.
void require_small(const Type &type) {
  constexpr uint64_t kMostLeaves = 65536;
  require(type.leaves <= kMostLeaves, "a value has more than 65536 members");
}

struct Block {
  uint32_t label = 0;
  size_t first = 0, last = 0;  ///< instructions behind the label; the last is the terminator
  llvm::SmallVector<uint32_t, 2> successors;
};

/// The labels that a terminator names. Only the branches' layouts are read here; their handlers check the rest.
llvm::SmallVector<uint32_t, 2> successors_of(const Reader &reader, const Instruction &i) {
  switch (i.op) {
  case Op::OpBranch: return {i.at(0)};
  case Op::OpBranchConditional: return {i.at(1), i.at(2)};
  case Op::OpSwitch: {
    llvm::SmallVector<uint32_t, 2> labels{i.at(1)};
    const size_t step = switch_words(reader, i) + 1;
    for (size_t k = 2; k < i.size(); k += step) labels.push_back(i.at(k + step - 1));
    return labels;
  }
  default: return {};
  }
}

std::vector<Block> split_blocks(const Reader &reader, llvm::ArrayRef<Instruction> body, size_t first) {
  std::vector<Block> blocks;
  bool is_open = false;
  for (size_t k = first; k < body.size(); ++k) {
    const Instruction &i = body[k];
    if (i.op == Op::OpLabel) {
      require(!is_open, "a block has no terminator");
      blocks.push_back({i.result, k + 1, 0, {}});
      is_open = true;
    } else if (is_terminator(i.op)) {
      require(is_open, "a terminator stands outside of a block");
      blocks.back().last = k;
      is_open = false;
    } else {
      require(is_open || i.op == Op::OpLine || i.op == Op::OpNoLine || i.op == Op::OpNop ||
                  (i.op == Op::OpExtInst && reader.import(i.at(0)) == Import::kIgnored),
              "an instruction stands outside of a block");
    }
  }
  require(!is_open && !blocks.empty(), "a block has no terminator");
  return blocks;
}

/// Reverse post-order from the first block: a block that dominates another comes first. Unreachable blocks are left out.
/// `step_to` tells the instruction that is looked at.
template <class StepTo>
std::vector<size_t> order_of(const std::vector<Block> &blocks, const StepTo &step_to) {
  llvm::DenseMap<uint32_t, size_t> index;
  for (size_t k = 0; k < blocks.size(); ++k) {
    step_to(blocks[k].first - 1);
    require(index.try_emplace(blocks[k].label, k).second, "two blocks have one label");
  }
  std::vector<bool> seen(blocks.size());
  std::vector<size_t> order;
  std::vector<std::pair<size_t, size_t>> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next == blocks[block].successors.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    step_to(blocks[block].last);
    const auto found = index.find(blocks[block].successors[next++]);
    require(found != index.end(), "a branch leads to no block of its function");
    require(found->second != 0, "a branch leads to the function's first block");
    if (seen[found->second]) continue;
    seen[found->second] = true;
    stack.emplace_back(found->second, 0);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Code::Code(Reader &reader, llvm::Function &function)
    : reader(reader), function(function), build(reader.context(), llvm::TargetFolder(reader.layout())) {}

llvm::BasicBlock &Code::block(uint32_t label) const {
  llvm::BasicBlock *found = blocks_.lookup(label);
  require(found, "a label is no block's");
  return *found;
}

llvm::AllocaInst *Code::variable(llvm::Type *type, const llvm::Twine &name) {
  llvm::BasicBlock &entry = function.getEntryBlock();
  auto *made = new llvm::AllocaInst(type, 0, nullptr, reader.layout().getABITypeAlign(type), name);
  made->insertInto(&entry, entry.begin());
  return made;
}

void Code::lower(const Instruction &i) {
  const Handler handler = handlers().lookup(static_cast<uint32_t>(i.op));
  require(handler, "the instruction is not supported");
  handler(*this, i);
}

void Code::read_body(llvm::ArrayRef<Instruction> body, size_t &now) {
  const size_t start = now;
  const auto step_to = [&](size_t k) { now = start + k; };
  const Type &type = this->type(body[0].at(1));
  size_t k = 1;
  for (size_t parameter = 0; k < body.size() && body[k].op != Op::OpLabel; ++k) {
    step_to(k);
    if (body[k].op != Op::OpFunctionParameter) continue;
    require(parameter < type.members.size() && &this->type(body[k].type) == type.members[parameter],
            "a parameter is not of the function's type");
    llvm::Argument *argument = function.getArg(static_cast<unsigned>(parameter++));
    argument->setName(reader.name(body[k].result));
    reader.define(body[k].result, argument, this->type(body[k].type));
  }
  std::vector<Block> blocks = split_blocks(reader, body, k);
  for (Block &block : blocks) {
    step_to(block.last);
    block.successors = successors_of(reader, body[block.last]);
  }
  const std::vector<size_t> order = order_of(blocks, step_to);
  for (const size_t index : order)
    blocks_[blocks[index].label] = llvm::BasicBlock::Create(reader.context(), reader.name(blocks[index].label), &function);
  for (const size_t index : order) {
    const Block &block = blocks[index];
    build.SetInsertPoint(&this->block(block.label));
    for (k = block.first; k <= block.last; ++k) {
      step_to(k);
      build.SetCurrentDebugLocation(reader.location(function, body[k]));
      lower(body[k]);
    }
  }
  fill_phis();
}

void Code::fill_phis() {
  // A switch gives a phi a value for each of its labels, which the phi's words do not show.
  constexpr size_t kMostValues = 1U << 22;
  size_t count = 0;
  for (const auto &[instruction, phi] : phis_) {
    require(instruction->size() % 2 == 0, "a phi has a value without a block");
    llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> values;
    for (size_t k = 0; k < instruction->size(); k += 2)
      if (const llvm::BasicBlock *parent = blocks_.lookup(instruction->at(k + 1))) values[parent] = value(*instruction, k).llvm;
    for (llvm::BasicBlock *parent : llvm::predecessors(phi->getParent())) {
      llvm::Value *value = values.lookup(parent);
      require(value && value->getType() == phi->getType(), "a phi has no value of its type for a block before it");
      phi->addIncoming(value, parent);
      require(++count <= kMostValues, "the phis of a function have more than 2^22 values");
    }
  }
}

llvm::Value *Code::built_in_variable(uint32_t id, spv::BuiltIn variable) {
  llvm::Value *&made = built_ins_[id];
  if (!made) {
    made = make_built_in(*this, id, variable);
    copied_built_ins_[made] = variable;
  }
  return made;
}

llvm::Value *Code::built_in_component(const Value &vector, llvm::Value *dimension) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(vector.llvm);
  const auto found = load ? copied_built_ins_.find(load->getPointerOperand()) : copied_built_ins_.end();
  if (found == copied_built_ins_.end() || !vector.type->is_vector()) return nullptr;
  return call_for_dimension(*this, found->second, vector.type->scalar(), dimension);
}

std::pair<Value, Value> Code::sampled_image(uint32_t id) const {
  const auto found = sampled_images_.find(id);
  require(found != sampled_images_.end(), "an operand is no sampled image of this function");
  return found->second;
}

void Code::define(const Instruction &i, llvm::Value *value) {
  const Type &type = this->type(i.type);
  require_small(type);
  reader.define(i.result, value, type);
}

void Code::define_phi(const Instruction &i, llvm::PHINode &phi) {
  phis_.push_back({&i, &phi});
  define(i, &phi);
}

Value Code::value(const Instruction &i, size_t index) {
  const Value found = any_value(i, index);
  require_small(*found.type);
  return found;
}

Value Code::any_value(const Instruction &i, size_t index) {
  const uint32_t id = i.at(index);
  if (const std::optional<spv::BuiltIn> variable = reader.built_in(id))
    return {built_in_variable(id, *variable), &reader.built_in_type(id)};
  if (const std::optional<uint32_t> bits = reader.sampler(id)) {
    llvm::Type *type = reader.sampler_type().llvm;
    return {call_symbol("__translate_sampler_initializer", type, {build.getInt32(*bits)}), &reader.sampler_type()};
  }
  return reader.value(id);
}

CType Code::c_type(const Type &type, bool is_signed) const {
  switch (type.op) {
  case Op::OpTypeInt:
    switch (type.width) {
    case 8: return number(is_signed ? "c" : "h");
    case 16: return number(is_signed ? "s" : "t");
    case 32: return number(is_signed ? "i" : "j");
    default: return number(is_signed ? "l" : "m");
    }
  case Op::OpTypeFloat: return number(type.width == 16 ? "Dh" : type.width == 32 ? "f" : "d");
  case Op::OpTypeVector: return number(c_type(*type.element, is_signed).code, type.lanes());
  case Op::OpTypePointer:
    require(!reader.pointee(type).is_pointer(), "a function of the library takes no pointer to a pointer");
    return pointer_to(c_type(reader.pointee(type), is_signed), address_space(type.storage));
  case Op::OpTypeImage: {
    constexpr const char *kAccess[] = {"_ro", "_wo", "_rw"};
    return named("ocl_" + image_name(type) + kAccess[static_cast<unsigned>(type.access)]);
  }
  case Op::OpTypeSampler: return named("ocl_sampler");
  case Op::OpTypeEvent: return named("ocl_event");
  case Op::OpTypeDeviceEvent: return named("ocl_clkevent");
  case Op::OpTypeQueue: return named("ocl_queue");
  case Op::OpTypeReserveId: return named("ocl_reserveid");
  case Op::OpTypePipe: return named("ocl_pipe");
  default: throw Invalid("a function of the library takes no value of this type");
  }
}

llvm::CallInst *Code::call_symbol(llvm::StringRef symbol, llvm::Type *result, llvm::ArrayRef<llvm::Value *> values) {
  llvm::SmallVector<llvm::Type *, 6> types;
  for (const llvm::Value *value : values) types.push_back(value->getType());
  auto *type = llvm::FunctionType::get(result, types, false);
  llvm::FunctionCallee callee = reader.module().getOrInsertFunction(symbol, type);
  auto *declared = llvm::dyn_cast<llvm::Function>(callee.getCallee());
  if (!declared || declared->getFunctionType() != type)
    throw Invalid("the module gives the name " + symbol.str() + " another type");
  if (declared->isDeclaration()) {
    declared->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    declared->addFnAttr(llvm::Attribute::Convergent);
    declared->addFnAttr(llvm::Attribute::NoUnwind);
  }
  llvm::CallInst *call = build.CreateCall(callee, values);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->addFnAttr(llvm::Attribute::Convergent);
  return call;
}

llvm::CallInst *Code::call(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> values,
                           llvm::ArrayRef<CType> types) {
  return call_symbol(mangle(name, types), result, values);
}

}  // namespace upsweep::compiler::spirv
