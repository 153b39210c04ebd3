// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file system that Clang sees: the source, embedded headers and the compiler's own headers in memory, above the real one,
// whose accesses are recorded so that a cached result can be checked against them. What Clang asked for is what counts, never
// how the source spells it: `#import`, `%:include`, `__has_include`, `#embed` and macros that make file names all end here.
#ifndef UPSWEEP_COMPILER_LANGUAGE_SOURCE_FILES_H
#define UPSWEEP_COMPILER_LANGUAGE_SOURCE_FILES_H

#include "compiler/language/frontend.h"

#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class Preprocessor;
}

namespace upsweep::compiler {

/// Folders of the compiler's own headers and of embedded headers, and the one that both are in; they exist in memory only.
inline constexpr char kInMemoryOnly[] = "/__upsweep__/";
inline constexpr char kOwnHeaders[] = "/__upsweep__/include";
inline constexpr char kEmbeddedHeaders[] = "/__upsweep__/headers";

class SourceFiles {
public:
  SourceFiles(const FrontendInput &input, llvm::StringRef prelude);
  ~SourceFiles();

  [[nodiscard]] llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system() const { return overlay_; }
  [[nodiscard]] std::vector<Dependency> dependencies() const;
  /// Files that exist, were asked for, and are outside of the folders that may be read.
  [[nodiscard]] std::vector<std::string> refused() const;
  /// False when the result depends on what a list of files and their contents does not tell: the time, devices, a file that
  /// changed while it was read.
  [[nodiscard]] bool reproducible() const;
  /// True when a name was looked up from the current folder, or made absolute by it.
  [[nodiscard]] bool folder_matters() const;

  /// Watches for macros whose values change by themselves, and for `#embed`.
  void watch(clang::Preprocessor &preprocessor);

private:
  class Recorder;
  class RecordedFile;
  llvm::IntrusiveRefCntPtr<Recorder> recorder_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay_;
};

}  // namespace upsweep::compiler
#endif
