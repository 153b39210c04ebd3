// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The client's requests, from source to a kernel that runs.
#include "fixture.h"

#include <thread>

namespace upsweep::compiler::test {
namespace {

using Client = CompilerTest;

SourceRequest source(std::string text, std::string options = "") { return {std::move(text), {}, std::move(options)}; }

TEST_F(Client, GivenAKernel_WhenBuilt_ThenItRuns) {
  Reply reply = build(source(kAdd));
  ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
  EXPECT_EQ(reply.log, "");
  auto view = open_binary(reply.binary);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->kind, BinaryKind::kExecutable);
  EXPECT_TRUE(runs_here(*view));
  CodeObject object(reply.binary);
  ASSERT_TRUE(object.get());
  EXPECT_EQ(object.get()->abi, UPSWEEP_CPU_ABI);
  EXPECT_EQ(run_add(object, 3, 4), 7);
}

TEST_F(Client, GivenAnError_WhenBuilt_ThenTheLogNamesLineAndReason) {
  Reply reply = build(source("kernel void f() {\n  nonsense();\n}"));
  EXPECT_EQ(reply.status, Status::kBuildFailure);
  EXPECT_TRUE(reply.binary.empty());
  EXPECT_NE(reply.log.find(":2:3: error: "), std::string::npos) << reply.log;
  EXPECT_NE(reply.log.find("nonsense"), std::string::npos);
  EXPECT_EQ(reply.log.find('\033'), std::string::npos);
}

TEST_F(Client, GivenAWarning_WhenBuilt_ThenTheLogHasItAndTheProgramRuns) {
  std::string text = "#warning careful\n" + kAdd;
  Reply reply = build(source(text));
  ASSERT_EQ(reply.status, Status::kSuccess);
  EXPECT_NE(reply.log.find("careful"), std::string::npos);
  EXPECT_EQ(build(source(text, "-w")).log, "");
  EXPECT_EQ(build(source(text, "-Werror")).status, Status::kBuildFailure);
  // A reply from the cache has the warning too.
  EXPECT_NE(build(source(text)).log.find("careful"), std::string::npos);
}

TEST_F(Client, GivenInvalidOptions_WhenUsed_ThenTheirOwnStatus) {
  Reply reply = build(source(kAdd, "-cl-std=CL9"));
  EXPECT_EQ(reply.status, Status::kInvalidOptions);
  EXPECT_NE(reply.log.find("CL9"), std::string::npos);
  EXPECT_EQ(compile(source(kAdd, "-create-library")).status, Status::kInvalidOptions);
  Reply object = compile(source(kAdd));
  ByteSpan input(object.binary);
  EXPECT_EQ(link({&input, 1}, "-DX").status, Status::kInvalidOptions);
  EXPECT_EQ(link({&input, 1}, "-enable-link-options").status, Status::kInvalidOptions);
}

TEST_F(Client, GivenEmbeddedHeaders_WhenCompiled_ThenTheyWinOverFiles) {
  write("value.h", "#define VALUE 1\n");
  SourceRequest request = source(
      "#include <value.h>\n#include \"deep/other.h\"\nkernel void add(global int *a, int b) { a[0] += b * VALUE * OTHER; }",
      "-I " + folder_.string());
  request.headers = {{"value.h", "#define VALUE 10\n"}, {"deep/other.h", "#include \"value.h\"\n#define OTHER (VALUE * 10)\n"}};
  Reply reply = build(request);
  ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
  EXPECT_EQ(run_add(CodeObject(reply.binary), 1, 2), 2001);
}

TEST_F(Client, GivenFiles_WhenIncluded_ThenFoundByFolderAndFromTheCurrentOne) {
  write("include dir/a.h", "#include \"b.h\"\n");
  write("include dir/b.h", "#define B 5\n");
  Reply reply = build(source("#include \"a.h\"\nkernel void add(global int *a, int b) { a[0] += b * B; }",
                             "-I \"" + (folder_ / "include dir").string() + "\""));
  ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
  EXPECT_EQ(run_add(CodeObject(reply.binary), 0, 2), 10);

  auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_ / "include dir");
  reply = build(source("#include \"b.h\"\nkernel void add(global int *a, int b) { a[0] += b * B; }"));
  std::filesystem::current_path(before);
  EXPECT_EQ(reply.status, Status::kSuccess) << reply.log;
}

TEST_F(Client, GivenObjects_WhenLinked_ThenTheyCallEachOther) {
  Reply helper = compile(source("int twice(int x) { return 2 * x; }"));
  Reply kernel = compile(source("int twice(int x);\nkernel void add(global int *a, int b) { a[0] += twice(b); }"));
  ASSERT_EQ(helper.status, Status::kSuccess) << helper.log;
  ASSERT_EQ(kernel.status, Status::kSuccess) << kernel.log;
  EXPECT_EQ(open_binary(kernel.binary)->kind, BinaryKind::kObject);
  EXPECT_TRUE(open_binary(kernel.binary)->shared_object.empty());

  ByteSpan both[] = {kernel.binary, helper.binary};
  Reply program = link(both, "");
  ASSERT_EQ(program.status, Status::kSuccess) << program.log;
  EXPECT_EQ(run_add(CodeObject(program.binary), 1, 20), 41);

  Reply alone = link({both, 1}, "");
  EXPECT_EQ(alone.status, Status::kBuildFailure);
  EXPECT_NE(alone.log.find("twice"), std::string::npos) << alone.log;
}

