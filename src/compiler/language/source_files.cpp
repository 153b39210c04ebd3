// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In-memory files on top of a recording view of the real file system.
#include "compiler/language/source_files.h"

#include "compiler/embedded/embedded_files.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>

namespace upsweep::compiler {

using State = Dependency::State;

/// Records the files that were read, with a hash of their contents, and the files that were looked up, since their existence
/// matters.
class SourceFiles::Recorder : public llvm::vfs::ProxyFileSystem {
public:
  Recorder(const ReadableFolders *folders, bool has_folder)
      : ProxyFileSystem(llvm::vfs::getRealFileSystem()), folders_(folders), has_folder_(has_folder) {
    if (auto folder = ProxyFileSystem::getCurrentWorkingDirectory()) folder_ = *folder;
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    if (!may_look_up(path)) return std::errc::no_such_file_or_directory;
    auto result = ProxyFileSystem::status(path);
    if (result && !result->isDirectory() && !may_read(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    note_status(path, result);
    return result;
  }
  /// Clang uses it to make names of `#embed` absolute.
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override {
    return has_folder_ ? folder_ : std::string(kInMemoryOnly) + "none";
  }
  bool exists(const llvm::Twine &path) override { return static_cast<bool>(status(path)); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &path, std::error_code &error) override {
    reproducible_ = false;  // Clang 19 does not list folders for OpenCL C
    return ProxyFileSystem::dir_begin(path, error);
  }

  void note_contents(const std::string &path, const llvm::vfs::Status &status, llvm::StringRef text) {
    // A part of a file, or the data of a device, cannot be compared with the file later.
    reproducible_ &= status.isRegularFile() && status.getSize() == text.size();
    Note &note = note_state(path, State::kContents);
    const Hash contents = hash_text(text);
    const bool is_first = contents_.try_emplace(status.getUniqueID(), contents).second;
    reproducible_ &= is_first || contents_[status.getUniqueID()] == contents;
    note.id = status.getUniqueID();
  }

  std::vector<Dependency> dependencies() const {
    std::vector<Dependency> result;
    for (const auto &[path, note] : notes_) {
      Dependency dependency = {path, note.state, {}};
      // Clang reads a file with several names only once, but each name may become a separate file later.
      const auto contents = note.state == State::kAbsent ? contents_.end() : contents_.find(note.id);
      if (contents != contents_.end()) dependency = {path, State::kContents, contents->second};
      result.push_back(std::move(dependency));
    }
    return result;
  }

  std::set<std::string> refused_;
  bool reproducible_ = true;
  bool folder_matters_ = false;

private:
  bool may_read(const llvm::Twine &path) {
    const std::string name = path.str();
    if (!folders_) return true;
    if (folders_->contain(name)) {
      folder_matters_ |= !folders_->name(name);  // the name may be absolute
      return true;
    }
    refused_.insert(name);
    reproducible_ = false;  // if the link's target changes, the file may become readable
    return false;
  }

  struct Note {
    State state;
    llvm::sys::fs::UniqueID id{};
  };

  /// Without a current folder, relative names refer to no file. The headers in memory are not real files either.
  bool may_look_up(const llvm::Twine &path) {
    if (llvm::sys::path::is_absolute(path)) return !llvm::StringRef(path.str()).starts_with(kInMemoryOnly);
    folder_matters_ = true;
    return has_folder_;
  }

  void note_status(const llvm::Twine &path, const llvm::ErrorOr<llvm::vfs::Status> &status) {
    Note &note = note_state(path, !status ? State::kAbsent : status->isDirectory() ? State::kFolder : State::kPresent);
    if (status) note.id = status->getUniqueID();
  }

  Note &note_state(const llvm::Twine &path, State state) {
    llvm::SmallString<256> full;
    path.toVector(full);
    if (!llvm::sys::path::is_absolute(full)) full = folder_ + "/" + path.str();
    Note &note = notes_.try_emplace(full.str().str(), Note{state}).first->second;
    const bool is_read = note.state == State::kPresent && state == State::kContents;
    const bool was_read = note.state == State::kContents && state == State::kPresent;
    if (is_read) note.state = state;
    reproducible_ &= note.state == state || was_read;  // otherwise it appeared, disappeared or changed during the build
    return note;
  }

  std::map<std::string, Note> notes_;
  std::map<llvm::sys::fs::UniqueID, Hash> contents_;
  std::string folder_;
  const ReadableFolders *folders_;
  bool has_folder_;
};

class SourceFiles::RecordedFile : public llvm::vfs::File {
public:
  RecordedFile(std::unique_ptr<llvm::vfs::File> file, std::string path, Recorder &recorder)
      : file_(std::move(file)), path_(std::move(path)), recorder_(recorder) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t size, bool terminated,
                                                               bool /*is_volatile*/) override {
    auto status = file_->status();
    if (!status) return status.getError();
    // Volatile gives a copy instead of a mapping, whose contents could change after they were hashed.
    auto buffer = file_->getBuffer(name, size, terminated, /*IsVolatile=*/true);
    if (buffer) recorder_.note_contents(path_, *status, (*buffer)->getBuffer());
    return buffer;
  }

private:
  std::unique_ptr<llvm::vfs::File> file_;
  std::string path_;
  Recorder &recorder_;
};

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> SourceFiles::Recorder::openFileForRead(const llvm::Twine &path) {
  if (!may_look_up(path)) return std::errc::no_such_file_or_directory;
  if (llvm::sys::fs::exists(path) && !may_read(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
  auto file = ProxyFileSystem::openFileForRead(path);
  // Clang checks the status of an open file, and never reads a file that it has read under another name.
  note_status(path, file ? (*file)->status() : file.getError());
  if (!file) return file;
  return std::make_unique<RecordedFile>(std::move(*file), path.str(), *this);
}

namespace {

/// Records facts that the file system does not see.
class Watch : public clang::PPCallbacks {
public:
  Watch(bool &reproducible, bool &folder_matters) : reproducible_(reproducible), folder_matters_(folder_matters) {}

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &definition, clang::SourceRange,
                    const clang::MacroArgs *) override {
    const clang::MacroInfo *macro = definition.getMacroInfo();
    if (!macro || !macro->isBuiltinMacro()) return;
    const llvm::StringRef text = name.getIdentifierInfo()->getName();
    reproducible_ &= text != "__TIME__" && text != "__DATE__" && text != "__TIMESTAMP__";
  }

  // These names are made absolute by the current folder before they are looked up.
  void EmbedDirective(clang::SourceLocation, llvm::StringRef, bool, clang::OptionalFileEntryRef,
                      const clang::LexEmbedParametersResult &) override {
    folder_matters_ = true;
  }
  void HasEmbed(clang::SourceLocation, llvm::StringRef, bool, clang::OptionalFileEntryRef) override { folder_matters_ = true; }

private:
  bool &reproducible_;
  bool &folder_matters_;
};

}  // namespace

SourceFiles::SourceFiles(const FrontendInput &input, llvm::StringRef prelude)
    : recorder_(new Recorder(input.folders, input.has_folder)) {
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
  add(llvm::Twine(kOwnHeaders) + "/opencl-c-base.h", opencl_base_header());
  add_copy(llvm::Twine(kOwnHeaders) + "/upsweep.h", prelude);
  // Twice: a quoted include is first looked up beside the source, where a file of the same name must not win.
  for (const Header &header : input.headers) {
    add_copy(header.name, header.text);
    add_copy(llvm::Twine(kEmbeddedHeaders) + "/" + header.name, header.text);
  }
}

SourceFiles::~SourceFiles() = default;

std::vector<Dependency> SourceFiles::dependencies() const { return recorder_->dependencies(); }

std::vector<std::string> SourceFiles::refused() const { return {recorder_->refused_.begin(), recorder_->refused_.end()}; }

bool SourceFiles::reproducible() const { return recorder_->reproducible_; }

bool SourceFiles::folder_matters() const { return recorder_->folder_matters_; }

void SourceFiles::watch(clang::Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<Watch>(recorder_->reproducible_, recorder_->folder_matters_));
}

}  // namespace upsweep::compiler
