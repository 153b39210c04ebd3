// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at all accesses of a kernel, and writes the conditions.
#include "passes/cpu/check/quiet_arguments.h"

#include "base/race_abi.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/check/mark_races.h"
#include "passes/cpu/kernel_arguments.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

constexpr unsigned kDeepestIndex = 6;
constexpr size_t kMostTerms = 12;
/// No index of a quiet launch reaches this number, so that no arithmetic on 32 bits wraps.
constexpr uint64_t kMostElements = uint64_t{1} << 31;

/// Casts between numbers of at least 32 bits change no index of a quiet launch.
Value *without_casts(Value *value) {
  for (;;) {
    Value *inner = nullptr;
    const bool is_cast = match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner))) ||
                         match(value, m_And(m_Value(inner), m_SpecificInt(UINT32_MAX)));
    if (!is_cast || value->getType()->getScalarSizeInBits() < 32 || inner->getType()->getScalarSizeInBits() < 32) return value;
    value = inner;
  }
}

std::optional<unsigned> dimension_of(const Value &value, Ups intrinsic) {
  const auto *call = dyn_cast<CallInst>(&value);
  if (!call || intrinsic_of(*call) != intrinsic) return std::nullopt;
  const auto *dimension = dyn_cast<ConstantInt>(call->getArgOperand(0));
  if (!dimension || dimension->getZExtValue() > 2) return std::nullopt;
  return static_cast<unsigned>(dimension->getZExtValue());
}

SmallVector<Value *, 8> terms_of(ArrayRef<Value *> values) {
  SmallVector<Value *, 8> terms, open(values);
  while (!open.empty() && terms.size() <= kMostTerms) {
    Value *term = without_casts(open.pop_back_val()), *one = nullptr, *other = nullptr;
    if (match(term, m_Add(m_Value(one), m_Value(other))))
      open.append({one, other});
    else
      terms.push_back(term);
  }
  return terms;
}

/// A call of a function that may access memory of arguments, and that is none of the accesses that are looked at.
bool may_access_memory(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call) || call->doesNotAccessMemory()) return false;
  const Function *callee = call->getCalledFunction();
  return !callee || !callee->isDeclaration();
}

}  // namespace

