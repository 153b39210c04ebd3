// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets up Clang for one source and runs it.
#include "compiler/language/frontend.h"

#include "compiler/corrections/dialects.h"
#include "compiler/language/build_log.h"
#include "compiler/language/check_pragmas.h"
#include "compiler/language/inline_kernels.h"
#include "compiler/language/language.h"
#include "compiler/language/own_functions.h"
#include "compiler/language/recursion.h"
#include "compiler/language/recursion_check.h"
#include "compiler/language/restriction_checks.h"
#include "compiler/language/sampler_values.h"
#include "compiler/language/single_constants.h"
#include "compiler/language/source_files.h"
#include "compiler/safety/unsafe_source.h"
#include "passes/common/block_kernels.h"
#include "passes/common/remarks.h"

#include "clang/Basic/FileManager.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/FileSystem.h"

namespace upsweep::compiler {
namespace {

/// cc1's command line. -O2 without its passes gives lifetimes, TBAA and no optnone; the target's pipeline optimises.
std::vector<std::string> clang_arguments(const FrontendInput &input) {
  const Options &options = input.options;
  const cl_version version = device_version(input.features);
  std::vector<std::string> arguments = {
      "-triple", "spir64-unknown-unknown", "-emit-llvm-only", "-O2", "-disable-llvm-passes", "-x",
      options.language.starts_with("CLC++") ? "clcpp" : "cl", "-cl-std=" + clang_language(options),
      "-cl-ext=" + clang_extensions(input.features, options.without), "-fdeclare-opencl-builtins", "-fgnu-keywords",
      "-cl-kernel-arg-info",
      // The prelude declares the features; the header must not derive them from __SPIR__.
      "-U__SPIR__", "-U__SPIR64__", "-U__IMAGE_SUPPORT__",
      "-D__OPENCL_VERSION__=" + std::to_string(100 * CL_VERSION_MAJOR(version) + 10 * CL_VERSION_MINOR(version)), "-include",
      std::string(kOwnHeaders) + "/upsweep.h", "-nostdsysteminc", "-nobuiltininc", "-internal-isystem", kOwnHeaders, "-I",
      kEmbeddedHeaders, "-ferror-limit", "100", "-main-file-name", input.name};
  if (options.debug_info)
    arguments.insert(arguments.end(), {"-debug-info-kind=constructor", "-dwarf-version=4", "-debugger-tuning=gdb"});
  else if (options.wants_lines())
    arguments.insert(arguments.end(), {"-debug-info-kind=line-tables-only", "-dwarf-version=4"});
  arguments.insert(arguments.end(), options.clang_arguments.begin(), options.clang_arguments.end());
  arguments.push_back(input.name);
  return arguments;
}

bool is_kernel(const llvm::Function &function) { return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL; }

/// Marks an enqueued block, for which Clang makes a kernel without the metadata of -cl-kernel-arg-info. The kernel is named
/// after the enclosing function, whose name another source of the program may also use.
void mark_block(llvm::Function &function, const Options &options) {
  if (!is_kernel(function) || function.hasLocalLinkage() || function.hasMetadata("kernel_arg_type")) return;
  function.addFnAttr(passes::kBlockAttribute);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  if (llvm::is_contained(options.clang_arguments, "-cl-uniform-work-group-size"))
    function.addFnAttr("uniform-work-group-size", "true");
}

void mark_functions(llvm::Module &module, const Options &options) {
  // Use C's name, so that passes need not know the mangled name.
  if (llvm::Function *printf = module.getFunction("_Z6printfPU3AS2Kcz")) printf->setName("printf");
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    mark_block(function, options);
    if (options.debug_info) function.addFnAttr(passes::kDebugAttribute);
    // C99 expects another definition of an inline function elsewhere, but OpenCL programs have one translation unit.
    if (function.hasAvailableExternallyLinkage()) function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
    // Clang makes a kernel of the function that runs C++ constructors. It is dead by now unless UPSWEEP_ALLOW_UNSAFE_SOURCE is
    // set.
    if (function.hasLocalLinkage() && is_kernel(function) && !function.hasFnAttribute(passes::kBlockAttribute)) {
      function.setCallingConv(llvm::CallingConv::SPIR_FUNC);
      function.clearMetadata();
    }
    if (options.treatments.of(Restriction::kRecursion) != Treatment::kRefused) function.addFnAttr(kMayRecurse);
    if (options.opt_disable) function.addFnAttr("upsweep-opt-disable");
    if (options.remarks) function.addFnAttr(passes::kRemarksAttribute);
    if (options.argument_info && is_kernel(function)) function.addFnAttr("upsweep-argument-info");
  }
}

bool set_invocation(clang::CompilerInstance &clang, const std::vector<std::string> &arguments, llvm::raw_ostream &log) {
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::TextDiagnosticPrinter printer(log, options.get());
  clang::DiagnosticsEngine diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options.get(), &printer, false);
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments) pointers.push_back(argument.c_str());
  return clang::CompilerInvocation::CreateFromArgs(clang.getInvocation(), pointers, diagnostics);
}

