// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a module: capabilities, imports, entry points and modes, names and decorations, types and constants, functions.
#include "compiler/spirv/reader.h"

#include "compiler/language/recursion.h"
#include "compiler/spirv/code.h"
#include "compiler/spirv/kernels.h"
#include "passes/common/kernel_info.h"
#include "passes/common/remarks.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <new>

namespace upsweep::compiler::spirv {
namespace {

bool is_supported(spv::Capability capability) {
  switch (static_cast<uint32_t>(capability)) {
#define UPSWEEP_CAPABILITY(name, number) case number:
#include "base/spirv.def"
    return true;
  default: return false;
  }
}

void check_capability(spv::Capability capability) {
  if (!is_supported(capability))
    throw Invalid("the module needs the capability " + name_of(capability) + ", which is not supported");
}

/// The sections in front of the functions, in their order; instructions of a later section may not precede an earlier one's.
bool is_global(Op op) {
  switch (op) {
  case Op::OpNop:
  case Op::OpUndef:
  case Op::OpLine:
  case Op::OpNoLine:
  case Op::OpVariable: return true;
  default:
    return (op >= Op::OpTypeVoid && op <= Op::OpTypeForwardPointer) || op == Op::OpTypePipeStorage ||
           op == Op::OpTypeNamedBarrier || op == Op::OpConstantPipeStorage ||
           (op >= Op::OpConstantTrue && op <= Op::OpSpecConstantOp);
  }
}

}  // namespace

Reader::Reader(llvm::LLVMContext &context, const Input &input, std::string &log)
    : input_(input), log_(log), module_(std::make_unique<llvm::Module>("program", context)) {
  module_->setTargetTriple("spir64-unknown-unknown");
  module_->setDataLayout("e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1");
}

const Type &Reader::type(uint32_t id) const {
  require(id < type_of_id_.size() && type_of_id_[id], "an id that should be a type's is none");
  return *type_of_id_[id];
}

Value Reader::value(uint32_t id) const {
  require(id < values_.size(), "an id is above the bound");
  if (!values_[id].llvm) throw Invalid("%" + std::to_string(id) + " is no value that exists here");
  return values_[id];
}

const Type &Reader::result_type(uint32_t id) const {
  require(id < result_types_.size(), "an id is above the bound");
  return type(result_types_[id]);
}

uint64_t Reader::constant(uint32_t id) const {
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value(id).llvm);
  require(number && number->getBitWidth() <= 64, "an operand is not an integer constant");
  return number->getZExtValue();
}

llvm::Function &Reader::function(uint32_t id) const {
  llvm::Function *found = functions_.lookup(id);
  require(found, "an id that should be a function's is none");
  return *found;
}

llvm::ArrayRef<Decoration> Reader::decorations(uint32_t id) const {
  const auto found = decorations_.find(id);
  return found != decorations_.end() ? llvm::ArrayRef<Decoration>(found->second) : llvm::ArrayRef<Decoration>();
}

const Decoration *Reader::decoration(uint32_t id, spv::Decoration kind) const {
  for (const Decoration &each : decorations(id))
    if (each.kind == kind) return &each;
  return nullptr;
}

llvm::StringRef Reader::name(uint32_t id) const {
  const auto found = names_.find(id);
  return found != names_.end() ? llvm::StringRef(found->second) : llvm::StringRef();
}

const EntryPoint *Reader::entry_point(uint32_t id) const {
  const auto found = entry_points_.find(id);
  return found != entry_points_.end() ? &found->second : nullptr;
}

const EntryPoint *Reader::kernel(const Instruction &head) const {
  const Type &type = this->type(head.at(1));
  const auto is_generic = [](const Type *parameter) {
    return parameter->is_pointer() && parameter->storage == spv::StorageClass::Generic;
  };
  return llvm::none_of(type.members, is_generic) ? entry_point(head.result) : nullptr;
}

std::optional<spv::BuiltIn> Reader::built_in(uint32_t id) const {
  const Decoration *found = decoration(id, spv::Decoration::BuiltIn);
  if (!found) return std::nullopt;
  require(!found->words.empty(), "a decoration BuiltIn names no variable");
  return static_cast<spv::BuiltIn>(found->words[0]);
}

