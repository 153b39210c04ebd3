// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads code from memory: the image becomes an anonymous file, which the dynamic linker maps like any other library.
#include "targets/cpu/code_object.h"

#include "base/across_fork.h"
#include "base/options.h"
#include "compiler/client/shared_object_check.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace upsweep {
namespace {

/// Held while the dynamic linker loads and unloads. A child of fork() inherits the linker's lists in their current state, and
/// the C library only resets the linker's own lock.
constinit std::mutex linker_mutex;
const AcrossFork linker_across_fork(&linker_mutex);

void *open_library(const std::string &path) {
  std::lock_guard lock(linker_mutex);
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

void close_library(void *library) {
  std::lock_guard lock(linker_mutex);
  dlclose(library);
}

/// A file descriptor; the destructor closes it.
class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }

private:
  int descriptor_;
};

bool write_all(int file, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return true;
}

/// A path to the descriptor that no other load has used. The dynamic linker identifies libraries by name, and descriptors'
/// numbers are reused; a binary counter, spelled with "/" and "./", makes each path new.
std::string unique_path(int file) {
  static std::atomic<uint64_t> next{1};
  std::string path = "/proc/self/fd/";
  for (uint64_t count = next++; count; count /= 2) path += count % 2 ? "./" : "/";
  return path + std::to_string(file);
}

/// Empty if the table is for another version of the contract.
std::optional<std::vector<KernelDescription>> read_descriptions(const UpsweepCodeObject &table) {
  if (table.abi != UPSWEEP_CPU_ABI) return std::nullopt;
  WireReader reader({table.descriptions, table.description_bytes});
  std::vector<KernelDescription> descriptions;
  for (uint32_t i = 0; i < table.num_kernels; ++i) {
    std::optional<KernelDescription> description = get_kernel_description(reader);
    if (!description) return std::nullopt;
    descriptions.push_back(std::move(*description));
  }
  return descriptions;
}

size_t count_kernels(const std::vector<KernelDescription> &descriptions) {
  return static_cast<size_t>(
      std::ranges::find_if(descriptions, [](const KernelDescription &kernel) { return kernel.is_block; }) -
      descriptions.begin());
}

tl::unexpected<Error> system_failure(const char *what) {
  return fail(CL_OUT_OF_HOST_MEMORY, std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

CpuCode::CpuCode(std::vector<KernelDescription> descriptions, const UpsweepCodeObject &table, void *library)
    : descriptions_(std::move(descriptions)), num_kernels_(count_kernels(descriptions_)), table_(table), code_(table.kernels),
      paces_(std::make_unique<KernelPace[]>(descriptions_.size())), library_(library) {}

std::optional<ProgramVariable> CpuCode::variable(std::string_view name) const {
  const std::span variables(table_.variables, table_.num_variables);
  const auto found = std::ranges::find_if(variables, [&](const UpsweepVariable &variable) { return name == variable.name; });
  if (found == variables.end()) return std::nullopt;
  return ProgramVariable{static_cast<char *>(found->address), found->bytes, (found->access & 1) != 0, (found->access & 2) != 0};
}

CpuCode::~CpuCode() {
  if (library_) close_library(library_);
}

Result<Ref<CodeObject>> load_code_object(std::span<const uint8_t> elf) {
  // Code must not run before a kernel is launched, but dlopen() runs constructors and loads further libraries.
  if (!options().allow_unsafe_source)
    if (const auto problem = compiler::problem_of_shared_object(elf))
      return fail(CL_INVALID_BINARY, "the compiled kernels are not safe to load: " + *problem);
  const File file(memfd_create("upsweep-kernels", MFD_CLOEXEC));
  if (file.get() < 0 || !write_all(file.get(), elf))
    return system_failure("the compiled kernels could not be stored in memory");
  void *library = open_library(unique_path(file.get()));
  if (!library) return fail(CL_INVALID_BINARY, std::string("the compiled kernels could not be loaded: ") + dlerror());
  const auto *table = static_cast<const UpsweepCodeObject *>(dlsym(library, UPSWEEP_CODE_OBJECT_SYMBOL));
  auto descriptions = table ? read_descriptions(*table) : std::nullopt;
  if (!descriptions) {
    close_library(library);
    return fail(CL_INVALID_BINARY, "the kernels were compiled by another version of this driver");
  }
  return Ref<CodeObject>(make_ref<CpuCode>(std::move(*descriptions), *table, library));
}

}  // namespace upsweep
