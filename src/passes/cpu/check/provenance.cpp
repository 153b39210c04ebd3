// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows pointers back to their objects.
#include "passes/cpu/check/provenance.h"

#include "passes/common/flat_memory.h"
#include "passes/common/intrinsics.h"
#include "passes/common/link_builtins.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/kernel_arguments.h"

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Operator.h>

#include <cstddef>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Limit of the phis, selects and additions between a pointer and its object; longer paths end in a look-up.
constexpr unsigned kDeepest = 200;
/// Limit of the values that are visited to find one object.
constexpr unsigned kMostValues = 64;

bool is_local_argument(const Value &value) {
  auto *place = dyn_cast<GEPOperator>(&value);
  if (!place || intrinsic_of(*place->getPointerOperand()) != Ups::kLocal || place->getNumIndices() != 1) return false;
  auto *load = dyn_cast<LoadInst>(*place->idx_begin());
  return load && load->hasMetadata(LLVMContext::MD_invariant_load);
}

bool is_in_block(const Value &value) {
  auto *place = dyn_cast<GEPOperator>(&value);
  return place && intrinsic_of(*place->getPointerOperand()) == Ups::kArguments && place->hasAllConstantIndices();
}

/// Names of local variables begin with their kernel's name; names of inlined functions' variables end with a suffix.
std::string plain_name(StringRef name) {
  const auto [before, after] = name.rsplit('.');
  if (after.empty()) return before.str();
  if (after == "addr") return plain_name(before);
  const bool is_suffix = after.starts_with("i") && all_of(after.drop_front(), [](char c) { return c >= '0' && c <= '9'; });
  return is_suffix && after.size() <= 5 ? plain_name(before) : after.str();
}

Origin trusted() {
  Origin origin;
  origin.is_trusted = true;
  return origin;
}

Origin named(UpsweepObjectKind kind, std::string name, Align align) {
  Origin origin;
  origin.kind = kind;
  origin.name = std::move(name);
  origin.align = align;
  return origin;
}

}  // namespace

ProvenanceFinder::ProvenanceFinder(Function &item, const KernelDescription &kernel)
    : item_(item), kernel_(kernel), layout_(item.getDataLayout()) {}

/// The argument whose value is loaded from the block.
const ArgumentDescription *ProvenanceFinder::argument_at(const LoadInst &load, int32_t &index) const {
  if (!load.hasMetadata(LLVMContext::MD_invariant_load)) return nullptr;
  APInt offset(64, 0);
  const Value *block = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
  if (intrinsic_of(*block) != Ups::kArguments) return nullptr;
  for (auto [i, argument] : enumerate(kernel_.arguments))
    if (argument.offset == offset.getZExtValue() && argument.kind != ArgumentKind::kValue) {
      index = static_cast<int32_t>(i);
      return &argument;
    }
  return nullptr;
}

std::optional<Origin> ProvenanceFinder::origin_of_argument(const LoadInst &load) {
  int32_t index = -1;
  const ArgumentDescription *argument = argument_at(load, index);
  if (!argument) return std::nullopt;
  Origin origin;
  origin.argument = index;
  origin.name = argument->name;
  origin.kind = argument->kind == ArgumentKind::kLocal ? UPSWEEP_OBJECT_LOCAL_ARGUMENT : UPSWEEP_OBJECT_ARGUMENT;
  origin.align = Align(kLargestAlign);
  if (argument->kind == ArgumentKind::kLocal) origin.align = Align(std::max<uint32_t>(argument->align, 16));
  // Images, pipes and queues are structures of the driver.
  origin.is_trusted = argument->kind != ArgumentKind::kGlobal && argument->kind != ArgumentKind::kConstant &&
                      argument->kind != ArgumentKind::kLocal;
  origin.hands_on = argument->kind == ArgumentKind::kPipe;
  return origin;
}

/// A struct that is read in place.
std::optional<Origin> ProvenanceFinder::origin_in_block(const Value &address) {
  APInt offset(64, 0);
  address.stripAndAccumulateConstantOffsets(layout_, offset, true);
  Origin origin;
  origin.is_trusted = true;
  for (auto [i, argument] : enumerate(kernel_.arguments)) {
    if (argument.kind != ArgumentKind::kValue || argument.offset != offset.getZExtValue()) continue;
    origin = named(UPSWEEP_OBJECT_PRIVATE, argument.name, commonAlignment(Align(kLargestAlign), argument.offset));
    origin.argument = static_cast<int32_t>(i);
    origin.bytes = argument.size;
  }
  return origin;
}