const Type &Reader::built_in_type(uint32_t id) const {
  const Type *found = built_in_types_.lookup(id);
  require(found, "a built-in variable is not declared");
  return *found;
}

std::optional<uint32_t> Reader::sampler(uint32_t id) const {
  const auto found = samplers_.find(id);
  return found != samplers_.end() ? std::optional(found->second) : std::nullopt;
}

void Reader::define(uint32_t id, llvm::Value *value, const Type &type) {
  require(id != 0 && id < values_.size(), "an id is 0, or not below the bound");
  require(!values_[id].llvm && !type_of_id_[id], "an id is defined twice");
  require(value->getType() == type.llvm, "the result's type does not fit the operands");
  values_[id] = {value, &type};
}

void Reader::declare(Type type) {
  require(type.id != 0 && type.id < type_of_id_.size(), "an id is 0, or not below the bound");
  require(!type_of_id_[type.id] && !values_[type.id].llvm, "an id is defined twice");
  constexpr unsigned kMostLevels = 255;
  require(type.depth <= kMostLevels, "types are nested deeper than 255 levels");
  types_.push_back(std::move(type));
  type_of_id_[types_.back().id] = &types_.back();
}

void Reader::read_import(const Instruction &i) {
  const std::string name = text_at(i.operands, 0);
  if (name == "OpenCL.std")
    imports_[i.result] = Import::kOpenClStd;
  else if (name == "OpenCL.DebugInfo.100" || name == "SPIRV.debug" || llvm::StringRef(name).starts_with("NonSemantic."))
    imports_[i.result] = Import::kIgnored;
  else
    throw Invalid("the extended instructions '" + name + "' are not supported");
}

void Reader::decorate(const Instruction &i) {
  // Each use of an id looks through its decorations.
  constexpr size_t kMostOfAnId = 1000;
  constexpr const char *kTooMany = "an id has more than 1000 decorations";
  const uint32_t target = i.at(0);
  if (i.op == Op::OpGroupDecorate) {
    // The module decorates the group before this instruction.
    const std::vector<Decoration> group = decorations(target).vec();
    constexpr size_t kMostCopies = 1000000;
    copied_decorations_ += group.size() * (i.size() - 1);
    require(copied_decorations_ <= kMostCopies, "groups give more than a million decorations");
    for (const uint32_t id : i.operands.drop_front()) {
      require(id != target, "a group of decorations decorates itself");
      std::vector<Decoration> &all = decorations_[id];
      all.insert(all.end(), group.begin(), group.end());
      require(all.size() <= kMostOfAnId, kTooMany);
    }
    return;
  }
  const auto kind = static_cast<spv::Decoration>(i.at(1));
  std::vector<Decoration> &all = decorations_[target];
  all.push_back({kind, i.operands.drop_front(2).vec()});
  require(all.size() <= kMostOfAnId, kTooMany);
}

void Reader::note(llvm::StringRef text) {
  if (!text.consume_front("kernel_arg_type.")) return;
  const auto [kernel, types] = text.split('.');
  noted_types_[kernel] = types.str();
}

void Reader::read_alias(const Instruction &i) {
  llvm::LLVMContext &context = this->context();
  if (i.op == Op(5911)) {  // OpAliasDomainDeclINTEL
    llvm::MDNode *domain = llvm::MDNode::getDistinct(context, {nullptr});
    domain->replaceOperandWith(0, domain);
    scopes_[i.result] = domain;
  } else if (i.op == Op(5912)) {  // OpAliasScopeDeclINTEL
    llvm::MDNode *domain = scopes_.lookup(i.at(0));
    require(domain, "an alias scope has no domain");
    llvm::MDNode *scope = llvm::MDNode::getDistinct(context, {nullptr, domain});
    scope->replaceOperandWith(0, scope);
    scopes_[i.result] = scope;
  } else {  // OpAliasScopeListDeclINTEL
    llvm::SmallVector<llvm::Metadata *, 4> list;
    for (const uint32_t id : i.operands) {
      require(scopes_.lookup(id), "a list of alias scopes names none");
      list.push_back(scopes_.lookup(id));
    }
    scopes_[i.result] = llvm::MDNode::get(context, list);
  }
}

