// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs from SPIR-V: queries, kernels' attributes and arguments, and linking with programs from text.
#include "fixture.h"

namespace upsweep::tests {
namespace {

using Storage = spv::StorageClass;

/// k(out) stores a number.
Words module_of_number(int number) {
  KernelModule m;
  m.put_at(m.begin_kernel("k", {m.global_i32})[0], m.number(0), m.number(number));
  m.end_kernel();
  return m.words();
}

class SpirvProgramTest : public SpirvTest {
protected:
  static size_t bytes_of_query(cl_program program, cl_program_info name) {
    size_t bytes = 77;
    EXPECT_EQ(clGetProgramInfo(program, name, 0, nullptr, &bytes), CL_SUCCESS);
    return bytes;
  }
  cl_program compile(cl_program program) {
    EXPECT_EQ(clCompileProgram(program, 1, &device_, "-cl-std=CL3.0", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
        << log_of(program);
    return program;
  }
  cl_program link(const std::vector<cl_program> &programs, const char *options = "") {
    cl_int error = -1;
    cl_program made = clLinkProgram(context_, 1, &device_, options, static_cast<cl_uint>(programs.size()), programs.data(),
                                    nullptr, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS) << (made ? log_of(made) : "");
    return made;
  }
  int result_of(cl_program program) { return values_of<cl_int>(output_of(program, "k", 4))[0]; }

  std::string argument_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    char text[100] = {};
    EXPECT_EQ(clGetKernelArgInfo(kernel, index, name, sizeof text, text, nullptr), CL_SUCCESS);
    return text;
  }
};

TEST_F(SpirvProgramTest, GivenAModule_WhenAsked_ThenTheModuleIsReturnedAndTheSourceIsEmpty) {
  const Words module = module_of_number(5);
  cl_program program = build(module);
  ASSERT_EQ(bytes_of_query(program, CL_PROGRAM_IL), module.size() * 4);
  Words returned(module.size());
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, module.size() * 4, returned.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(returned, module);
  char text[4] = "xyz";
  EXPECT_EQ(bytes_of_query(program, CL_PROGRAM_SOURCE), 1U);
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, nullptr), CL_SUCCESS);
  EXPECT_STREQ(text, "");
  EXPECT_EQ(bytes_of_query(create_from_text("kernel void k() {}"), CL_PROGRAM_IL), 0U);
  size_t names = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof names, &names, nullptr), CL_SUCCESS);
  EXPECT_EQ(names, 1U);
}

TEST_F(SpirvProgramTest, GivenTheDevice_WhenAskedForItsVersions_ThenEachOfThemIsSpirv) {
  size_t bytes = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_IL_VERSION, 0, nullptr, &bytes), CL_SUCCESS);
  std::string versions(bytes, '\0');
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_IL_VERSION, bytes, versions.data(), nullptr), CL_SUCCESS);
  EXPECT_NE(versions.find("SPIR-V_1.0"), std::string::npos) << versions;
  EXPECT_NE(versions.find("SPIR-V_1.4"), std::string::npos) << versions;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_ILS_WITH_VERSION, 0, nullptr, &bytes), CL_SUCCESS);
  std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_ILS_WITH_VERSION, bytes, list.data(), nullptr), CL_SUCCESS);
  EXPECT_FALSE(list.empty());
  for (const cl_name_version &each : list) {
    EXPECT_STREQ(each.name, "SPIR-V");
    EXPECT_NE(versions.find("SPIR-V_1." + std::to_string(CL_VERSION_MINOR(each.version))), std::string::npos) << versions;
  }
}

TEST_F(SpirvProgramTest, GivenEachVersion_WhenBuilt_ThenTheKernelRuns) {
  for (uint32_t minor = 0; minor <= 6; ++minor) {
    Words module = module_of_number(static_cast<int>(40 + minor));
    module[1] = 0x10000 | minor << 8;
    EXPECT_EQ(result_of(build(module)), static_cast<int>(40 + minor)) << minor;
  }
}

