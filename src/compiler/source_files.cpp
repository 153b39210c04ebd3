// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In-memory files above a recording view of the real file system.
#include "compiler/source_files.h"

#include "compiler/embedded_files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>

namespace upsweep::compiler {
/// Notes which files were read, with a hash of what they held, and which were looked for: whether they exist matters then.
class SourceFiles::Recorder : public llvm::vfs::ProxyFileSystem {
public:
  explicit Recorder(const ReadableFolders *folders) : ProxyFileSystem(llvm::vfs::getRealFileSystem()), folders_(folders) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    auto result = ProxyFileSystem::status(path);
    if (result && !result->isDirectory() && !may_read(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    bool exists = static_cast<bool>(result);
    if (!exists || result->isRegularFile()) note(path.str(), exists ? Dependency::State::kPresent : Dependency::State::kAbsent);
    return result;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;

  void note_contents(const std::string &path, llvm::StringRef text) {
    Dependency &dependency = note(path, Dependency::State::kContents);
    dependency.contents = hash_text(text);
    note_source(text);
  }

  void note_source(llvm::StringRef text) {
    reproducible_ &= !text.contains("__TIME__") && !text.contains("__DATE__") && !text.contains("__TIMESTAMP__");
  }

  std::map<std::string, Dependency> files_;
  std::set<std::string> refused_;
  bool reproducible_ = true;

private:
  bool may_read(const llvm::Twine &path) {
    const std::string name = path.str();
    if (!folders_ || folders_->contain(name)) return true;
    refused_.insert(name);
    return false;
  }

  Dependency &note(const std::string &path, Dependency::State state) {
    llvm::SmallString<256> full(path);
    (void)makeAbsolute(full);
    std::string name = full.str().str();
    Dependency &dependency = files_.try_emplace(name, Dependency{name, state, {}}).first->second;
    if (state == Dependency::State::kContents) dependency.state = state;
    return dependency;
  }

  const ReadableFolders *folders_;
};

class SourceFiles::RecordedFile : public llvm::vfs::File {
public:
  RecordedFile(std::unique_ptr<llvm::vfs::File> file, std::string path, Recorder &recorder)
      : file_(std::move(file)), path_(std::move(path)), recorder_(recorder) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t size, bool terminated,
                                                               bool is_volatile) override {
    auto buffer = file_->getBuffer(name, size, terminated, is_volatile);
    if (buffer) recorder_.note_contents(path_, (*buffer)->getBuffer());
    return buffer;
  }

private:
  std::unique_ptr<llvm::vfs::File> file_;
  std::string path_;
  Recorder &recorder_;
};

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> SourceFiles::Recorder::openFileForRead(const llvm::Twine &path) {
  if (llvm::sys::fs::exists(path) && !may_read(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
  auto file = ProxyFileSystem::openFileForRead(path);
  if (!file) {
    note(path.str(), Dependency::State::kAbsent);
    return file;
  }
  return std::make_unique<RecordedFile>(std::move(*file), path.str(), *this);
}

SourceFiles::SourceFiles(const FrontendInput &input, llvm::StringRef prelude) : recorder_(new Recorder(input.folders)) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  overlay_ = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(recorder_);
  auto folder = recorder_->getCurrentWorkingDirectory();
  (void)memory->setCurrentWorkingDirectory(folder ? *folder : "/");
  overlay_->pushOverlay(memory);

  auto add = [&](const llvm::Twine &path, llvm::StringRef text) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(text, "", false));
  };
  auto add_copy = [&](const llvm::Twine &path, llvm::StringRef text) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  };
  add_copy(input.name, input.source);
  recorder_->note_source(input.source);
  add(llvm::Twine(kOwnHeaders) + "/opencl-c-base.h", opencl_base_header());
  add_copy(llvm::Twine(kOwnHeaders) + "/upsweep.h", prelude);
  // Twice: a quoted include looks beside the source first, where a file of the same name must not win.
  for (const Header &header : input.headers) {
    recorder_->note_source(header.text);
    add_copy(header.name, header.text);
    add_copy(llvm::Twine(kEmbeddedHeaders) + "/" + header.name, header.text);
  }
}

SourceFiles::~SourceFiles() = default;

std::vector<Dependency> SourceFiles::dependencies() const {
  std::vector<Dependency> result;
  for (const auto &[path, dependency] : recorder_->files_) result.push_back(dependency);
  return result;
}

std::vector<std::string> SourceFiles::refused() const { return {recorder_->refused_.begin(), recorder_->refused_.end()}; }

bool SourceFiles::reproducible() const { return recorder_->reproducible_; }

}  // namespace upsweep::compiler