void Reader::read_preamble(const Instruction &i) {
  switch (i.op) {
  case Op::OpCapability: return;  // split_words() has asked
  case Op::OpExtInstImport: return read_import(i);
  case Op::OpMemoryModel:
    require(static_cast<spv::AddressingModel>(i.at(0)) == spv::AddressingModel::Physical64,
            "the device has 64-bit addresses: the addressing model must be Physical64");
    require(static_cast<spv::MemoryModel>(i.at(1)) == spv::MemoryModel::OpenCL, "the memory model must be OpenCL");
    return;
  case Op::OpEntryPoint: {
    require(static_cast<spv::ExecutionModel>(i.at(0)) == spv::ExecutionModel::Kernel, "an entry point is not a kernel");
    EntryPoint &entry = entry_points_[i.at(1)];
    require(entry.name.empty(), "a function is two entry points");
    entry.name = text_at(i.operands, 2);
    require(!entry.name.empty(), "an entry point has no name");
    entry_names_.insert(entry.name);
    return;
  }
  case Op::OpExecutionMode:
  case Op::OpExecutionModeId: {
    const auto found = entry_points_.find(i.at(0));
    require(found != entry_points_.end(), "an execution mode is not an entry point's");
    found->second.modes.push_back(&i);
    if (static_cast<spv::ExecutionMode>(i.at(1)) == spv::ExecutionMode::ContractionOff) contracts_ = false;
    return;
  }
  case Op::OpString: return note(text_at(i.operands, 0));
  case Op::OpName: names_[i.at(0)] = text_at(i.operands, 1); return;
  case Op::OpDecorate:
  case Op::OpDecorateId:
  case Op::OpDecorateString:
  case Op::OpGroupDecorate: return decorate(i);
  case Op(5911):
  case Op(5912):
  case Op(5913): return read_alias(i);
  case Op::OpMemberDecorate:
  case Op::OpMemberDecorateString:
  case Op::OpGroupMemberDecorate:
  case Op::OpDecorationGroup:
  case Op::OpMemberName:
  case Op::OpSource:
  case Op::OpSourceContinued:
  case Op::OpSourceExtension:
  case Op::OpModuleProcessed:
  case Op::OpExtension: return;  // a capability says all that an extension needs
  case Op::OpExtInst:
    require(import(i.at(0)) == Import::kIgnored, "an instruction of OpenCL.std stands outside of functions");
    return;
  default: throw Invalid("it stands in front of the functions, where it has no meaning");
  }
}

void Reader::read_globals() {
  for (; now_ < words_.instructions.size(); ++now_) {
    const Instruction &i = words_.instructions[now_];
    if (i.op == Op::OpFunction) return;
    if (!is_global(i.op)) {
      read_preamble(i);
    } else if (i.op == Op::OpVariable) {
      read_variable(i);
    } else if (i.op == Op::OpUndef) {
      const Type &type = this->type(i.type);
      require(type.llvm && type.bytes, "a value of this type cannot exist");
      define(i.result, llvm::UndefValue::get(type.llvm), type);
    } else if (i.op >= Op::OpConstantTrue && i.op <= Op::OpSpecConstantOp) {
      read_constant(i);
    } else if (i.op != Op::OpNop && i.op != Op::OpLine && i.op != Op::OpNoLine) {
      read_type(i);
    }
  }
}

void Reader::split_functions() {
  const std::vector<Instruction> &all = words_.instructions;
  for (size_t i = now_; i < all.size(); ++i) {
    now_ = static_cast<uint32_t>(i);
    if (all[i].op == Op::OpLine || all[i].op == Op::OpNoLine || all[i].op == Op::OpNop ||
        (all[i].op == Op::OpExtInst && import(all[i].at(0)) == Import::kIgnored))
      continue;
    require(all[i].op == Op::OpFunction, "it stands between two functions");
    const size_t first = i;
    while (i < all.size() && all[i].op != Op::OpFunctionEnd) {
      require(i == first || all[i].op != Op::OpFunction, "a function begins inside another");
      ++i;
    }
    require(i < all.size(), "the module ends inside a function");
    bodies_.push_back({first, i});
    const bool has_body = llvm::any_of(llvm::ArrayRef(all).slice(first, i - first),
                                       [](const Instruction &each) { return each.op == Op::OpLabel; });
    const auto control = static_cast<spv::FunctionControlMask>(all[first].at(0));
    if (has_body && (control & spv::FunctionControlMask::DontInline) == spv::FunctionControlMask::MaskNone)
      heeds_dont_inline_ = true;
  }
}

