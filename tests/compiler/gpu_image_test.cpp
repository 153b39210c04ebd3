// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for GPUs in program binaries.
#include "compiler/client/binary.h"
#include "compiler/client/gpu_image.h"
#include "fixture.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace upsweep::compiler::test {
namespace {

constexpr char kSource[] = R"(
  kernel __attribute__((reqd_work_group_size(64, 2, 1))) void scan(global const int *in, global int *out, local float *space, short n) {
    out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)] + n);
  }
  global int calls;
  kernel void count(void) { calls += 1; })";

TEST_F(CompilerTest, GivenATargetOfGpus_WhenBuilt_ThenTheBinaryHasPtxAndItsKernels) {
  const Reply reply = build({kSource, {}, "-cl-std=CL3.0 -cl-kernel-arg-info", "cuda-sm_80"});
  ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
  const auto view = open_binary(reply.binary);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->target, "cuda-sm_80");
  EXPECT_TRUE(runs_here(*view, "cuda-sm_80"));
  EXPECT_FALSE(runs_here(*view, "cuda-sm_90"));
  EXPECT_FALSE(runs_here(*view));

  const auto image = decode_gpu_image(view->shared_object);
  ASSERT_TRUE(image);
  EXPECT_NE(image->ptx.find(".target sm_80"), std::string::npos);
  EXPECT_NE(image->ptx.find(".entry scan("), std::string::npos);
  EXPECT_EQ(image->program_scope_bytes, 4u);
  ASSERT_EQ(image->variables.size(), 1u);
  EXPECT_EQ(image->variables[0].name, "calls");
  EXPECT_EQ(image->variables[0].bytes, 4u);
  EXPECT_TRUE(image->variables[0].host_reads && image->variables[0].host_writes);
  EXPECT_NE(image->ptx.find(".visible .global .align 4 .u32 " + image->variables[0].symbol), std::string::npos) << image->ptx;
  ASSERT_EQ(image->kernels.size(), 2u);
  const KernelDescription &scan = image->kernels[0].description;
  EXPECT_EQ(scan.name, "scan");
  EXPECT_EQ(scan.attributes, "reqd_work_group_size(64,2,1)");
  EXPECT_EQ(scan.required_local_size[1], 2u);
  EXPECT_EQ(scan.sub_group_size, 32u);
  ASSERT_EQ(scan.arguments.size(), 4u);
  EXPECT_EQ(scan.arguments[2].kind, ArgumentKind::kLocal);
  EXPECT_EQ(scan.arguments[3].name, "n");
  EXPECT_EQ(scan.arguments[3].size, 2u);
  EXPECT_TRUE(image->kernels[1].description.arguments.empty());

  // Code for the CPU is made from the portable module.
  EXPECT_EQ(lower(reply.binary, "").status, Status::kSuccess);
}

TEST_F(CompilerTest, GivenKernelsWithNeedsOfTheirOwn_WhenBuiltForGpus_ThenTheyAreKnown) {
  const Reply reply = build({R"(
    kernel void prints(void) { printf("%d", (int)get_global_id(0)); }
    kernel void keeps(global int *out) { local int all[25600]; all[get_local_id(0)] = 1; barrier(1); out[0] = all[out[1]]; }
    kernel void neither(global int *out) { local int few[2560]; few[get_local_id(0)] = 1; barrier(1); out[0] = few[out[1]]; })",
                             {},
                             "",
                             "cuda-sm_80"});
  ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
  const auto view = open_binary(reply.binary);
  ASSERT_TRUE(view);
  const auto image = decode_gpu_image(view->shared_object);
  ASSERT_TRUE(image);
  ASSERT_EQ(image->kernels.size(), 3u);
  EXPECT_TRUE(image->kernels[0].description.prints);
  EXPECT_FALSE(image->kernels[1].description.prints);
  EXPECT_EQ(image->kernels[1].description.local_bytes, 102400u);
  EXPECT_EQ(image->kernels[2].description.local_bytes, 0u);  // PTX declares them
}