TEST_F(Client, GivenALibrary_WhenLinkedAgain_ThenItsKernelsAreThere) {
  Reply helper = compile(source("int twice(int x) { return 2 * x; }"));
  ByteSpan input(helper.binary);
  Reply library = link({&input, 1}, "-create-library -enable-link-options -cl-fast-relaxed-math");
  ASSERT_EQ(library.status, Status::kSuccess) << library.log;
  EXPECT_EQ(open_binary(library.binary)->kind, BinaryKind::kLibrary);
  Reply kernel = compile(source("int twice(int x);\nkernel void add(global int *a, int b) { a[0] += twice(b); }"));
  ByteSpan both[] = {library.binary, kernel.binary};
  Reply program = link(both, "");
  ASSERT_EQ(program.status, Status::kSuccess) << program.log;
  EXPECT_EQ(run_add(CodeObject(program.binary), 1, 2), 5);
}

TEST_F(Client, GivenTheSameSymbolTwice_WhenLinked_ThenAFailureThatNamesIt) {
  Reply one = compile(source("int twice(int x) { return 2 * x; }"));
  Reply two = compile(source("int twice(int x) { return x + x; }\n"));
  ByteSpan both[] = {one.binary, two.binary};
  Reply program = link(both, "");
  EXPECT_EQ(program.status, Status::kBuildFailure);
  EXPECT_NE(program.log.find("twice"), std::string::npos) << program.log;
}

TEST_F(Client, GivenSourcesThatCallEachOther_WhenLinked_ThenRecursionIsRefusedUnlessPermitted) {
  const std::string odd = "int even(int n);\nint odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
                          "kernel void add(global int *a, int b) { a[0] += odd(b); }";
  const std::string even = "int odd(int n);\nint even(int n) { return n == 0 ? 1 : odd(n - 1); }";
  auto linked = [&](const char *one, const char *other, const char *options) {
    Reply parts[] = {compile(source(odd, one)), compile(source(even, other))};
    EXPECT_EQ(parts[0].status, Status::kSuccess) << parts[0].log;
    EXPECT_EQ(parts[1].status, Status::kSuccess) << parts[1].log;
    ByteSpan both[] = {parts[0].binary, parts[1].binary};
    return link(both, options);
  };
  Reply refused = linked("", "", "");
  EXPECT_EQ(refused.status, Status::kBuildFailure);
  EXPECT_EQ(refused.log, "error: recursion is not supported: 'odd' and 'even' call each other "
                         "[-Wrecursion; permitted by -Wno-error=recursion]");
  EXPECT_EQ(linked("", "", "-create-library").status, Status::kBuildFailure);
  EXPECT_EQ(linked("-Wno-recursion", "", "").status, Status::kBuildFailure);

  Reply warned = linked("", "", "-Wno-error=recursion");
  ASSERT_EQ(warned.status, Status::kSuccess) << warned.log;
  EXPECT_EQ(warned.log, "warning: recursion is not supported: 'odd' and 'even' call each other [-Wrecursion]");
  EXPECT_EQ(run_add(CodeObject(warned.binary), 1, 3), 2);
  EXPECT_EQ(linked("", "", "-Wno-recursion").log, "");
  // Both compilations permitted it.
  Reply permitted = linked("-Wno-error=recursion", "-Wno-recursion", "");
  EXPECT_EQ(permitted.status, Status::kSuccess) << permitted.log;
}

TEST_F(Client, GivenAnExecutable_WhenLowered_ThenItRunsAgain) {
  Reply reply = build(source(kAdd));
  Reply again = lower(reply.binary, "");
  ASSERT_EQ(again.status, Status::kSuccess) << again.log;
  EXPECT_EQ(run_add(CodeObject(again.binary), 1, 2), 3);
  reply.binary[reply.binary.size() / 2] ^= 1;
  EXPECT_EQ(lower(reply.binary, "").status, Status::kInvalidBinary);
}

TEST_F(Client, GivenManyThreads_WhenTheyBuild_ThenEachGetsItsOwn) {
  constexpr int kThreads = 8, kBuilds = 6;
  std::vector<int> wrong(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kBuilds; ++i) {
        int number = t * kBuilds + i;
        Reply reply = build(source("kernel void add(global int *a, int b) { a[0] += b * " + std::to_string(number) + "; }"));
        wrong[t] += reply.status != Status::kSuccess || run_add(CodeObject(reply.binary), 1, 2) != 1 + 2 * number;
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads));
}

TEST_F(Client, GivenProgramScopeObjects_WhenLoaded_ThenTheirConstructorsHaveRunInOrder) {
  Reply reply = build(source("struct S { int v; S(int x) : v(x * 2) {} };\n"
                             "global S first(5);\nglobal S second(first.v + 1);\nglobal int plain = 100;\n"
                             "kernel void add(global int *a, int b) { a[0] += b + second.v + plain; }",
                             "-cl-std=CLC++2021"));
  ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
  CodeObject object(reply.binary);
  ASSERT_TRUE(object.get());
  EXPECT_EQ(object.get()->num_kernels, 1u);
  EXPECT_EQ(run_add(object, 1, 2), 1 + 2 + 22 + 100);
}

TEST_F(Client, GivenArgumentInfo_WhenAskedFor_ThenTheKernelSaysSo) {
  {
    const CodeObject plain(build(source(kAdd)).binary);
    ASSERT_EQ(plain.descriptions().size(), 1u);
    EXPECT_FALSE(plain.descriptions()[0].has_argument_info);
  }
  Reply reply = build(source(kAdd, "-cl-kernel-arg-info"));
  CodeObject object(reply.binary);
  ASSERT_EQ(object.descriptions().size(), 1u);
  EXPECT_TRUE(object.descriptions()[0].has_argument_info);
  EXPECT_EQ(object.descriptions()[0].arguments[1].name, "b");
}

}  // namespace
}  // namespace upsweep::compiler::test
