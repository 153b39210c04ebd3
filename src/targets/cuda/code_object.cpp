// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads PTX. The CUDA driver's compiler has its own cache.
#include "targets/cuda/code_object.h"
#include "targets/cuda/kernel_abi.h"
#include <algorithm>
#include <array>

namespace upsweep {
namespace {

enum FunctionAttribute { kFunctionThreads = 0, kStaticSharedBytes = 1, kLocalBytes = 3, kMaxDynamicSharedBytes = 8 };
enum JitOption { kErrorLog = 5, kErrorLogBytes = 6, kOptimisationLevel = 7, kLines = 13 };

/// Alignment of dynamic local memory: that of the kernel's local arguments, at least 128.
uint64_t dynamic_alignment(const KernelDescription &kernel) {
  uint64_t alignment = 128;
  for (const ArgumentDescription &argument : kernel.arguments)
    if (argument.kind == ArgumentKind::kLocal) alignment = std::max<uint64_t>(alignment, argument.align);
  return alignment;
}

}  // namespace

CudaCode::CudaCode(const Gpu &gpu, CUmodule module, uint64_t program_scope_bytes)
    : gpu_(gpu), module_(module), program_scope_bytes_(program_scope_bytes) {}

CudaCode::~CudaCode() {
  CurrentContext current(gpu_);
  gpu_.driver.unload_module(module_);
}

Result<CudaCode::Function> CudaCode::find_function(const std::string &name, uint64_t alignment, uint64_t most_local_bytes) {
  const CudaDriver &driver = gpu_.driver;
  CUfunction function = nullptr;
  int shared = 0, local = 0, threads = 0;
  const bool found = driver.get_function(&function, module_, name.c_str()) == 0 &&
                     driver.function_attribute(&shared, kStaticSharedBytes, function) == 0 &&
                     driver.function_attribute(&local, kLocalBytes, function) == 0 &&
                     driver.function_attribute(&threads, kFunctionThreads, function) == 0;
  if (!found) return fail(CL_INVALID_BINARY, "the GPU's code lacks kernel '" + name + "'");
  const uint64_t declared = (static_cast<uint64_t>(shared) + alignment - 1) / alignment * alignment;
  // A launch must request more than 48 KiB explicitly.
  if (declared < most_local_bytes)
    driver.set_function_attribute(function, kMaxDynamicSharedBytes, static_cast<int>(most_local_bytes - declared));
  return Function{function, declared, static_cast<uint64_t>(local), static_cast<uint32_t>(threads)};
}

Result<void> CudaCode::add(compiler::GpuKernel kernel, uint64_t most_local_bytes) {
  KernelDescription &description = kernel.description;
  const uint64_t alignment = dynamic_alignment(description);
  auto whole = find_function(kernel.symbols.whole, alignment, most_local_bytes);
  if (!whole) return fail(whole);
  // Missing versions of the kernel are replaced by the first version.
  const auto find_version = [&](const std::string &symbol) {
    return symbol.empty() ? whole : find_function(symbol, alignment, most_local_bytes);
  };
  const auto edges = find_version(kernel.symbols.edges);
  const auto textures = find_version(kernel.symbols.textures);
  const auto orders = find_version(kernel.symbols.orders);
  for (const auto *version : {&edges, &textures, &orders}) {
    if (!*version) return fail(*version);
    whole->private_bytes = std::max(whole->private_bytes, (*version)->private_bytes);
    whole->most_threads = std::min(whole->most_threads, (*version)->most_threads);
  }
  const Functions &functions =
      functions_.emplace_back(*whole, *edges, WithTextures{*textures, *orders, std::move(kernel.textures)});
  description.local_bytes += functions.declared_local_bytes();
  description.private_bytes = description.stack_bytes = whole->private_bytes;
  description.max_work_group_size = whole->most_threads;
  num_kernels_ += !description.is_block;
  kernels_.push_back(std::move(description));
  return {};
}

Result<void> CudaCode::add(const compiler::GpuVariable &variable) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  if (gpu_.driver.get_variable(&address, &bytes, module_, variable.symbol.c_str()) != 0 || bytes != variable.bytes)
    return fail(CL_INVALID_BINARY, "the GPU's code lacks variable '" + variable.name + "'");
  variables_.emplace(variable.name,
                     ProgramVariable{reinterpret_cast<char *>(address), bytes, variable.host_reads, variable.host_writes});
  return {};
}

std::optional<ProgramVariable> CudaCode::variable(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

void CudaCode::load_blocks(CUstream stream) const {
  std::call_once(blocks_loaded_, [&] {
    for (const KernelDescription &block : blocks()) {
      UpsweepItems none{};
      void *parameters[] = {&none};
      // If the launch fails, so will later launches.
      gpu_.driver.launch(functions(block).whole.handle, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr);
    }
  });
}

Result<Ref<CodeObject>> CudaCode::load(const Gpu &gpu, uint64_t most_local_bytes, std::span<const uint8_t> bytes) {
  std::optional<compiler::GpuImage> image = compiler::decode_gpu_image(bytes);
  if (!image) return fail(CL_INVALID_BINARY, "the kernels were compiled by another version of this driver");
  std::array<char, 4096> log{};
  // The driver compiles in this process. Its compiler crashes at levels 2 and above on some code that LLVM has not optimised,
  // and miscompiles some irreducible control flow.
  const uintptr_t level = image->is_optimised ? 4 : 1;
  const uintptr_t has_lines = image->ptx.find("\n\t.loc\t") != std::string::npos;
  std::array<int, 4> names{kErrorLog, kErrorLogBytes, kOptimisationLevel, kLines};
  std::array<void *, 4> values{log.data(), reinterpret_cast<void *>(log.size()), reinterpret_cast<void *>(level),
                               reinterpret_cast<void *>(has_lines)};
  CUmodule module = nullptr;
  const CUresult result = gpu.driver.load_module(&module, image->ptx.c_str(), names.size(), names.data(), values.data());
  if (auto loaded = gpu.driver.check(result, CL_BUILD_PROGRAM_FAILURE, "the PTX could not be compiled for the GPU"); !loaded)
    return fail(CL_BUILD_PROGRAM_FAILURE, loaded.error().text + "\n" + log.data());
  auto code = make_ref<CudaCode>(gpu, module, image->program_scope_bytes);
  for (compiler::GpuKernel &kernel : image->kernels)
    if (auto added = code->add(std::move(kernel), most_local_bytes); !added) return fail(added);
  for (const compiler::GpuVariable &variable : image->variables)
    if (auto added = code->add(variable); !added) return fail(added);
  return Ref<CodeObject>(code);
}

}  // namespace upsweep