TEST_F(CompilerTest, GivenRequiredSubGroupSizes_WhenBuiltForAGpu_ThenTheDescriptionsHaveThem) {
  const Reply reply = build({R"(
    __attribute__((intel_reqd_sub_group_size(8))) kernel void quarter(void) {}
    __attribute__((intel_reqd_sub_group_size(16))) kernel void half_(void) {}
    __attribute__((intel_reqd_sub_group_size(32))) kernel void whole(void) {}
    kernel void any_(void) {})",
                             {},
                             "-cl-std=CL3.0",
                             "cuda-sm_80"});
  ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
  const auto view = open_binary(reply.binary);
  ASSERT_TRUE(view);
  const auto image = decode_gpu_image(view->shared_object);
  ASSERT_TRUE(image);
  ASSERT_EQ(image->kernels.size(), 4u);
  for (const size_t i : {0, 1, 2, 3}) EXPECT_EQ(image->kernels[i].description.sub_group_size, std::min(8u << i, 32u));
  EXPECT_EQ(image->kernels[1].description.required_sub_group_size, 16u);
  EXPECT_EQ(image->kernels[3].description.required_sub_group_size, 0u);
}

TEST_F(CompilerTest, GivenWhatGpusCannotDo_WhenBuilt_ThenTheLogSaysSo) {
  Reply reply =
      build({"__attribute__((intel_reqd_sub_group_size(4))) kernel void k(void) {}", {}, "-cl-std=CL3.0", "cuda-sm_80"});
  EXPECT_EQ(reply.status, Status::kBuildFailure);
  EXPECT_EQ(reply.log, "error: kernel 'k' requires sub-groups of 4 work-items; the GPU supports 8, 16 and 32");
  reply = build({"kernel void k(void) {}", {}, "", "cuda-sm_1"});
  EXPECT_EQ(reply.status, Status::kBuildFailure);
  EXPECT_NE(reply.log.find("unknown GPU"), std::string::npos) << reply.log;
}

TEST_F(CompilerTest, GivenAFeatureOfOneKindOfDevice_WhenBuiltAndCompiledForBoth_ThenOneAloneSeesIt) {
  const std::string source = "#ifndef cl_khr_pci_bus_info\n#error missing\n#endif\nkernel void k(void) {}";
  for (int time = 0; time < 2; ++time) {  // the second answers come from the cache
    EXPECT_EQ(build({source, {}, "", "cuda-sm_80"}).status, Status::kSuccess);
    EXPECT_EQ(build({source, {}, "", ""}).status, Status::kBuildFailure);
    EXPECT_EQ(compile({source, {}, "", "cuda-sm_80"}).status, Status::kSuccess);
    EXPECT_EQ(compile({source, {}, "", ""}).status, Status::kBuildFailure);
  }
}

TEST_F(CompilerTest, GivenCodeThatMustNotBeOptimised_WhenBuiltForGpus_ThenTheImageSaysSo) {
  const std::string into_loop = R"(kernel void k(global int *p, int n) {
    if (n) goto inside;
    do { p[n] = n; inside: p[n + 1] = n * n; } while (++n < 9);
  })";
  struct Case {
    std::string source, options;
    bool is_optimised;
  };
  for (const auto &[source, options, is_optimised] :
       {Case{kSource, "-cl-std=CL3.0", true}, Case{kSource, "-cl-std=CL3.0 -cl-opt-disable", false},
        Case{into_loop, "", false}}) {
    const Reply reply = build({source, {}, options, "cuda-sm_80"});
    ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
    const auto view = open_binary(reply.binary);
    ASSERT_TRUE(view);
    const auto image = decode_gpu_image(view->shared_object);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->is_optimised, is_optimised);
  }
}

/// Whether PTX defines a kernel of this name, by letters that PTX permits.
bool has_entry(const std::string &ptx, const std::string &symbol) {
  return symbol.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$") == symbol.npos &&
         ptx.find(".entry " + symbol + "(") != ptx.npos;
}

