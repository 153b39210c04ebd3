// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Build, compile, link and lower: from request to program binary.
#include "compiler/server/job.h"

#include "base/checks.h"
#include "compiler/client/binary.h"
#include "compiler/client/gpu_image.h"
#include "compiler/code/code_generation.h"
#include "compiler/code/cpu_target.h"
#include "compiler/code/gpu_target.h"
#include "compiler/language/frontend.h"
#include "compiler/language/recursion.h"
#include "compiler/safety/unsafe_module.h"
#include "compiler/spirv/read_module.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

namespace upsweep::compiler {
namespace {

constexpr char kBuildId[] = "upsweep " UPSWEEP_VERSION ", LLVM " LLVM_VERSION_STRING;
/// The name in diagnostics and __FILE__ for a source passed as a string.
constexpr char kSourceName[] = "<source>";

using ModuleBytes = llvm::SmallVector<char, 0>;

ByteSpan as_bytes(const ModuleBytes &bytes) { return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}; }

class Job {
public:
  Job(const Request &request, Session &session) : request_(request), session_(session) {}

  Result run() {
    switch (request_.kind) {
    case RequestKind::kBuild: from_source(OptionContext::kBuild); break;
    case RequestKind::kCompile: from_source(OptionContext::kCompile); break;
    case RequestKind::kLink: link(); break;
    case RequestKind::kLower: lower(); break;
    default: fail(Status::kUnavailable, "unknown request");
    }
    std::string &log = result_.reply.log;
    log.erase(log.find_last_not_of('\n') + 1);
    result_.cacheable &= result_.reply.status == Status::kSuccess;
    return std::move(result_);
  }

private:
  void from_source(OptionContext context) {
    llvm::Expected<Options> options = parse_options(request_.options, context);
    if (!options) return fail(Status::kInvalidOptions, options.takeError());
    options->allow_unsafe_source = request_.allow_unsafe_source;
    options->line_tables |= !request_.checks.empty();
    if (request_.is_spirv) return from_spirv(*options, context);
    const ReadableFolders folders(*options, request_);
    // The object of clCompileProgram may be linked for any target.
    const bool for_cpu = context == OptionContext::kBuild && !is_for_gpu();
    FrontendOutput front = run_frontend(
        session_.context(), {kSourceName, request_.source, request_.headers, *options, features_of(request_.target), for_cpu,
                             request_.sandbox == Sandbox::kOff ? nullptr : &folders, !request_.folder.empty()});
    result_.reply.log = std::move(front.log);
    result_.dependencies = std::move(front.dependencies);
    result_.cacheable = front.reproducible;
    result_.folder_matters = front.folder_matters;
    if (!front.module) {
      result_.reply.status = Status::kBuildFailure;
      return;
    }
    finish(*front.module, context == OptionContext::kBuild ? BinaryKind::kExecutable : BinaryKind::kObject);
  }

  void from_spirv(const Options &options, OptionContext context) {
    const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t *>(request_.source.data()), request_.source.size());
    result_.reply.status = Status::kBuildFailure;
    std::unique_ptr<llvm::Module> module = spirv::read_module(
        session_.context(), {bytes, request_.specialisations, options.wants_lines()}, options, result_.reply.log);
    if (!module) return;
    result_.cacheable = true;
    finish(*module, context == OptionContext::kBuild ? BinaryKind::kExecutable : BinaryKind::kObject);
  }

  void link() {
    llvm::Expected<Options> options = parse_options(request_.options, OptionContext::kLink);
    if (!options) return fail(Status::kInvalidOptions, options.takeError());
    result_.cacheable = true;
    auto program = std::make_unique<llvm::Module>("program", session_.context());
    llvm::Linker linker(*program);
    for (ByteSpan input : request_.inputs) {
      std::unique_ptr<llvm::Module> module = read_input(input);
      if (!module) return;
      if (program->empty() && program->global_empty()) {
        program->setTargetTriple(module->getTargetTriple());
        program->setDataLayout(module->getDataLayout());
      }
      if (linker.linkInModule(std::move(module))) return fail(Status::kBuildFailure, session_.take_errors());
    }
    if (!check_recursion(*program, options->treatments.of(Restriction::kRecursion))) return;
    finish(*program, options->create_library ? BinaryKind::kLibrary : BinaryKind::kExecutable);
  }