TEST_F(SpirvProgramTest, GivenBytesInTheOtherOrder_WhenBuilt_ThenTheKernelRuns) {
  Words module = module_of_number(77);
  for (uint32_t &each : module) each = __builtin_bswap32(each);
  EXPECT_EQ(result_of(build(module)), 77);
}

TEST_F(SpirvProgramTest, GivenABinaryOfSpirv_WhenLoaded_ThenTheKernelRuns) {
  cl_program program = build(module_of_number(31));
  size_t bytes = 0;
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr), CL_SUCCESS);
  Bytes binary(bytes);
  unsigned char *to = binary.data();
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr), CL_SUCCESS);
  const unsigned char *from = binary.data();
  cl_program loaded = clCreateProgramWithBinary(context_, 1, &device_, &bytes, &from, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(loaded, 1, &device_, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result_of(loaded), 31);
  clReleaseProgram(loaded);
}

/// An imported function int NAME(int), and a kernel k(out) that stores NAME(value).
Words module_that_imports(const std::string &name, int value) {
  KernelModule m;
  std::vector<Id> p;
  const Id function = m.begin_function(m.i32, {m.i32}, p);
  m.end_function();
  m.export_as(function, name, spv::LinkageType::Import);
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  m.put_at(out, m.number(0), m.op(Op::OpFunctionCall, m.i32, {function, m.number(value)}));
  m.end_kernel();
  return m.words();
}

/// An exported function int NAME(int x) {return x * factor;}.
Words module_that_exports(const std::string &name, int factor, spv::LinkageType type = spv::LinkageType::Export) {
  KernelModule m;
  std::vector<Id> p;
  const Id function = m.begin_function(m.i32, {m.i32}, p);
  m.block();
  m.statement(Op::OpReturnValue, {m.binary(Op::OpIMul, p[0], m.number(factor))});
  m.end_function();
  m.export_as(function, name, type);
  return m.words();
}

TEST_F(SpirvProgramTest, GivenTextAndSpirv_WhenLinked_ThenTheyCallEachOther) {
  cl_program text = compile(create_from_text("int triple(int x) { return 3 * x; }"));
  cl_program importer = link({compile(create(module_that_imports("triple", 14))), text});
  EXPECT_EQ(result_of(importer), 42);
  cl_program exporter = compile(create(module_that_exports("five_times", 5)));
  cl_program caller =
      link({compile(create_from_text("int five_times(int); kernel void k(global int *a) { *a = five_times(9); }")), exporter});
  EXPECT_EQ(result_of(caller), 45);
  cl_program both = link({exporter, compile(create(module_that_imports("five_times", 11)))});
  EXPECT_EQ(result_of(both), 55);
  for (cl_program each : {importer, caller, both}) clReleaseProgram(each);
}

TEST_F(SpirvProgramTest, GivenALibrary_WhenLinked_ThenItsFunctionIsFound) {
  cl_program library = link({compile(create(module_that_exports("seven_times", 7)))}, "-create-library");
  cl_program program = link({compile(create(module_that_imports("seven_times", 6))), library});
  EXPECT_EQ(result_of(program), 42);
  clReleaseProgram(library);
  clReleaseProgram(program);
}

TEST_F(SpirvProgramTest, GivenTwoLinkOnceFunctionsOfOneName_WhenLinked_ThenOneIsKept) {
  const Words twin = module_that_exports("twin", 4, static_cast<spv::LinkageType>(2));  // LinkOnceODR
  cl_program program = link({compile(create(twin)), compile(create(twin)), compile(create(module_that_imports("twin", 5)))});
  EXPECT_EQ(result_of(program), 20);
  clReleaseProgram(program);
}

