// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Environment, folders and code objects for the client's tests.
#include "fixture.h"

#include "compiler/client/protocol.h"

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

/// The client reads its options at its first call, so all tests share them. The cache is private, since tests look into it.
const bool environment_is_set = [] {
  setenv("UPSWEEP_COMPILER", UPSWEEPC, 0);
  std::string cache = (fs::temp_directory_path() / ("upsweep-client-test-" + std::to_string(getpid()))).string();
  setenv("UPSWEEP_CACHE_DIR", cache.c_str(), 1);
  setenv("UPSWEEP_COMPILE_TIMEOUT_S", "8", 1);
  setenv("UPSWEEP_COMPILE_MEMORY_MIB", "384", 1);
  return true;
}();

/// The compiler may answer before it has updated the stamp of evictions.
void remove_cache() {
  std::error_code error;
  do fs::remove_all(getenv("UPSWEEP_CACHE_DIR"), error);
  while (error == std::errc::directory_not_empty);
}

}  // namespace

void CompilerTest::SetUp() {
  const auto *test = testing::UnitTest::GetInstance()->current_test_info();
  folder_ = fs::temp_directory_path() / ("upsweep-test-" + std::to_string(getpid()) + "-" + test->name());
  fs::create_directories(folder_);
  remove_cache();
}

void CompilerTest::TearDown() {
  fs::remove_all(folder_);
  remove_cache();
}

fs::path CompilerTest::write(const std::string &name, const std::string &text) const {
  fs::path path = folder_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return path;
}

CodeObject::CodeObject(ByteSpan binary) {
  std::optional<BinaryView> view = open_binary(binary);
  if (!view) return;
  UniqueFd file = make_memory_file(view->shared_object);
  handle_ = dlopen(("/proc/self/fd/" + std::to_string(file.get())).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_) object_ = static_cast<const UpsweepCodeObject *>(dlsym(handle_, UPSWEEP_CODE_OBJECT_SYMBOL));
  if (!object_) return;
  WireReader reader({object_->descriptions, object_->description_bytes});
  for (uint32_t i = 0; i < object_->num_kernels; ++i)
    if (auto description = get_kernel_description(reader)) descriptions_.push_back(std::move(*description));
}

CodeObject::~CodeObject() {
  if (handle_) dlclose(handle_);
}

const UpsweepKernelCode *CodeObject::kernel(const std::string &name) const {
  for (size_t i = 0; i < descriptions_.size(); ++i)
    if (descriptions_[i].name == name) return &object_->kernels[i];
  return nullptr;
}

int run_add(const CodeObject &object, int a, int b) {
  const UpsweepKernelCode *kernel = object.kernel("add");
  if (!kernel) return -1;
  struct Arguments {
    int *a;
    int b;
  } arguments = {&a, b};
  alignas(64) UpsweepGroup group = {};
  for (auto *sizes : {group.global_size, group.enqueued_local_size, group.num_groups, group.local_size})
    std::fill_n(sizes, 3, 1);
  group.work_dim = 1;
  group.arguments = &arguments;
  kernel->entry(&group);
  return a;
}

}  // namespace upsweep::compiler::test