  /// Reports recursion across sources. False after a failure.
  bool check_recursion(llvm::Module &program, Treatment treatment) {
    if (treatment == Treatment::kPermitted) return true;
    for (const Recursion &recursion : find_recursion(program)) {
      std::vector<std::string> names;
      for (const llvm::Function *function : recursion) names.push_back(source_name(*function));
      std::string text = message_format(Restriction::kRecursion, treatment);
      text.replace(text.find("%0"), 2, describe_recursion(names));
      if (treatment == Treatment::kRefused) {
        fail(Status::kBuildFailure, text);
        return false;
      }
      result_.reply.log += "warning: " + text + "\n";
    }
    return true;
  }

  void lower() {
    result_.cacheable = true;
    if (request_.inputs.size() != 1) return fail(Status::kInvalidBinary, "lowering takes one binary");
    if (std::unique_ptr<llvm::Module> module = read_input(request_.inputs[0])) finish(*module, BinaryKind::kExecutable);
  }

  /// Null after a failure.
  std::unique_ptr<llvm::Module> read_input(ByteSpan input) {
    std::optional<BinaryView> view = open_binary(input);
    if (!view) {
      fail(Status::kInvalidBinary, "a program binary is damaged, or was not made by this compiler");
      return nullptr;
    }
    llvm::MemoryBufferRef buffer({reinterpret_cast<const char *>(view->module.data()), view->module.size()}, "program");
    auto module = llvm::parseBitcodeFile(buffer, session_.context());
    if (!module) {
      fail(Status::kInvalidBinary, module.takeError());
      return nullptr;
    }
    return std::move(*module);
  }

  /// Stores the portable module unchanged, then makes the shared object from it.
  void finish(llvm::Module &module, BinaryKind kind) {
    // The front end has already checked sources; this checks objects and binaries, which have no source locations.
    if (!request_.allow_unsafe_source)
      if (llvm::Error error = check_safety(module, kind == BinaryKind::kExecutable && !is_for_gpu()))
        return fail(Status::kBuildFailure, std::move(error));
    ModuleBytes portable = make_portable_module(module);
    ModuleBytes shared_object;
    if (kind == BinaryKind::kExecutable) {
      auto made = make_code(module);
      if (!made) return fail(Status::kBuildFailure, made.takeError());
      shared_object = std::move(*made);
      add_to_log(session_.take_remarks());
    }
    BinaryView parts;
    parts.kind = kind;
    parts.build_id = kBuildId;
    parts.target = kind == BinaryKind::kExecutable ? request_.target : std::string_view();
    parts.options = request_.options;
    parts.module = as_bytes(portable);
    parts.shared_object = as_bytes(shared_object);
    result_.reply.binary = make_binary(parts);
    result_.reply.status = Status::kSuccess;
  }

  llvm::Expected<ModuleBytes> make_code(llvm::Module &module) {
    llvm::StringRef name(request_.target);
    if (name.consume_front(llvm::StringRef(kGpuTargetPrefix))) {
      const unsigned capability = capability_of(name);
      if (!capability) return llvm::createStringError("unknown GPU '" + name.str() + "'");
      return make_gpu_image(module, {capability, request_.verify}, session_);
    }
    if (llvm::Error error = check_executable(request_.cpu))
      return llvm::createStringError("UPSWEEP_CPU: " + llvm::toString(std::move(error)));
    CpuTarget target;
    target.cpu = request_.cpu;
    target.vector_lanes = request_.vector_lanes;
    target.verify = request_.verify;
    target.checks = *parse_checks(request_.checks);  // the client has checked the text
    target.allow_unsafe = request_.allow_unsafe_source;
    return make_cpu_output(module, target, Output::kSharedObject, session_);
  }

  void add_to_log(const std::string &text) {
    std::string &log = result_.reply.log;
    if (!text.empty() && !log.empty() && log.back() != '\n') log += '\n';
    log += text;
  }

  [[nodiscard]] bool is_for_gpu() const { return is_gpu_target(request_.target); }

  void fail(Status status, const std::string &text) {
    result_.reply.status = status;
    result_.reply.log += "error: " + text;
  }
  /// Messages of passes about the program already start with "error:".
  void fail(Status status, llvm::Error error) {
    const std::string text = llvm::toString(std::move(error));
    fail(status, text.starts_with("error: ") ? text.substr(7) : text);
  }

  const Request &request_;
  Session &session_;
  Result result_;
};

}  // namespace

Result run_job(const Request &request, Session &session) { return Job(request, session).run(); }

}  // namespace upsweep::compiler