TEST_F(SpirvProgramTest, GivenAMissingFunction_WhenBuilt_ThenTheLogNamesIt) {
  EXPECT_NE(failure_of(module_that_imports("missing_one", 1)).find("missing_one"), std::string::npos);
}

TEST_F(SpirvProgramTest, GivenExportedVariables_WhenLinkedWithText_ThenTheyAreOne) {
  KernelModule m;
  const Id variable = m.global(Storage::CrossWorkgroup, m.i32, {m.number(23)});
  m.export_as(variable, "shared_number");
  cl_program program = link(
      {compile(create(m.words())),
       compile(create_from_text("extern global int shared_number; kernel void k(global int *a) { *a = shared_number; }"))});
  EXPECT_EQ(result_of(program), 23);
  clReleaseProgram(program);
}

TEST_F(SpirvProgramTest, GivenVariablesWithHostAccess_WhenTheHostUsesTheirNames_ThenTheirAccessesHold) {
  using Get = cl_int(CL_API_CALL *)(cl_device_id, cl_program, const char *, size_t *, void **);
  using Copy = cl_int(CL_API_CALL *)(cl_command_queue, cl_program, const char *, cl_bool, size_t, size_t, void *, cl_uint,
                                     const cl_event *, cl_event *);
  cl_platform_id platform = nullptr;
  ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
  const auto look_up = [&](const char *name) { return clGetExtensionFunctionAddressForPlatform(platform, name); };
  const auto get = reinterpret_cast<Get>(look_up("clGetDeviceGlobalVariablePointerINTEL"));
  const auto read = reinterpret_cast<Copy>(look_up("clEnqueueReadGlobalVariableINTEL"));
  const auto write = reinterpret_cast<Copy>(look_up("clEnqueueWriteGlobalVariableINTEL"));

  KernelModule m;
  m.capability(static_cast<spv::Capability>(6187));  // GlobalVariableHostAccessINTEL
  m.capability(static_cast<spv::Capability>(6146));  // GlobalVariableDecorationsINTEL, a draft of it
  constexpr auto kHostAccess = static_cast<spv::Decoration>(6188), kDraftHostAccess = static_cast<spv::Decoration>(6147);
  const char *const draft_names[] = {"draft_none", "draft_read", "draft_write", "draft_both"};
  constexpr uint32_t kDraftAccess[] = {3, 0, 1, 2};
  const char *const names[] = {"none", "read", "write", "both"};
  for (uint32_t access = 0; access < 4; ++access) {
    const Id variable = m.global(Storage::CrossWorkgroup, m.i32, {m.number(20 + static_cast<int>(access))});
    m.decorate(variable, kHostAccess, Words{access} + text_words(names[access]));
    const Id of_draft = m.global(Storage::CrossWorkgroup, m.i32, {m.number(20 + static_cast<int>(access))});
    m.decorate(of_draft, kDraftHostAccess, Words{kDraftAccess[access]} + text_words(draft_names[access]));
  }
  const Id exported = m.global(Storage::CrossWorkgroup, m.i32, {m.number(30)});
  m.export_as(exported, "exported");
  m.decorate(exported, kHostAccess, Words{3} + text_words("of_host"));
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  m.put_at(out, m.number(0), m.op(Op::OpLoad, m.i32, {exported}));
  m.end_kernel();
  cl_program program = build(m.words());

  for (uint32_t row = 0; row < 8; ++row) {
    const uint32_t access = row % 4;
    const char *name = row < 4 ? names[access] : draft_names[access];
    cl_int seen = -1, value = 40 + static_cast<cl_int>(access);
    EXPECT_EQ(write(queue_, program, name, CL_TRUE, 4, 0, &value, 0, nullptr, nullptr),
              access & 2 ? CL_SUCCESS : CL_INVALID_OPERATION);
    EXPECT_EQ(read(queue_, program, name, CL_TRUE, 4, 0, &seen, 0, nullptr, nullptr),
              access & 1 ? CL_SUCCESS : CL_INVALID_OPERATION);
    if (access & 1) EXPECT_EQ(seen, access & 2 ? value : 20 + static_cast<cl_int>(access));
  }
  // Both names are of one variable.
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(get(device_, program, "exported", nullptr, &first), CL_SUCCESS);
  EXPECT_EQ(get(device_, program, "of_host", nullptr, &second), CL_SUCCESS);
  EXPECT_EQ(first, second);
  cl_int value = 99;
  EXPECT_EQ(write(queue_, program, "of_host", CL_TRUE, 4, 0, &value, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result_of(program), 99);
}

TEST_F(SpirvProgramTest, GivenNamedArguments_WhenAsked_ThenTheirDescriptionsFit) {
  KernelModule m;
  const Id f32x4 = m.vector(m.floating(32), 4);
  const Id image =
      m.type(Op::OpTypeImage, {m.void_type(), word(spv::Dim::Dim2D), 0, 0, 0, 0, 0, word(spv::AccessQualifier::WriteOnly)});
  m.capability(spv::Capability::ImageBasic);
  const std::vector<Id> k = m.begin_kernel(
      "k", {m.global_i32, m.pointer(Storage::UniformConstant, f32x4), m.pointer(Storage::Workgroup, m.i64), m.i32, image});
  m.end_kernel();
  const char *const names[] = {"out", "table", "room", "count", "picture"};
  for (size_t n = 0; n < 5; ++n) m.name(k[n], names[n]);
  m.decorate(k[0], spv::Decoration::Restrict);
  m.decorate(k[0], spv::Decoration::Volatile);
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  const cl_kernel_arg_address_qualifier spaces[] = {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
                                                    CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ADDRESS_PRIVATE,
                                                    CL_KERNEL_ARG_ADDRESS_GLOBAL};
  const char *const types[] = {"uint*", "float4*", "ulong*", "uint", "image2d_t"};
  const cl_kernel_arg_type_qualifier qualifiers[] = {CL_KERNEL_ARG_TYPE_RESTRICT | CL_KERNEL_ARG_TYPE_VOLATILE,
                                                     CL_KERNEL_ARG_TYPE_CONST, 0, 0, 0};
  for (cl_uint n = 0; n < 5; ++n) {
    EXPECT_EQ(argument_text(kernel, n, CL_KERNEL_ARG_NAME), names[n]);
    EXPECT_EQ(argument_text(kernel, n, CL_KERNEL_ARG_TYPE_NAME), types[n]);
    cl_kernel_arg_address_qualifier space = 0;
    EXPECT_EQ(clGetKernelArgInfo(kernel, n, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr), CL_SUCCESS);
    EXPECT_EQ(space, spaces[n]) << n;
    cl_kernel_arg_type_qualifier type = 99;
    EXPECT_EQ(clGetKernelArgInfo(kernel, n, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, nullptr), CL_SUCCESS);
    EXPECT_EQ(type, qualifiers[n]) << n;
    cl_kernel_arg_access_qualifier access = 0;
    EXPECT_EQ(clGetKernelArgInfo(kernel, n, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr), CL_SUCCESS);
    EXPECT_EQ(access, static_cast<cl_uint>(n == 4 ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY : CL_KERNEL_ARG_ACCESS_NONE)) << n;
  }
}

TEST_F(SpirvProgramTest, GivenTypesThatATranslatorNoted_WhenAsked_ThenTheirSignIsKept) {
  KernelModule m;
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.i32});
  m.end_kernel();
  m.name(k[0], "a"), m.name(k[1], "b");
  m.note("kernel_arg_type.k.int*,my_int,");
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  EXPECT_EQ(argument_text(kernel, 0, CL_KERNEL_ARG_TYPE_NAME), "int*");
  EXPECT_EQ(argument_text(kernel, 1, CL_KERNEL_ARG_TYPE_NAME), "my_int");
}

