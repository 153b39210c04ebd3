// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file system that Clang sees: the source, embedded headers and the compiler's own headers in memory, above the real one,
// whose accesses are recorded so that a cached result can be checked against them.
#ifndef UPSWEEP_COMPILER_SOURCE_FILES_H
#define UPSWEEP_COMPILER_SOURCE_FILES_H

#include "compiler/frontend.h"

#include "llvm/Support/VirtualFileSystem.h"

namespace upsweep::compiler {

/// Folder of the compiler's own headers and of embedded headers; exists in memory only.
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
  /// False when a source mentions the time.
  [[nodiscard]] bool reproducible() const;

private:
  class Recorder;
  class RecordedFile;
  llvm::IntrusiveRefCntPtr<Recorder> recorder_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay_;
};

}  // namespace upsweep::compiler
#endif
