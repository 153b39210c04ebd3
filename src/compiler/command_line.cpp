// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of upsweepc. Arguments that it does not know go to the parser of clBuildProgram's options.
#include "compiler/command_line.h"

#include "base/options.h"
#include "compiler/cache_command.h"
#include "compiler/code/cpu_target.h"
#include "compiler/code/gpu_target.h"
#include "compiler/language/frontend.h"
#include "compiler/safety/sandbox.h"
#include "compiler/spirv/read_module.h"
#include "compiler/usage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <unistd.h>

namespace upsweep::compiler {
namespace {

struct OutputKind {
  llvm::StringRef name;
  const char *suffix;
  std::optional<Output> output;  ///< empty: the portable module
};

constexpr OutputKind kOutputKinds[] = {
    {"shared", "so", Output::kSharedObject}, {"module", "bc", std::nullopt},   {"llvm", "ll", Output::kLlvm},
    {"asm", "s", Output::kAssembly},         {"object", "o", Output::kObject},
};

/// The default output of --target=cuda.
constexpr OutputKind kPtx = {"asm", "ptx", Output::kAssembly};

struct Arguments {
  std::string input;
  std::string output;
  const OutputKind *kind = nullptr;
  CpuTarget target;
  bool for_gpu = false;
  GpuTarget gpu;
  std::vector<std::string> build_options;
  std::vector<std::string> llvm_options;
};

llvm::Error wrong(const llvm::Twine &text) { return llvm::createStringError(llvm::inconvertibleErrorCode(), text); }

llvm::Error own_option(Arguments &result, llvm::StringRef text) {
  if (text.consume_front("--emit=")) {
    const auto *kind = llvm::find_if(kOutputKinds, [&](const OutputKind &k) { return k.name == text; });
    if (kind == std::end(kOutputKinds)) return wrong("--emit=" + text + ": use module, llvm, asm, object or shared");
    result.kind = kind;
  } else if (text.consume_front("--target=")) {
    if (text != "cpu" && text != "cuda") return wrong("--target=" + text + ": use cpu or cuda");
    result.for_gpu = text == "cuda";
  } else if (text.consume_front("--cpu=")) {
    result.target.cpu = text.str();
  } else if (text.consume_front("--lanes=")) {
    if (text != "vector" && text != "scalar") return wrong("--lanes=" + text + ": use vector or scalar");
    result.target.vector_lanes = text == "vector";
  } else if (text.consume_front("--check=")) {
    auto checks = parse_checks(text.str());
    if (!checks) return wrong("--check=" + text + ": " + checks.error());
    result.target.checks = *checks;
  } else if (text.consume_front("--llvm=")) {
    result.llvm_options.push_back(text.str());
  } else if (text == "--verify") {
    result.target.verify = result.gpu.verify = true;
  } else if (text.starts_with("--cache") || text == "--sandbox") {
    return wrong(text + " stands alone, without a source file");
  } else {
    const std::string name = text.split('=').first.str();
    return wrong("unknown option '" + name + "'" + usage::suggestion(name, usage::option_names(describe_command())));
  }
  return llvm::Error::success();
}

llvm::Error settle_target(Arguments &result) {
  if (!result.kind) result.kind = result.for_gpu ? &kPtx : &kOutputKinds[0];
  if (!result.for_gpu) return llvm::Error::success();
  if (result.kind->output == Output::kAssembly) result.kind = &kPtx;
  if (result.kind->output && result.kind->output != Output::kAssembly && result.kind->output != Output::kLlvm)
    return wrong("--emit=" + result.kind->name + ": --target=cuda makes module, llvm and asm");
  if (result.target.cpu == CpuTarget().cpu) return llvm::Error::success();
  result.gpu.capability = capability_of(result.target.cpu);
  if (!result.gpu.capability)
    return wrong("--cpu=" + result.target.cpu + ": use sm_70, sm_75, sm_80, sm_90 or another GPU that LLVM knows");
  return llvm::Error::success();
}

llvm::Expected<Arguments> parse(const std::vector<std::string> &arguments) {
  Arguments result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &word = arguments[i];
    bool takes_next = word == "-o" || word == "-D" || word == "-I";
    if (takes_next && i + 1 == arguments.size()) return wrong(word + " needs an argument");
    if (word == "-o") {
      result.output = arguments[++i];
    } else if (takes_next) {
      result.build_options.push_back(word);
      result.build_options.push_back(arguments[++i]);
    } else if (word.starts_with("--")) {
      if (llvm::Error error = own_option(result, word)) return std::move(error);
    } else if (word.starts_with("-") && word != "-") {
      result.build_options.push_back(word);
    } else if (result.input.empty()) {
      result.input = word;
    } else {
      return wrong("more than one source file: '" + result.input + "' and '" + word + "'");
    }
  }
  if (result.input.empty()) return wrong("no source file; --help shows the usage");
  if (llvm::Error error = settle_target(result)) return std::move(error);
  if (result.output.empty()) {
    llvm::SmallString<128> name(result.input == "-" ? "kernel" : llvm::sys::path::filename(result.input));
    llvm::sys::path::replace_extension(name, result.kind->suffix);
    result.output = name.str().str();
  }
  return result;
}

llvm::Error write_output(const std::string &path, llvm::ArrayRef<char> bytes) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code, llvm::sys::fs::OF_None);
  if (code) return wrong(path + ": " + code.message());
  stream.write(bytes.data(), bytes.size());
  stream.flush();
  if (stream.has_error()) {
    code = stream.error();
    stream.clear_error();
    return wrong(path + ": " + code.message());
  }
  return llvm::Error::success();
}