class Action : public clang::EmitLLVMOnlyAction {
public:
  Action(llvm::LLVMContext &context, const FrontendInput &input, SourceFiles &files, CheckPragmas &pragmas)
      : EmitLLVMOnlyAction(&context), options_(input.options), for_cpu_(input.for_cpu), files_(files), pragmas_(pragmas) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &clang, llvm::StringRef file) override {
    files_.watch(clang.getPreprocessor());
    pragmas_.watch(clang.getPreprocessor());
    // A keyword of OpenCL C 2.0 that Clang also treats as a keyword in earlier versions, except at the start of a declarator.
    if (clang.getLangOpts().getOpenCLCompatibleVersion() < 200)
      clang.getPreprocessor().getIdentifierInfo("pipe")->revertTokenIDToIdentifier();
    auto generator = EmitLLVMOnlyAction::CreateASTConsumer(clang, file);
    if (clang.getLangOpts().SinglePrecisionConstants) generator = with_single_constants(std::move(generator));
    generator = with_inline_kernels(with_sampler_values(std::move(generator), clang), clang);
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(with_restrictions(std::move(generator), clang, options_));
    consumers.push_back(unsafe_module_check(clang, *getCodeGenerator(), options_, for_cpu_));
    consumers.push_back(recursion_check(clang, *getCodeGenerator(), options_));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

private:
  const Options &options_;
  const bool for_cpu_;
  SourceFiles &files_;
  CheckPragmas &pragmas_;
};

/// Quotes a word as split_options() expects.
std::string quoted(const std::string &word) {
  if (word.find_first_of(" \t\"'\\") == std::string::npos) return word;
  std::string text = "\"";
  for (const char c : word) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
}

/// Checks the resolved path, since a link or ".." may lead out of the folders.
std::string refusal(const std::string &path, const ReadableFolders &folders) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real)) real = path;
  const std::string leads = real.str() == path ? "" : "leads to '" + real.str().str() + "', which ";
  const std::string folder = llvm::sys::path::parent_path(real).str();
  const std::string option = "-I " + quoted(folder);
  return "note: '" + path + "' was not read: it " + leads + "is outside the current folder and the folders given by -I (" +
         folders.list() + "); to permit it, add the build option " + option + ", or set UPSWEEP_BUILD_OPTIONS='" + option +
         "'; UPSWEEP_COMPILER_SANDBOX=off permits all files\n";
}

}  // namespace

FrontendOutput run_frontend(llvm::LLVMContext &context, const FrontendInput &input) {
  FrontendOutput output;
  llvm::raw_string_ostream log(output.log);
  if (!has_language(input.features, input.options)) {
    log << "error: -cl-std=" << input.options.language << ": the device has no OpenCL C of this version\n";
    return output;
  }
  SourceFiles files(input, prelude(input.features, input.options));

  clang::CompilerInstance clang;
  clang.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  std::vector<std::string> arguments = clang_arguments(input);
  if (!set_invocation(clang, arguments, log)) return output;

  // Uses the invocation's options, which did not exist while they were parsed.
  BuildLogPrinter printer(output.log, clang.getDiagnosticOpts());
  clang.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  clang.setFileManager(new clang::FileManager(clang.getFileSystemOpts(), files.file_system()));
  clang.setExternalSemaSource(own_functions());
  CheckPragmas pragmas;
  Action action(context, input, files, pragmas);
  const DialectScope dialects(input.options);
  bool success = clang.ExecuteAction(action);
  output.dependencies = files.dependencies();
  output.reproducible = files.reproducible();
  output.folder_matters = files.folder_matters() || input.options.wants_lines();  // debug information contains the folder
  if (success)
    output.module = action.takeModule();
  else
    for (const std::string &path : files.refused()) log << refusal(path, *input.folders);
  if (!output.module) return output;
  mark_functions(*output.module, input.options);
  pragmas.add_to(*output.module);
  return output;
}

}  // namespace upsweep::compiler
