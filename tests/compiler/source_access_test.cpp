// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that a source may include, and code that a link refuses, through the driver's client.
#include "fixture.h"

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

class SourceAccess : public CompilerTest {
protected:
  void SetUp() override {
    CompilerTest::SetUp();
    write("secret/value.h", "#define VALUE 5\n");
    write("named/own.h", "#define VALUE 7\n");
  }

  [[nodiscard]] std::string path(const char *name) const { return (folder_ / name).string(); }

  static void expect_refused(const Reply &reply, const std::string &file) {
    EXPECT_EQ(reply.status, Status::kBuildFailure);
    EXPECT_NE(reply.log.find("'" + file + "' was not read"), std::string::npos) << reply.log;
    EXPECT_NE(reply.log.find("UPSWEEP_COMPILER_SANDBOX=off"), std::string::npos) << reply.log;
  }

  static std::string add(const std::string &first) {
    return first + "\nkernel void add(global int *a, int b) { a[0] += b * VALUE; }";
  }
};

TEST_F(SourceAccess, GivenAnAbsolutePath_WhenNoOptionNamesItsFolder_ThenItIsRefusedAndTheLogNamesTheOption) {
  const std::string file = path("secret/value.h");
  expect_refused(build({add("#include \"" + file + "\""), {}, ""}), file);
  expect_refused(build({add("#include \"" + file + "\""), {}, "-I " + path("named")}), file);
  expect_refused(compile({add("#include \"" + file + "\""), {}, ""}), file);
  expect_refused(build({"constant char text[] = {\n#embed \"" + file + "\"\n};", {}, ""}), file);
  const Reply unseen = build({add("#if __has_include(\"" + file + "\")\n#error it shows\n#endif\n#define VALUE 1"), {}, ""});
  EXPECT_EQ(unseen.status, Status::kSuccess) << unseen.log;
}

TEST_F(SourceAccess, GivenAWayAround_WhenIncluded_ThenItIsRefused) {
  const std::string file = path("secret/value.h");
  expect_refused(build({add("#include \"../secret/value.h\""), {}, "-I " + path("named")}), path("named/../secret/value.h"));
  fs::create_symlink(file, folder_ / "named" / "link.h");
  const Reply linked = build({add("#include \"link.h\""), {}, "-I " + path("named")});
  expect_refused(linked, path("named/link.h"));
  EXPECT_NE(linked.log.find("it leads to '" + fs::canonical(file).string() + "'"), std::string::npos) << linked.log;
  // The source does not contain the directive in one piece.
  expect_refused(build({add("#inc\\\nlude \"" + file + "\""), {}, ""}), file);
  fs::create_directories(folder_ / "named and more");
  write("named and more/value.h", "#define VALUE 5\n");
  expect_refused(build({add("#include \"" + path("named and more/value.h") + "\""), {}, "-I " + path("named")}),
                 path("named and more/value.h"));
}

/// The build option that the log names, as UPSWEEP_BUILD_OPTIONS would add it.
std::string advised_option(const std::string &log) {
  const std::string before = "UPSWEEP_BUILD_OPTIONS='", after = "'; UPSWEEP_COMPILER_SANDBOX";
  const size_t begin = log.find(before), end = log.find(after);
  EXPECT_TRUE(begin < end && end != std::string::npos) << log;
  return end == std::string::npos ? "" : log.substr(begin + before.size(), end - begin - before.size());
}

TEST_F(SourceAccess, GivenAFileThatIsRefused_WhenTheAdviceOfTheLogIsFollowed_ThenItIsRead) {
  write("not \"secret\"/value.h", "#define VALUE 11\n");
  for (const char *file : {"secret/value.h", "not \"secret\"/value.h"}) {
    fs::remove(folder_ / "named" / "link.h");
    fs::create_symlink(folder_ / file, folder_ / "named" / "link.h");
    const std::string options = "-I " + path("named");
    for (const char *include : {"#include <link.h>", "#include \"../secret/value.h\""}) {
      const Reply refused = build({add(include), {}, options});
      EXPECT_EQ(refused.status, Status::kBuildFailure);
      const Reply permitted = build({add(include), {}, options + " " + advised_option(refused.log)});
      EXPECT_EQ(permitted.status, Status::kSuccess) << permitted.log;
    }
  }
}

TEST_F(SourceAccess, GivenANamedFolder_WhenItsFilesAreIncluded_ThenTheyAreRead) {
  for (const std::string &options : {"-I " + path("named"), "-D INCLUDE_PATH=" + path("named"), "-I " + path("link")}) {
    fs::remove(folder_ / "link");
    fs::create_directory_symlink(folder_ / "named", folder_ / "link");
    const Reply reply = build({add("#include \"" + path("named/own.h") + "\""), {}, options});
    ASSERT_EQ(reply.status, Status::kSuccess) << options << reply.log;
    EXPECT_EQ(run_add(CodeObject(reply.binary), 0, 2), 14);
  }
}

TEST_F(SourceAccess, GivenAMacroThatIsASlash_WhenItIsNoFolder_ThenNoFileIsReadForIt) {
  const std::string file = path("secret/value.h");
  for (const char *options : {"-DOPERATOR=/", "-D OPERATOR=//", "-DOPERATOR=\\\"/\\\""})
    expect_refused(build({add("#include \"" + file + "\""), {}, options}), file);
}

TEST_F(SourceAccess, GivenARelativeFolder_WhenThereIsNoCurrentOne_ThenNoFileIsReadForIt) {
  const std::string file = path("secret/value.h");
  const fs::path before = fs::current_path();
  fs::create_directory(folder_ / "gone");
  fs::current_path(folder_ / "gone");
  fs::remove(folder_ / "gone");
  const Reply reply = build({add("#include \"" + file + "\""), {}, "-I ."});
  fs::current_path(before);
  expect_refused(reply, file);
}

TEST_F(SourceAccess, GivenAnAbsolutePath_WhenTheCurrentFolderAlonePermitsIt_ThenTheCachedResultIsForThatFolderOnly) {
  const std::string file = path("named/own.h");
  const SourceRequest request = {add("#include \"" + file + "\""), {}, ""};
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "named");
  const Reply inside = build(request), again = build(request);
  fs::current_path(folder_ / "secret");
  const Reply outside = build(request);
  fs::current_path(before);
  EXPECT_EQ(inside.status, Status::kSuccess) << inside.log;
  EXPECT_TRUE(again.from_cache);
  expect_refused(outside, file);
}

TEST_F(SourceAccess, GivenAssemblyThatLeavesItsFunction_WhenAnObjectIsLinked_ThenTheLinkFails) {
  // An object is for all targets, so it may contain PTX; only the link knows the target.
  const Reply object = compile({"kernel void f(global int *a) { __asm__(\".globl x\"); }", {}, ""});
  ASSERT_EQ(object.status, Status::kSuccess) << object.log;
  const ByteSpan input(object.binary);
  const Reply program = link({&input, 1}, "");
  EXPECT_EQ(program.status, Status::kBuildFailure);
  EXPECT_NE(program.log.find("error: inline assembly in 'f' uses the directive '.globl'"), std::string::npos) << program.log;
  const Reply lowered = lower(object.binary, "");
  EXPECT_EQ(lowered.status, Status::kBuildFailure);
  EXPECT_NE(lowered.log.find("UPSWEEP_ALLOW_UNSAFE_SOURCE"), std::string::npos) << lowered.log;
}

}  // namespace
}  // namespace upsweep::compiler::test