QuietArguments::QuietArguments(Kernel &kernel, ProvenanceFinder &finder)
    : item_(*kernel.item), required_(kernel.description.required_local_size), finder_(finder), builder_(item_.getContext()) {
  builder_.SetInsertPoint(item_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  find_uses();
  for (auto &[argument, use] : uses_) conditions_[argument] = make_condition(use);
}

void QuietArguments::find_uses() {
  for (Instruction &instruction : instructions(item_)) {
    if (intrinsic_of(instruction) == Ups::kRaceAtomic) {
      auto &mark = cast<CallInst>(instruction);
      const auto number = [&](unsigned i) { return cast<ConstantInt>(mark.getArgOperand(i))->getZExtValue(); };
      const bool is_copy = number(3) == UPSWEEP_RACE_WHOLE_COPY;
      if (!isa<ConstantPointerNull>(mark.getArgOperand(0)))
        add_use(mark.getArgOperand(0), 0, is_copy ? static_cast<uint32_t>(number(2)) : UPSWEEP_READS | UPSWEEP_WRITES, false);
      continue;
    }
    if (may_access_memory(instruction)) has_unknown_read_ = has_unknown_write_ = true;
    const bool is_plain =
        isa<LoadInst, StoreInst>(instruction) && !instruction.isAtomic() && race_role(instruction) == RaceRole::kNone;
    for (const CheckedAccess &access : checked_accesses(instruction)) {
      const auto *width = dyn_cast<ConstantInt>(access.width);
      // A load for a store to some components counts as the store's write.
      const uint32_t rights = access.is_silent ? static_cast<uint32_t>(UPSWEEP_READS) : access.access;
      add_use(access.pointer, width ? width->getZExtValue() : 0, rights, is_plain && width);
    }
  }
}

void QuietArguments::add_use(Value *pointer, uint64_t width, uint32_t access, bool is_plain) {
  const std::optional<Origin> origin = finder_.origin(pointer);
  if (!origin) {
    (access & UPSWEEP_WRITES ? has_unknown_write_ : has_unknown_read_) = true;
    return;
  }
  if (origin->kind != UPSWEEP_OBJECT_ARGUMENT || origin->is_trusted) return;
  Use &use = uses_[origin->argument];
  use.has_write = use.has_write || access & UPSWEEP_WRITES;
  use.is_plain = use.is_plain && is_plain;
  if (use.is_plain) add_element(use, pointer, width);
}

void QuietArguments::add_element(Use &use, Value *pointer, uint64_t width) {
  const DataLayout &layout = item_.getDataLayout();
  APInt constant(64, 0);
  use.is_plain = false;
  Value *base = pointer;
  SmallVector<Value *, 8> variables;
  uint64_t scale = 0;
  while (auto *place = dyn_cast<GEPOperator>(base)) {
    MapVector<Value *, APInt> offsets;
    if (!place->collectOffset(layout, 64, offsets, constant)) return;
    for (const auto &[index, factor] : offsets) {
      if (scale != 0 && scale != factor.getZExtValue()) return;
      variables.push_back(index);
      scale = factor.getZExtValue();
    }
    base = place->getPointerOperand();
  }
  if (!isa<LoadInst>(base) || variables.empty() || scale == 0 || scale > kMostElements) return;
  const std::optional<Index> index = index_of(variables, 0);
  const int64_t low = constant.getSExtValue(), high = low + static_cast<int64_t>(width);
  if (!index || low < INT32_MIN || high > INT32_MAX) return;
  if (!use.index) {
    use.index = index;
    use.scale = scale;
    use.low = low;
    use.high = high;
  } else if (use.index->text != index->text || use.scale != scale) {
    return;
  }
  use.low = std::min(use.low, low);
  use.high = std::max(use.high, high);
  use.is_plain = use.high - use.low <= static_cast<int64_t>(scale);
}

/// The dimension of a group id * enqueued local size. A required local size is a constant.
std::optional<unsigned> QuietArguments::group_start_of(Value *value) const {
  Value *one = nullptr, *other = nullptr;
  const APInt *constant = nullptr;
  const auto is_size = [&](unsigned dimension, uint64_t size) { return required_[dimension] == size && size != 0; };
  if (match(value, m_Shl(m_Value(one), m_APInt(constant))) && constant->ult(31)) {
    const std::optional<unsigned> found = dimension_of(*without_casts(one), Ups::kGroupId);
    return found && is_size(*found, uint64_t{1} << constant->getZExtValue()) ? found : std::nullopt;
  }
  if (!match(value, m_Mul(m_Value(one), m_Value(other)))) return std::nullopt;
  for (int i = 0; i < 2; ++i, std::swap(one, other)) {
    const std::optional<unsigned> found = dimension_of(*without_casts(one), Ups::kGroupId);
    if (!found) continue;
    if (dimension_of(*without_casts(other), Ups::kEnqueuedLocalSize) == found) return found;
    if (match(other, m_APInt(constant)) && is_size(*found, constant->getZExtValue())) return found;
  }
  return std::nullopt;
}

/// The dimension of a global id: group id * enqueued local size + local id + global offset.
std::optional<unsigned> QuietArguments::global_id(ArrayRef<Value *> terms) const {
  std::optional<unsigned> local, group, offset;
  for (Value *term : terms) {
    const std::optional<unsigned> local_found = dimension_of(*term, Ups::kLocalId), group_found = group_start_of(term),
                                  offset_found = dimension_of(*term, Ups::kGlobalOffset);
    std::optional<unsigned> &part = local_found ? local : group_found ? group : offset;
    const std::optional<unsigned> found = local_found ? local_found : group_found ? group_found : offset_found;
    if (!found || part) return std::nullopt;
    part = found;
  }
  return local && local == group && (!offset || offset == local) ? local : std::nullopt;
}

/// A uniform value, computed in the entry; null if it cannot be. `text` gets a name that is equal for equal values.
Value *QuietArguments::at_entry(Value *value, std::string &text, unsigned depth) {
  if (depth > kDeepestIndex) return nullptr;
  Type *i64 = builder_.getInt64Ty();
  Value *inner = without_casts(value);
  if (const auto *constant = dyn_cast<ConstantInt>(inner)) {
    if (constant->getValue().getActiveBits() > 32) return nullptr;
    text += std::to_string(constant->getZExtValue());
    return ConstantInt::get(i64, constant->getZExtValue());
  }
  for (const Ups known : {Ups::kGlobalSize, Ups::kEnqueuedLocalSize, Ups::kNumGroups})
    if (const std::optional<unsigned> dimension = dimension_of(*inner, known)) {
      text += name_of(known).str() + std::to_string(*dimension);
      return query(known, *dimension);
    }
  auto *load = dyn_cast<LoadInst>(inner);
  if (!load || !load->hasMetadata(LLVMContext::MD_invariant_load) || !load->getType()->isIntegerTy()) return nullptr;
  if (load->getType()->getIntegerBitWidth() > 64) return nullptr;
  APInt offset(64, 0);
  Value *block = load->getPointerOperand()->stripAndAccumulateConstantOffsets(item_.getDataLayout(), offset, true);
  if (intrinsic_of(*block) != Ups::kArguments) return nullptr;
  text += "argument" + std::to_string(offset.getZExtValue());
  Value *arguments = builder_.CreateCall(cast<CallInst>(block)->getCalledFunction(), {});
  Value *address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), arguments, offset.getZExtValue());
  LoadInst *copy = builder_.CreateAlignedLoad(load->getType(), address, load->getAlign());
  copy->setMetadata(LLVMContext::MD_invariant_load, load->getMetadata(LLVMContext::MD_invariant_load));
  return builder_.CreateZExt(copy, i64);
}