int report(llvm::Error error, int status) {
  llvm::errs() << "upsweepc: " << llvm::toString(std::move(error)) << '\n';
  return status;
}

llvm::Expected<llvm::SmallVector<char, 0>> make_output(llvm::Module &module, const Arguments &arguments, Session &session) {
  if (!arguments.kind->output) return make_portable_module(module);
  if (arguments.for_gpu) return make_gpu_output(module, arguments.gpu, *arguments.kind->output, session);
  return make_cpu_output(module, arguments.target, *arguments.kind->output, session);
}

/// For developers of the passes. Parsed before code generation registers its options: LLVM names some options after passes.
llvm::Error set_llvm_options(const std::vector<std::string> &options) {
  if (options.empty()) return llvm::Error::success();
  llvm::initializeCore(*llvm::PassRegistry::getPassRegistry());
  llvm::initializeCodeGen(*llvm::PassRegistry::getPassRegistry());
  std::vector<const char *> words{"upsweepc"};
  for (const std::string &option : options) words.push_back(option.c_str());
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data(), "", &stream))
    return llvm::Error::success();
  return wrong("--llvm: " + llvm::StringRef(problem).trim());
}

}  // namespace

int take_llvm_options(const std::vector<std::string> &arguments) {
  Arguments taken;
  for (const std::string &word : arguments) {
    if (!llvm::StringRef(word).starts_with("--llvm=")) return report(wrong("'" + word + "' is no option of --server"), 2);
    taken.llvm_options.push_back(word.substr(word.find('=') + 1));
  }
  llvm::Error error = set_llvm_options(taken.llvm_options);
  return error ? report(std::move(error), 2) : 0;
}

namespace {

/// The error of parse_options(); for an unknown option, the nearest option is added.
llvm::Error with_suggestion(llvm::Error error, const std::vector<std::string> &words) {
  std::string text = llvm::toString(std::move(error));
  const std::vector<std::string> known = usage::option_names(describe_command());
  for (const std::string &word : words)
    if (llvm::StringRef(text).starts_with("'" + word + "' is not an option"))
      text += usage::suggestion(llvm::StringRef(word).split('=').first, known);
  return wrong(text);
}

int compile_file(const Arguments &arguments, const Options &options) {
  auto source = llvm::MemoryBuffer::getFileOrSTDIN(arguments.input, /*IsText=*/true);
  if (!source) return report(wrong(arguments.input + ": " + source.getError().message()), 1);
  Session session;
  const bool for_cpu = !arguments.for_gpu && arguments.kind->output.has_value();
  const FeatureColumn features = arguments.for_gpu ? FeatureColumn::kCuda : FeatureColumn::kCpu;
  std::string name = arguments.input == "-" ? "<source>" : arguments.input;
  const llvm::StringRef bytes_in = (*source)->getBuffer();
  const std::span<const uint8_t> words(bytes_in.bytes_begin(), bytes_in.size());
  FrontendOutput front;
  if (spirv::is_spirv(words))
    front.module = spirv::read_module(session.context(), {words, {}, options.wants_lines()}, options, front.log);
  else
    front = run_frontend(session.context(), {name, bytes_in, {}, options, features, for_cpu, nullptr, true});
  llvm::errs() << front.log;
  if (!front.module) return 1;
  // After the front end, which turns -time-passes off.
  if (llvm::Error error = set_llvm_options(arguments.llvm_options)) return report(std::move(error), 2);
  auto bytes = make_output(*front.module, arguments, session);
  llvm::reportAndResetTimings();  // -time-passes
  llvm::errs() << session.take_remarks();
  if (!bytes) return report(bytes.takeError(), 1);
  if (llvm::Error error = write_output(arguments.output, *bytes)) return report(std::move(error), 1);
  return 0;
}

}  // namespace

int run_command_line(const std::vector<std::string> &arguments) {
  if (llvm::is_contained(arguments, "--help") || llvm::is_contained(arguments, "-h")) {
    llvm::outs() << usage::help_text(describe_command(), usage::line_width(STDOUT_FILENO));
    return 0;
  }
  if (arguments.size() == 1 && arguments[0].starts_with("--cache")) return run_cache_command(arguments[0]);
  if (arguments.size() == 1 && arguments[0] == "--sandbox") {
    llvm::outs() << describe(sandbox_support()) << '\n';
    return 0;
  }
  auto parsed = parse(arguments);
  if (!parsed) return report(parsed.takeError(), 2);
  auto options = parse_options(parsed->build_options, OptionContext::kBuild);
  if (!options) return report(with_suggestion(options.takeError(), parsed->build_options), 2);
  options->allow_unsafe_source = upsweep::options().allow_unsafe_source;
  options->line_tables |= !parsed->target.checks.is_empty();
  parsed->target.allow_unsafe = options->allow_unsafe_source;
  return compile_file(*parsed, *options);
}

}  // namespace upsweep::compiler