std::optional<Origin> ProvenanceFinder::origin_of_root(Value *root) {
  if (auto *variable = dyn_cast<AllocaInst>(root)) {
    const std::optional<TypeSize> size = variable->getAllocationSize(layout_);
    if (!size) return trusted();
    Origin origin = named(UPSWEEP_OBJECT_PRIVATE, plain_name(variable->getName()), variable->getAlign());
    origin.bytes = size->getFixedValue();
    return origin;
  }
  if (auto *variable = dyn_cast<GlobalVariable>(root)) {
    if (variable->hasMetadata(kLibraryVariable)) return trusted();
    const bool is_local = variable->hasMetadata(kLocalMetadata);
    Origin origin = named(is_local ? UPSWEEP_OBJECT_LOCAL : UPSWEEP_OBJECT_PROGRAM, plain_name(variable->getName()),
                          variable->getPointerAlignment(layout_));
    origin.bytes = layout_.getTypeAllocSize(variable->getValueType()).getFixedValue();
    origin.is_constant = variable->isConstant();
    return origin;
  }
  if (auto *place = dyn_cast<GEPOperator>(root))
    return is_in_block(*root) ? origin_in_block(*root) : origin_of_argument(*cast<LoadInst>(*place->idx_begin()));
  if (isa<UndefValue, Function>(root)) return trusted();
  if (isa<ConstantPointerNull>(root)) {
    Origin nothing;
    nothing.bytes = 0;
    nothing.align = Align(kLargestAlign);
    return nothing;
  }
  const Ups intrinsic = intrinsic_of(*root);
  if (is_contained({Ups::kScratch, Ups::kArguments, Ups::kLocal}, intrinsic)) {
    Origin origin = trusted();
    origin.hands_on = intrinsic == Ups::kScratch;
    return origin;
  }
  if (auto *load = dyn_cast<LoadInst>(root)) return origin_of_argument(*load);
  return std::nullopt;
}

bool ProvenanceFinder::is_root(Value *value) const {
  return is_local_argument(*value) || is_in_block(*value) ||
         !(isa<PHINode, SelectInst, FreezeInst>(value) || isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(value));
}

/// The only root that the pointer can come from; null if there are several.
Value *ProvenanceFinder::root_of(Value *pointer) {
  auto [known, is_new] = roots_.try_emplace(pointer, nullptr);
  if (!is_new) return known->second;
  SmallVector<Value *, 8> work{pointer};
  SmallPtrSet<Value *, 16> seen{pointer};
  Value *root = nullptr;
  while (!work.empty()) {
    Value *value = work.pop_back_val();
    if (is_root(value)) {
      if ((root && root != value) || seen.size() > kMostValues) return nullptr;
      root = value;
      continue;
    }
    SmallVector<Value *, 4> sources;
    if (auto *place = dyn_cast<GEPOperator>(value))
      sources = {place->getPointerOperand()};
    else if (auto *select = dyn_cast<SelectInst>(value))
      sources = {select->getTrueValue(), select->getFalseValue()};
    else
      sources.append(cast<User>(value)->op_begin(), cast<User>(value)->op_end());
    for (Value *source : sources)
      if (seen.insert(source).second) work.push_back(source);
  }
  return roots_[pointer] = root;
}

std::optional<Origin> ProvenanceFinder::origin(Value *pointer) {
  Value *root = root_of(pointer);
  return root ? origin_of_root(root) : std::nullopt;
}