// oneMKL does so; other sizes, and numbers that do not fit, are errors.
TEST_F(SpirvProgramTest, GivenA64BitNumberForA32BitParameter_WhenSet_ThenItsValueArrivesIfItFits) {
  KernelModule m;
  const std::vector<Id> p = m.begin_kernel("k", {m.global_i32, m.i32});
  m.put_at(p[0], m.number(0), p[1]);
  m.end_kernel();
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem out = buffer(4);
  set(kernel, 0, out);
  for (const cl_ulong value : {0ul, 1ul, 0xfffffffful}) {
    set(kernel, 1, value);
    run(kernel, 1);
    EXPECT_EQ(values_of<cl_uint>(content_of(out))[0], value);
  }
  const cl_ulong large = 0x100000000ul, small[2] = {};
  EXPECT_EQ(clSetKernelArg(kernel, 1, 8, &large), CL_INVALID_ARG_SIZE);
  for (const size_t bytes : {1, 2, 3, 5, 7, 9, 16}) EXPECT_EQ(clSetKernelArg(kernel, 1, bytes, small), CL_INVALID_ARG_SIZE);
}

TEST_F(SpirvProgramTest, GivenARequiredWorkGroupSize_WhenAsked_ThenOtherSizesAreRefused) {
  KernelModule m;
  m.begin_kernel("k", {m.global_i32});
  m.end_kernel();
  m.mode(m.kernel(), spv::ExecutionMode::LocalSize, {8, 2, 1});
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  size_t sizes[3] = {};
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device_, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(sizes[0] * 100 + sizes[1] * 10 + sizes[2], 821U);
  char attributes[64] = "poison";
  EXPECT_EQ(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, nullptr), CL_SUCCESS);
  EXPECT_STREQ(attributes, "");
  set(kernel, 0, buffer(4));
  const size_t global[] = {16, 2}, right[] = {8, 2}, wrong[] = {4, 2};
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, global, wrong, 0, nullptr, nullptr), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, global, right, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