TEST_F(CompilerTest, GivenKernelsWhoseNamesPtxForbids_WhenBuiltForGpus_ThenTheirSymbolsAreOthers) {
  const std::string source = "#define REQUIRED __attribute__((reqd_work_group_size(64, 1, 1)))\n"
                             "REQUIRED kernel void café(global int *a) { a[get_global_id(0)] = get_local_size(0); }"
                             "REQUIRED kernel void f(global int *a) { a[get_global_id(0)] = get_local_size(0); }"
                             "kernel void f$edges(global int *a) { a[0] = 1; }"
                             "kernel void _(global int *a) { a[0] = 2; }"
                             "kernel void WARP_SZ(global int *a) { a[0] = 3; }"
                             "kernel void add(global int *a) { a[0] = 4; }"
                             "kernel void cafè(read_only image2d_t i, sampler_t s, global float4 *a) {"
                             "  a[0] = read_imagef(i, s, (float2)(a[1].x)); }";
  const Reply reply = build({source, {}, "-cl-std=CL3.0", "cuda-sm_80"});
  ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
  const auto view = open_binary(reply.binary);
  ASSERT_TRUE(view);
  const auto image = decode_gpu_image(view->shared_object);
  ASSERT_TRUE(image);
  std::vector<std::string> names, symbols;
  for (const GpuKernel &kernel : image->kernels) {
    names.push_back(kernel.description.name);
    EXPECT_TRUE(has_entry(image->ptx, kernel.symbols.whole)) << kernel.symbols.whole;
    for (const std::string *each :
         {&kernel.symbols.whole, &kernel.symbols.edges, &kernel.symbols.textures, &kernel.symbols.orders}) {
      if (each->empty()) continue;
      EXPECT_TRUE(has_entry(image->ptx, *each)) << *each;
      EXPECT_EQ(std::ranges::count(symbols, *each), 0) << *each;
      symbols.push_back(*each);
    }
  }
  EXPECT_EQ(names, (std::vector<std::string>{"café", "f", "f$edges", "_", "WARP_SZ", "add", "cafè"}));
  EXPECT_EQ(image->kernels[1].symbols.whole, "f");
  EXPECT_FALSE(image->kernels[0].symbols.edges.empty());
  EXPECT_EQ(image->kernels[2].symbols.whole, "f$edges");
  EXPECT_EQ(image->kernels[5].symbols.whole, "add");
  EXPECT_FALSE(image->kernels[6].symbols.textures.empty());
  EXPECT_EQ(symbols.size(), 7u + 2 + 2);
}

TEST(GpuImage, GivenDamagedBytes_WhenRead_ThenTheyAreRefused) {
  GpuImage image;
  image.ptx = "// code";
  image.kernels.resize(2);
  image.kernels[0].description.name = "k";
  image.kernels[0].description.arguments.resize(1);
  const Bytes bytes = encode(image);
  EXPECT_TRUE(decode_gpu_image(bytes));
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(decode_gpu_image(ByteSpan(bytes).first(size))) << size;
  Bytes other = bytes;
  other[0] ^= 1;
  EXPECT_FALSE(decode_gpu_image(other));
}

TEST(GpuImage, GivenAnyByteChanged_WhenRead_ThenNoArgumentLiesOutsideItsBlock) {
  GpuImage image;
  image.ptx = "// code";
  image.kernels.resize(1);
  KernelDescription &kernel = image.kernels[0].description;
  kernel.argument_block_bytes = 24;
  kernel.arguments.resize(3);
  for (uint32_t i = 0; i < 3; ++i) kernel.arguments[i].offset = 8 * i;
  kernel.arguments[0].kind = ArgumentKind::kGlobal;
  kernel.arguments[1].kind = ArgumentKind::kLocal;
  kernel.arguments[2].size = 8;
  const Bytes bytes = encode(image);
  ASSERT_TRUE(decode_gpu_image(bytes));
  size_t refused = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int value = 0; value < 256; ++value) {
      Bytes changed = bytes;
      changed[i] = static_cast<uint8_t>(value);
      const auto read = decode_gpu_image(changed);
      refused += !read;
      if (!read) continue;
      for (const GpuKernel &one : read->kernels)
        for (const ArgumentDescription &argument : one.description.arguments) {
          const bool is_pointer = argument.kind >= ArgumentKind::kGlobal && argument.kind <= ArgumentKind::kLocal;
          EXPECT_LE(uint64_t{argument.offset} + (is_pointer ? 8 : argument.size), one.description.argument_block_bytes);
        }
    }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace upsweep::compiler::test