Align ProvenanceFinder::alignment(Value *pointer, unsigned depth) {
  if (depth > 6) return Align(1);
  if (is_root(pointer)) {
    const std::optional<Origin> origin = origin_of_root(pointer);
    if (origin) return origin->is_trusted ? Align(kLargestAlign) : origin->align;
    return Align(1);
  }
  if (auto *place = dyn_cast<GEPOperator>(pointer)) {
    Align align = alignment(place->getPointerOperand(), depth + 1);
    MapVector<Value *, APInt> indices;
    APInt constant(64, 0);
    if (pointer->getType()->isVectorTy() || !place->collectOffset(layout_, 64, indices, constant)) return Align(1);
    align = commonAlignment(align, constant.getZExtValue());
    for (const auto &[index, scale] : indices) {
      const unsigned zeros = computeKnownBits(index, layout_).countMinTrailingZeros() + scale.countTrailingZeros();
      align = std::min(align, Align(uint64_t{1} << std::min(zeros, 12U)));
    }
    return align;
  }
  if (auto *phi = dyn_cast<PHINode>(pointer)) {
    Align align(kLargestAlign);
    for (Value *value : phi->incoming_values()) {
      // A step around the loop keeps the alignment that it has itself.
      auto *step = dyn_cast<GEPOperator>(value);
      APInt constant(64, 0);
      MapVector<Value *, APInt> indices;
      if (step && step->getPointerOperand() == phi && step->collectOffset(layout_, 64, indices, constant)) {
        align = commonAlignment(align, constant.getZExtValue());
        for (const auto &[index, scale] : indices) {
          const unsigned zeros = computeKnownBits(index, layout_).countMinTrailingZeros() + scale.countTrailingZeros();
          align = std::min(align, Align(uint64_t{1} << std::min(zeros, 12U)));
        }
      } else if (value != phi) {
        align = std::min(align, alignment(value, depth + 1));
      }
    }
    return align;
  }
  if (auto *select = dyn_cast<SelectInst>(pointer))
    return std::min(alignment(select->getTrueValue(), depth + 1), alignment(select->getFalseValue(), depth + 1));
  return alignment(cast<User>(pointer)->getOperand(0), depth + 1);
}

/// Moves the builder behind the definition of the pointer, where its provenance is computed.
void ProvenanceFinder::go_to(IRBuilder<> &builder, Value *pointer) {
  go_behind(builder, item_, pointer);
  const auto *instruction = dyn_cast<Instruction>(pointer);
  builder.SetCurrentDebugLocation(instruction ? instruction->getDebugLoc() : DebugLoc());
}