void Reader::declare_function(const Instruction &i, llvm::ArrayRef<Instruction> body) {
  const Type &type = this->type(i.at(1));
  require(type.is(Op::OpTypeFunction) && type.element == &this->type(i.type),
          "the function's type is none, or has another result");
  // Before the parameters of the type are looked at, which many functions may share.
  require(llvm::count_if(body, [](const Instruction &each) { return each.op == Op::OpFunctionParameter; }) ==
              static_cast<long>(type.members.size()),
          "a function has more or fewer parameters than its type");
  const Decoration *linkage = decoration(i.result, spv::Decoration::LinkageAttributes);
  const bool has_body = llvm::any_of(body, [](const Instruction &each) { return each.op == Op::OpLabel; });
  const EntryPoint *entry = kernel(i);
  std::string name = this->name(i.result).str();
  auto kind = llvm::GlobalValue::InternalLinkage;
  if (entry) {
    require(has_body, "an entry point has no body");
    require(type.element->is(Op::OpTypeVoid), "a kernel returns a value");
    name = passes::kernel_symbol(entry->name);
    kind = llvm::GlobalValue::ExternalLinkage;
  } else if (linkage) {
    size_t next = 0;
    name = text_at(linkage->words, 0, &next);
    require(next < linkage->words.size(), "a decoration LinkageAttributes is too short");
    // Weak, since the linker drops what is linked once and not used by the modules before.
    constexpr uint32_t kLinkOnceOdr = 2;
    kind = linkage->words[next] == kLinkOnceOdr ? llvm::GlobalValue::WeakODRLinkage : llvm::GlobalValue::ExternalLinkage;
    // The translator of LLVM exports a kernel's body under the kernel's name.
    const bool is_kernel = entry_names_.contains(name);
    if (is_kernel) kind = llvm::GlobalValue::InternalLinkage;
    if (is_kernel) name += ".body";
  }
  require(!llvm::StringRef(name).starts_with("__ups_"), "names that begin with __ups_ are the compiler's");
  require(has_body || linkage, "a function has neither a body nor a name to import");
  require(has_body || (name != "printf" && name != "__translate_sampler_initializer"),
          "the module imports a function for which SPIR-V has instructions");
  if (!has_body) kind = llvm::GlobalValue::ExternalLinkage;
  auto *function_type = llvm::cast<llvm::FunctionType>(type.llvm);
  llvm::Function *function = kind != llvm::GlobalValue::InternalLinkage ? module_->getFunction(name) : nullptr;
  require(function || kind == llvm::GlobalValue::InternalLinkage || !module_->getNamedValue(name),
          "a variable and a function have the same name");
  // An internal function may not be taken for one of the library, or for an intrinsic.
  if (kind == llvm::GlobalValue::InternalLinkage) name = "spv." + name;
  if (function) {
    require(!has_body && function->isDeclaration() && function->getFunctionType() == function_type,
            "two functions have the same name");
  } else {
    function = llvm::Function::Create(function_type, kind, name, *module_);
    set_function_attributes(*this, *function, i, body);
  }
  require(functions_.try_emplace(i.result, function).second && !type_of_id_[i.result] && !values_[i.result].llvm,
          "an id is defined twice");
}

void Reader::check_module() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(*module_, &stream))
    throw Invalid("the module breaks a rule of SSA form: " + llvm::StringRef(text).rtrim().str());
}

void Reader::add_line_tables() {
  tables_.emplace(*module_, lines_);
  for (const FunctionBody &each : bodies_)
    if (llvm::any_of(llvm::ArrayRef(words_.instructions).slice(each.first, each.last - each.first),
                     [](const Instruction &i) { return i.op == Op::OpLabel; }))
      tables_->add(function(words_.instructions[each.first].result), each.first, each.last);
}

