// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of Clang and LLD that no kernel needs. A function that is defined here is not taken from their archives, nor is the
// code that it would need: Clang's own code generation, the linking of bitcode, the sanitizers' and Polly's passes, and Clang's
// second interpreter of constants. The functions here are called with nothing to do, or never.
#include "clang/Basic/Diagnostic.h"
#include "clang/CodeGen/BackendUtil.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/IR/Verifier.h"
#include "llvm/LTO/LTO.h"
#include "llvm/LTO/LTOBackend.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace clang {

/// Clang calls it for a module that stays IR (-emit-llvm-only), without passes but the verifier.
void EmitBackendOutput(DiagnosticsEngine &, const HeaderSearchOptions &, const CodeGenOptions &, const TargetOptions &,
                       const LangOptions &, StringRef, llvm::Module *module, BackendAction action,
                       llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>, std::unique_ptr<raw_pwrite_stream>, BackendConsumer *) {
  assert(action == Backend_EmitNothing && "code is generated from the portable module");
  if (llvm::verifyModule(*module, &llvm::errs())) llvm::report_fatal_error("Broken module found, compilation aborted!");
}

void EmbedBitcode(llvm::Module *, const CodeGenOptions &, llvm::MemoryBufferRef) {}
void EmbedObject(llvm::Module *, const CodeGenOptions &, DiagnosticsEngine &) {}

class APValue;
class ASTContext;
class Expr;
class FunctionDecl;
class VarDecl;

// Only -fexperimental-new-constant-interpreter uses it.
namespace interp {

class State;

class Context {
public:
  explicit Context(ASTContext &);
  ~Context();
  bool isPotentialConstantExpr(State &, const FunctionDecl *);
  bool evaluateAsRValue(State &, const Expr *, APValue &);
  bool evaluate(State &, const Expr *, APValue &);
  bool evaluateAsInitializer(State &, const VarDecl *, APValue &);
};

Context::Context(ASTContext &) {}
Context::~Context() = default;
bool Context::isPotentialConstantExpr(State &, const FunctionDecl *) { return false; }
bool Context::evaluateAsRValue(State &, const Expr *, APValue &) { return false; }
bool Context::evaluate(State &, const Expr *, APValue &) { return false; }
bool Context::evaluateAsInitializer(State &, const VarDecl *, APValue &) { return false; }

}  // namespace interp
}  // namespace clang

namespace lld::elf {

class BitcodeFile;
class InputFile;

/// LLD makes one for every link, and asks for its objects.
class BitcodeCompiler {
public:
  BitcodeCompiler();
  ~BitcodeCompiler();
  void add(BitcodeFile &);
  std::vector<InputFile *> compile();
};

BitcodeCompiler::BitcodeCompiler() = default;
BitcodeCompiler::~BitcodeCompiler() = default;
void BitcodeCompiler::add(BitcodeFile &) {}
std::vector<InputFile *> BitcodeCompiler::compile() { return {}; }

}  // namespace lld::elf

namespace llvm::lto {

InputFile::~InputFile() = default;
Expected<std::unique_ptr<InputFile>> InputFile::create(MemoryBufferRef) {
  return createStringError("bitcode files are not linked");
}
SmallVector<const char *> LTO::getRuntimeLibcallSymbols(const Triple &) { return {}; }
BitcodeModule *findThinLTOModule(MutableArrayRef<BitcodeModule>) { return nullptr; }

}  // namespace llvm::lto