// SPIR-V permits any text as a name.
TEST_F(SpirvProgramTest, GivenKernelsWithTheNamesOfFunctions_WhenRun_ThenEachIsItself) {
  const std::string names[] = {"_Z13get_global_idj", "__ups_lane", "printf", "kernel.k", "k", "k.item", "my kernel-1", "café"};
  KernelModule m;
  for (int n = 0; n < static_cast<int>(std::size(names)); ++n) {
    const std::vector<Id> k = m.begin_kernel(names[n], {m.global_i32});
    const Id index = m.global_id();
    const Id own = m.binary(Op::OpIAdd, m.op(Op::OpUConvert, m.i32, {index}), m.number(100 * n));
    m.put_at(k[0], index, own);
    m.end_kernel();
  }
  cl_program program = build(m.words());
  for (int n = 0; n < static_cast<int>(std::size(names)); ++n) {
    const auto found = values_of<cl_int>(output_of(program, names[n].c_str(), 40 * sizeof(cl_int), 40));
    for (int i = 0; i < 40; ++i) EXPECT_EQ(found[static_cast<size_t>(i)], 100 * n + i) << names[n];
  }
}

TEST_F(SpirvProgramTest, GivenRecursion_WhenBuilt_ThenItIsRefused) {
  KernelModule m;
  std::vector<Id> p;
  const Id function = m.begin_function(m.i32, {m.i32}, p);
  m.block();
  m.statement(Op::OpReturnValue, {m.op(Op::OpFunctionCall, m.i32, {function, p[0]})});
  m.end_function();
  m.put_at(m.begin_kernel("k", {m.global_i32})[0], m.number(0), m.op(Op::OpFunctionCall, m.i32, {function, m.number(3)}));
  m.end_kernel();
  EXPECT_NE(failure_of(m.words()).find("recurs"), std::string::npos);
}

}  // namespace
}  // namespace upsweep::tests
