// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file system for Clang: the source, embedded headers and the compiler's headers in memory, on top of the real file system.
// Accesses to real files are recorded, so a cached result can be validated later. Recording works on Clang's requests,
// independent of their spelling in the source: `#import`, `%:include`, `__has_include`, `#embed` and macros that form file
// names.
#ifndef UPSWEEP_COMPILER_LANGUAGE_SOURCE_FILES_H
#define UPSWEEP_COMPILER_LANGUAGE_SOURCE_FILES_H

#include "compiler/language/frontend.h"

#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class Preprocessor;
}

namespace upsweep::compiler {

/// The parent of the in-memory folders of the compiler's own headers and of embedded headers.
inline constexpr char kInMemoryOnly[] = "/__upsweep__/";
inline constexpr char kOwnHeaders[] = "/__upsweep__/include";
inline constexpr char kEmbeddedHeaders[] = "/__upsweep__/headers";

class SourceFiles {
public:
  SourceFiles(const FrontendInput &input, llvm::StringRef prelude);
  ~SourceFiles();

  [[nodiscard]] llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system() const { return overlay_; }
  [[nodiscard]] std::vector<Dependency> dependencies() const;
  /// Existing files that were requested but are outside the folders that may be read.
  [[nodiscard]] std::vector<std::string> refused() const;
  /// False if the result depends on more than a list of files and their contents: the time, devices, a file that changed while
  /// it was read.
  [[nodiscard]] bool reproducible() const;
  /// True if a name was looked up relative to the current folder, or made absolute by it.
  [[nodiscard]] bool folder_matters() const;

  /// Records macros whose values change over time, and `#embed`.
  void watch(clang::Preprocessor &preprocessor);

private:
  class Recorder;
  class RecordedFile;
  llvm::IntrusiveRefCntPtr<Recorder> recorder_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay_;
};

}  // namespace upsweep::compiler
#endif