/// The index that is the sum of `values`.
std::optional<QuietArguments::Index> QuietArguments::index_of(ArrayRef<Value *> values, unsigned depth) {
  const SmallVector<Value *, 8> terms = terms_of(values);
  if (depth > kDeepestIndex || terms.size() > kMostTerms) return std::nullopt;
  if (const std::optional<unsigned> dimension = global_id(terms)) {
    Index index;
    index.dimensions = {*dimension};
    index.text = "g" + std::to_string(*dimension);
    return index;
  }
  for (size_t i = 0; i < terms.size(); ++i) {
    SmallVector<Value *, 8> others(terms);
    others.erase(others.begin() + static_cast<ptrdiff_t>(i));
    const std::optional<unsigned> low = global_id(others);
    if (low) return index_of_product(terms[i], *low, depth);
  }
  return std::nullopt;
}

/// The index product + a global id.
std::optional<QuietArguments::Index> QuietArguments::index_of_product(Value *product, unsigned low, unsigned depth) {
  Value *high = nullptr, *factor = nullptr;
  const APInt *shift = nullptr;
  if (match(product, m_Shl(m_Value(high), m_APInt(shift))) && shift->ult(31))
    factor = builder_.getInt64(uint64_t{1} << shift->getZExtValue());
  else if (!match(product, m_Mul(m_Value(high), m_Value(factor))))
    return std::nullopt;
  for (int i = 0; i < 2; ++i, std::swap(high, factor)) {
    std::string text;
    std::optional<Index> index = index_of(high, depth + 1);
    Value *by = index && !is_contained(index->dimensions, low) ? at_entry(factor, text) : nullptr;
    if (!by) continue;
    index->by.emplace_back(static_cast<unsigned>(index->dimensions.size()), by);
    index->dimensions.push_back(low);
    index->text = "(" + index->text + "*" + text + "+g" + std::to_string(low) + ")";
    return index;
  }
  return std::nullopt;
}

Value *QuietArguments::query(Ups intrinsic, unsigned dimension) {
  Type *i64 = builder_.getInt64Ty(), *i32 = builder_.getInt32Ty();
  FunctionCallee callee = item_.getParent()->getOrInsertFunction(name_of(intrinsic), FunctionType::get(i64, {i32}, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return builder_.CreateCall(callee, {builder_.getInt32(dimension)});
}

Value *QuietArguments::are_apart() {
  if (!apart_) apart_ = builder_.CreateCall(declare_query(*item_.getParent(), Ups::kArgumentsApart, builder_.getInt1Ty()));
  return apart_;
}

/// Each factor exceeds the digits behind it, no index is too large, and ids that are not digits are always the same.
Value *QuietArguments::is_injective(const Index &index) {
  Value *most = builder_.getInt64(kMostElements);
  const auto bound_of = [&](unsigned dimension) {
    return builder_.CreateAdd(query(Ups::kGlobalOffset, dimension), query(Ups::kGlobalSize, dimension));
  };
  Value *bound = bound_of(index.dimensions.front());
  Value *all = builder_.CreateICmpULT(bound, most);
  for (const auto &[position, factor] : index.by) {
    Value *digit = bound_of(index.dimensions[position]);
    all = builder_.CreateAnd(all, builder_.CreateICmpUGE(factor, digit));
    all = builder_.CreateAnd(all, builder_.CreateICmpULT(factor, most));
    bound = builder_.CreateMul(builder_.CreateBinaryIntrinsic(Intrinsic::umin, bound, most),
                               builder_.CreateBinaryIntrinsic(Intrinsic::umin, factor, most));
    all = builder_.CreateAnd(all, builder_.CreateICmpULT(bound, most));
  }
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (!is_contained(index.dimensions, dimension))
      all = builder_.CreateAnd(all, builder_.CreateICmpULE(query(Ups::kGlobalSize, dimension), builder_.getInt64(1)));
  return all;
}

Value *QuietArguments::make_condition(const Use &use) {
  if (!use.has_write && !has_unknown_write_) return are_apart();
  if (!use.is_plain || !use.index || has_unknown_write_ || has_unknown_read_) return nullptr;
  return builder_.CreateAnd(are_apart(), is_injective(*use.index));
}

}  // namespace upsweep::passes