std::unique_ptr<llvm::Module> Reader::read() {
  size_t place = 0;
  bool is_split = false;
  try {
    words_ = split_words({input_.bytes.data(), input_.bytes.size()}, check_capability);
    is_split = true;
    lines_ = SourceLines(words_.instructions);
    type_of_id_.resize(words_.bound);
    values_.resize(words_.bound);
    result_types_.resize(words_.bound);
    for (const Instruction &i : words_.instructions)
      if (i.result != 0) result_types_[i.result] = i.type;
    read_globals();
    split_functions();
    const llvm::ArrayRef<Instruction> all(words_.instructions);
    const auto body_of = [&](const FunctionBody &each) { return all.slice(each.first, each.last - each.first); };
    for (const FunctionBody &each : bodies_) {
      now_ = static_cast<uint32_t>(each.first);
      declare_function(all[each.first], body_of(each));
    }
    for (const auto &[id, entry] : entry_points_) require(functions_.contains(id), "an entry point is no function");
    if (input_.line_tables) add_line_tables();
    for (const FunctionBody &each : bodies_) {
      const Instruction &head = all[each.first];
      if (llvm::none_of(body_of(each), [](const Instruction &i) { return i.op == Op::OpLabel; })) continue;
      place = each.first;
      Code code(*this, function(head.result));
      now_ = UINT32_MAX;
      code.read_body(body_of(each), place);
      if (const EntryPoint *entry = kernel(head)) describe_kernel(*this, function(head.result), *entry, body_of(each));
    }
    now_ = UINT32_MAX, place = all.size();
    finish_module(*this);
    if (tables_) tables_->finish();
    check_module();
    return std::move(module_);
  } catch (const Invalid &problem) {
    const size_t index = now_ != UINT32_MAX ? now_ : place;
    if (const std::string line = lines_.place_of(index); !line.empty()) log_ += line + ": ";
    log_ += "error: invalid SPIR-V: ";
    if (is_split && index < words_.instructions.size()) {
      const Instruction &i = words_.instructions[index];
      log_ += "word " + std::to_string(i.word) + ": " + name_of(i.op) + ": ";
    }
    log_ += std::string(problem.what()) + "\n";
  }
  return nullptr;
}

/// SPIR-V has no recursion, whatever the options permit in a source.
static bool is_without_recursion(llvm::Module &module, std::string &log) {
  const auto found = find_recursion(module);
  for (const Recursion &recursion : found) {
    std::vector<std::string> names;
    for (const llvm::Function *function : recursion) names.push_back(function->getName().str());
    log += "error: invalid SPIR-V: recursion: " + describe_recursion(names) + "\n";
  }
  return found.empty();
}

bool is_spirv(std::span<const uint8_t> bytes) {
  if (bytes.size() < 4) return false;
  const uint32_t word = llvm::support::endian::read32le(bytes.data());
  return word == spv::MagicNumber || word == llvm::byteswap(static_cast<uint32_t>(spv::MagicNumber));
}

std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext &context, const Input &input, const Options &options,
                                          std::string &log) {
  std::unique_ptr<llvm::Module> module = Reader(context, input, log).read();
  if (!module || !is_without_recursion(*module, log)) return nullptr;
  const bool is_rounded = llvm::is_contained(options.clang_arguments, "-cl-fp32-correctly-rounded-divide-sqrt");
  const bool is_uniform = llvm::is_contained(options.clang_arguments, "-cl-uniform-work-group-size");
  for (llvm::Function &function : *module) {
    if (function.isDeclaration()) continue;
    if (options.opt_disable) function.addFnAttr("upsweep-opt-disable");
    if (options.remarks) function.addFnAttr(passes::kRemarksAttribute);
    if (is_rounded)
      for (llvm::Instruction &each : llvm::instructions(function)) each.setMetadata(llvm::LLVMContext::MD_fpmath, nullptr);
    if (options.argument_info && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      function.addFnAttr("upsweep-argument-info");
    if (is_uniform && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      function.addFnAttr("uniform-work-group-size", "true");
  }
  return module;
}

}  // namespace upsweep::compiler::spirv
