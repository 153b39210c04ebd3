// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In-memory files above a recording view of the real file system.
#include "compiler/source_files.h"

#include "llvm/Support/Path.h"

#include <map>

namespace upsweep::compiler {
namespace {

// Types, constants and enums of OpenCL C; the functions are built into Clang (-fdeclare-opencl-builtins).
constexpr char kOpenclBase[] = {
#embed "opencl-c-base.h"
    , '\0'};

} // namespace

/// Notes which regular files were opened and which were looked for in vain. Folders do not matter: what is in them is found by name.
class SourceFiles::Recorder : public llvm::vfs::ProxyFileSystem {
public:
  Recorder() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    auto result = ProxyFileSystem::status(path);
    if (!result)
      note(path, false);
    return result;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    auto result = ProxyFileSystem::openFileForRead(path);
    note(path, static_cast<bool>(result));
    return result;
  }

  std::map<std::string, bool> files;

private:
  void note(const llvm::Twine &path, bool exists) {
    llvm::SmallString<256> full;
    path.toVector(full);
    if (!makeAbsolute(full))
      files[full.str().str()] = exists;
  }
};

SourceFiles::SourceFiles(const FrontendInput &input, std::string prelude) : recorder_(new Recorder) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  overlay_ = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(recorder_);
  auto folder = recorder_->getCurrentWorkingDirectory();
  memory->setCurrentWorkingDirectory(folder ? *folder : "/");
  overlay_->pushOverlay(memory);

  auto add = [&](const llvm::Twine &path, llvm::StringRef text) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(text, "", false));
  };
  auto add_copy = [&](const llvm::Twine &path, llvm::StringRef text) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  };
  add_copy(input.name, input.source);
  add(llvm::Twine(kOwnHeaders) + "/opencl-c-base.h", llvm::StringRef(kOpenclBase));
  add_copy(llvm::Twine(kOwnHeaders) + "/upsweep.h", prelude);
  // Twice: a quoted include looks beside the source first, where a file of the same name must not win.
  for (const Header &header : input.headers) {
    add_copy(header.name, header.text);
    add_copy(llvm::Twine(kEmbeddedHeaders) + "/" + header.name, header.text);
  }
}

SourceFiles::~SourceFiles() = default;

std::vector<Dependency> SourceFiles::dependencies() const {
  std::vector<Dependency> result;
  for (const auto &[path, exists] : recorder_->files)
    result.push_back({path, exists});
  return result;
}

} // namespace upsweep::compiler