Value *ProvenanceFinder::bound(int32_t argument, size_t field, Align align) {
  Value *&value = bounds_[{argument, field | Log2(align) << 8}];
  if (value) return value;
  IRBuilder<> builder(item_.getContext());
  builder.SetInsertPoint(item_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Module &module = *item_.getParent();
  Type *i64 = builder.getInt64Ty(), *i32 = builder.getInt32Ty();
  FunctionCallee callee = module.getOrInsertFunction(name_of(Ups::kBounds), FunctionType::get(i64, {i32, i32, i32}, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return value = builder.CreateCall(callee, {builder.getInt32(static_cast<uint32_t>(argument)), builder.getInt32(field),
                                             builder.getInt32(static_cast<uint32_t>(align.value()))});
}

Provenance ProvenanceFinder::look_up(Value *pointer, uint32_t access) {
  IRBuilder<> builder(item_.getContext());
  go_to(builder, pointer);
  Module &module = *item_.getParent();
  Type *i64 = builder.getInt64Ty();
  auto *type = FunctionType::get(StructType::get(i64, i64), {builder.getPtrTy(), builder.getInt32Ty()}, false);
  FunctionCallee callee = module.getOrInsertFunction(name_of(Ups::kFindObject), type);
  auto *function = cast<Function>(callee.getCallee());
  function->setOnlyReadsMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  Value *found = builder.CreateCall(callee, {pointer, builder.getInt32(access)});
  return {builder.CreateExtractValue(found, 0), builder.CreateExtractValue(found, 1)};
}

Provenance ProvenanceFinder::start_of_root(Value *root, const Need &need) {
  Type *i64 = Type::getInt64Ty(item_.getContext());
  const std::optional<Origin> origin = origin_of_root(root);
  if (!origin) return look_up(root, need.access);
  Constant *zero = ConstantInt::get(i64, 0);
  if (origin->is_trusted)
    return {ConstantInt::get(i64, UPSWEEP_UNKNOWN_BYTES / 2), ConstantInt::get(i64, UPSWEEP_UNKNOWN_BYTES)};
  if (origin->bytes) return {zero, ConstantInt::get(i64, *origin->bytes)};
  const Align align = origin->kind == UPSWEEP_OBJECT_LOCAL_ARGUMENT ? Align(1) : need.align;
  Value *reads = bound(origin->argument, offsetof(UpsweepBounds, read_bytes), align);
  Value *writes = bound(origin->argument, offsetof(UpsweepBounds, write_bytes), align);
  Value *bytes = need.access == UPSWEEP_READS ? reads : writes;
  if (need.access == (UPSWEEP_READS | UPSWEEP_WRITES)) {
    IRBuilder<> builder(item_.getContext());
    builder.SetInsertPoint(cast<Instruction>(writes)->getNextNode());
    if (cast<Instruction>(writes)->comesBefore(cast<Instruction>(reads)))
      builder.SetInsertPoint(cast<Instruction>(reads)->getNextNode());
    bytes = builder.CreateBinaryIntrinsic(Intrinsic::umin, reads, writes);
  }
  if (origin->kind == UPSWEEP_OBJECT_LOCAL_ARGUMENT) return {zero, bytes};
  return {bound(origin->argument, offsetof(UpsweepBounds, start)), bytes};
}

Provenance ProvenanceFinder::start_of_phi(PHINode &phi, const Need &need, unsigned depth) {
  IRBuilder<> builder(&phi);
  builder.SetCurrentDebugLocation(DebugLoc());
  const unsigned count = phi.getNumIncomingValues();
  PHINode *starts = builder.CreatePHI(builder.getInt64Ty(), count);
  Value *root = root_of(&phi);
  PHINode *sizes = root ? nullptr : builder.CreatePHI(builder.getInt64Ty(), count);
  Value *bytes = root ? start(root, need, depth + 1).bytes : sizes;
  known_[key(&phi, need)] = {starts, bytes};
  for (unsigned i = 0; i < count; ++i) {
    const Provenance incoming = start(phi.getIncomingValue(i), need, depth + 1);
    starts->addIncoming(incoming.start, phi.getIncomingBlock(i));
    if (sizes) sizes->addIncoming(incoming.bytes, phi.getIncomingBlock(i));
  }
  return {starts, bytes};
}

Provenance ProvenanceFinder::start(Value *pointer, const Need &need, unsigned depth) {
  if (auto known = known_.find(key(pointer, need)); known != known_.end()) return known->second;
  Provenance made;
  if (is_root(pointer)) {
    made = start_of_root(pointer, need);
  } else if (depth > kDeepest) {
    made = look_up(pointer, need.access);
  } else if (auto *place = dyn_cast<GEPOperator>(pointer)) {
    made = start(place->getPointerOperand(), need, depth + 1);
    IRBuilder<> builder(item_.getContext());
    go_to(builder, pointer);
    made.start = builder.CreateAdd(made.start, emitGEPOffset(&builder, layout_, cast<User>(pointer), /*NoAssumptions=*/true));
  } else if (auto *phi = dyn_cast<PHINode>(pointer)) {
    made = start_of_phi(*phi, need, depth);
  } else if (auto *select = dyn_cast<SelectInst>(pointer); select && !select->getCondition()->getType()->isVectorTy()) {
    const Provenance yes = start(select->getTrueValue(), need, depth + 1);
    const Provenance no = start(select->getFalseValue(), need, depth + 1);
    IRBuilder<> builder(item_.getContext());
    go_to(builder, pointer);
    made.start = builder.CreateSelect(select->getCondition(), yes.start, no.start);
    made.bytes = yes.bytes == no.bytes ? yes.bytes : builder.CreateSelect(select->getCondition(), yes.bytes, no.bytes);
  } else {
    made = start(cast<User>(pointer)->getOperand(0), need, depth + 1);
  }
  return known_[key(pointer, need)] = made;
}

std::optional<Provenance> ProvenanceFinder::of(Value *pointer, uint32_t access, Align align) {
  const std::optional<Origin> only = origin(pointer);
  if (only && only->is_trusted) return std::nullopt;
  return start(pointer, {access, align}, 0);
}

}  // namespace upsweep::passes
