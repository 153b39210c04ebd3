// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the size, the bound and the place of the disk cache, and what a purge leaves.
#include "compiler/cache_command.h"

#include "compiler/client/disk_cache.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace upsweep::compiler {
namespace {

constexpr char kMargin[] = "        ";  // of a row's second line

std::string counted(uint64_t count, const char *one, const char *many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &out, const FileCount &count) {
  return out << llvm::format("%.1f MiB in ", static_cast<double>(count.bytes) / (1 << 20))
             << counted(count.files, "compiled program", "compiled programs");
}

/// The files that no purge removes, each kind with the reason.
void print_rest(const CacheContents &contents, const char *title) {
  const char *start = title;
  if (contents.unfinished.files > 0) {
    llvm::outs() << start << counted(contents.unfinished.files, "file", "files")
                 << " that a process may be writing; the driver removes them after an hour\n";
    start = kMargin;
  }
  if (contents.foreign > 0)
    llvm::outs() << start << counted(contents.foreign, "file, link or folder", "files, links and folders")
                 << " that Upsweep did not make; they always stay, and do not count\n";
}

void show(const DiskCache &cache) {
  const CacheContents contents = cache.survey();
  llvm::outs() << "size    " << contents.programs << '\n';
  llvm::outs() << "bound   " << (cache.max_bytes() >> 20)
               << " MiB (UPSWEEP_CACHE_MIB); beyond it, the least recently used programs go first\n";
  print_rest(contents, "others  ");
}

void purge(const DiskCache &cache) {
  llvm::outs() << "removed " << cache.purge() << '\n';
  const CacheContents rest = cache.survey();
  if (rest.programs.files > 0)
    llvm::outs() << "stays   " << rest.programs << ", stored meanwhile, or in a folder that cannot be changed\n";
  print_rest(rest, rest.programs.files > 0 ? kMargin : "stays   ");
}

}  // namespace

int run_cache_command(std::string_view argument) {
  const bool purges = argument == "--cache=purge";
  if (!purges && argument != "--cache=show") {
    llvm::errs() << "upsweepc: " << llvm::StringRef(argument) << ": use --cache=show or --cache=purge\n";
    return 2;
  }
  const DiskCache &cache = DiskCache::instance();
  if (!cache.enabled()) {
    llvm::outs() << "place   none: UPSWEEP_CACHE is 0, or no variable names an absolute path (UPSWEEP_CACHE_DIR,\n"
                 << kMargin << "XDG_CACHE_HOME, HOME)\n";
    return 0;
  }
  std::error_code error;
  llvm::outs() << "place   " << cache.place().string() << '\n';
  if (!cache.is_usable() && std::filesystem::exists(std::filesystem::symlink_status(cache.place(), error)))
    llvm::outs() << kMargin << "It is not used: it is no folder, belongs to another user, or others can write to it.\n";
  purges ? purge(cache) : show(cache);
  return 0;
}

}  // namespace upsweep::compiler
