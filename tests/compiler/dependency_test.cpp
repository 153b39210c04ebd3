// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dependencies of a cached build beyond its request: files, whatever way the source names them, the current folder, the time.
#include "cache_fixture.h"

#include <sys/stat.h>

#include <fstream>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

using Dependencies = CompilerTest;

const std::string kUse = "\nkernel void add(global int *a, int b) { a[0] += b * VALUE; }\n";

/// Builds in this folder; the result of add(0, 1), or -1.
int built_in(const fs::path &folder, const SourceRequest &request) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  const Reply reply = build(request);
  fs::current_path(before);
  EXPECT_EQ(reply.status, Status::kSuccess) << request.source << reply.log;
  return reply.status == Status::kSuccess ? run_add(CodeObject(reply.binary), 0, 1) : -1;
}

size_t num_entries() { return entries_of(getenv("UPSWEEP_CACHE_DIR")).size(); }

/// Sources that take VALUE from the file value.h.
const char *const kSpellings[] = {
    "#include \"value.h\"",
    "#import \"value.h\"",
    "#inc\\\nlude \"value.h\"",
    "#in\\\nclu\\\nde \"value.h\"",
    "%:include \"value.h\"",
    "/**/ # /* */ include \"value.h\"",
    "#define FILE \"value.h\"\n#include FILE",
    "#include_next \"value.h\"",
    "#define JOIN(x) #x\n#define TEXT(x) JOIN(x.h)\n#import TEXT(value)",
};

TEST_F(Dependencies, GivenAnySpelling_WhenTheFolderOrTheFileChanges_ThenTheProgramIsBuiltAnew) {
  for (const char *spelling : kSpellings) {
    write("one/value.h", "#define VALUE 2\n");
    write("two/value.h", "#define VALUE 3\n");
    const SourceRequest request = {spelling + kUse, {}, "-I."};
    EXPECT_EQ(built_in(folder_ / "one", request), 2) << spelling;
    EXPECT_EQ(built_in(folder_ / "two", request), 3) << spelling;
    write("one/value.h", "#define VALUE 4\n");
    EXPECT_EQ(built_in(folder_ / "one", request), 4) << spelling;
    EXPECT_EQ(built_in(folder_ / "two", request), 3) << spelling;
  }
}

TEST_F(Dependencies, GivenTrigraphs_WhenTheFolderChanges_ThenTheProgramIsBuiltAnew) {
  write("one/value.h", "#define VALUE 2\n");
  write("two/value.h", "#define VALUE 3\n");
  const SourceRequest request = {"?"
                                 "?=include \"value.h\"" +
                                     kUse,
                                 {},
                                 ""};
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "one");
  const bool are_enabled = build(request).status == Status::kSuccess;
  fs::current_path(before);
  if (!are_enabled) GTEST_SKIP() << "not in this language";
  EXPECT_EQ(built_in(folder_ / "one", request), 2);
  EXPECT_EQ(built_in(folder_ / "two", request), 3);
}

TEST_F(Dependencies, GivenAnEmbeddedFile_WhenItChanges_ThenTheProgramIsBuiltAnew) {
  for (const std::string limit : {"", " limit(1)"}) {
    const SourceRequest request = {
        "constant uchar bytes[] = {\n#embed \"value.bin\"" + limit + "\n};\n#define VALUE bytes[0]" + kUse, {}, ""};
    write("one/value.bin", "23");
    EXPECT_EQ(built_in(folder_ / "one", request), '2');
    write("one/value.bin", "323");
    EXPECT_EQ(built_in(folder_ / "one", request), '3');
    write("two/value.bin", "5");
    EXPECT_EQ(built_in(folder_ / "two", request), '5');
  }
}

TEST_F(Dependencies, GivenAHeaderAboveTheFolder_WhenItEmbedsAFile_ThenTheFolderMatters) {
  const std::string header = "constant uchar bytes[] = {\n#embed \"value.bin\"\n};\n#define VALUE bytes[0]\n";
  const SourceRequest request = {"#include \"../header.h\"" + kUse, {{"../header.h", header}}, "-I.."};
  write("one/value.bin", "2");
  write("two/value.bin", "3");
  fs::create_directories(folder_ / "one/in");
  fs::create_directories(folder_ / "two/in");
  EXPECT_EQ(built_in(folder_ / "one/in", request), '2');
  EXPECT_EQ(built_in(folder_ / "two/in", request), '3');
}

TEST_F(Dependencies, GivenAQuestionWhetherAFileIsThere_WhenItComesAndGoes_ThenTheProgramIsBuiltAnew) {
  for (const std::string question : {"__has_include(\"there.h\")", "__has_embed(\"there.h\")"}) {
    const SourceRequest request = {"#if " + question + "\n#define VALUE 2\n#else\n#define VALUE 3\n#endif" + kUse, {}, ""};
    EXPECT_EQ(built_in(folder_, request), 3);
    write("there.h", "x");
    EXPECT_EQ(built_in(folder_, request), 2);
    fs::remove(folder_ / "there.h");
    fs::create_directory(folder_ / "there.h");
    EXPECT_EQ(built_in(folder_, request), 3);
    fs::remove(folder_ / "there.h");
    write("there.h", "x");
    EXPECT_EQ(built_in(folder_, request), 2);
    fs::remove(folder_ / "there.h");
  }
}

TEST_F(Dependencies, GivenALinkOutOfTheFolders_WhenAFileTakesItsPlace_ThenTheProgramIsBuiltAnew) {
  const fs::path secret = write("secret/value.h", "");
  fs::create_directory(folder_ / "named");
  fs::create_symlink(secret, folder_ / "named/value.h");
  const SourceRequest request = {"#if __has_include(<value.h>)\n#define VALUE 2\n#else\n#define VALUE 3\n#endif" + kUse,
                                 {},
                                 "-I" + (folder_ / "named").string()};
  (void)build(request);
  fs::remove(folder_ / "named/value.h");
  write("named/value.h", "");
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 2);
}

TEST_F(Dependencies, GivenAFileThatAssemblyReads_WhenBuilt_ThenNothingIsKept) {
  const fs::path file = write("value.bin", "2");
  // A macro of the assembler produces the directive, so the source does not contain its name.
  const std::string assembly = ".pushsection .rodata\\n.macro read a b\\n.\\\\a\\\\b \\\"" + file.string() +
                               "\\\"\\n.endm\\nread inc bin\\n.purgem read\\n.popsection";
  for (const std::string &source :
       {"kernel void add(global int *a, int b) { __asm__ volatile(\"" + assembly + "\"); a[0] += b; }",
        "__asm__(\"" + assembly + "\");\n" + kAdd}) {
    const Reply reply = build({source, {}, ""});
    if (reply.status != Status::kSuccess) continue;  // refused
    EXPECT_EQ(num_entries(), 0u);
  }
}

TEST_F(Dependencies, GivenTheTime_WhenItIsUsedInAnyWay_ThenNothingIsKept) {
  for (const char *use : {"__TIME__", "NOW", "PASTE(__TI, ME__)", "__DA\\\nTE__", "__TIMESTAMP__"}) {
    const std::string source = "#define PASTE(a, b) a##b\nconstant char when[] = " + std::string(use) + ";\n" + kAdd;
    EXPECT_EQ(build({source, {}, "-DNOW=__TIME__"}).status, Status::kSuccess) << use;
    EXPECT_EQ(num_entries(), 0u) << use;
  }
  (void)build({"// __TIME__ in a comment\n#ifdef __TIME__\n#endif\n" + kAdd, {}, "-DNOW=__TIME__"});
  EXPECT_EQ(num_entries(), 1u);
}

TEST_F(Dependencies, GivenTwoNamesOfOneFile_WhenOneBecomesAnother_ThenTheProgramIsBuiltAnew) {
  const fs::path first = write("first.h", "#define VALUE 2\n");
  fs::create_hard_link(first, folder_ / "second.h");
  const SourceRequest request = {"#include \"first.h\"\n#undef VALUE\n#include \"second.h\"" + kUse, {}, ""};
  EXPECT_EQ(built_in(folder_, request), 2);
  fs::remove(folder_ / "second.h");
  write("second.h", "#define VALUE 3\n");
  EXPECT_EQ(built_in(folder_, request), 3);
}

TEST_F(Dependencies, GivenAFifoInPlaceOfAFile_WhenBuiltAgain_ThenTheApplicationDoesNotBlock) {
  write("value.h", "#if 0\n#endif\n#define VALUE 2\n");
  const SourceRequest request = {"#include \"value.h\"" + kUse, {}, ""};
  EXPECT_EQ(built_in(folder_, request), 2);
  fs::remove(folder_ / "value.h");
  ASSERT_EQ(mkfifo((folder_ / "value.h").c_str(), 0600), 0);
  // The compiler may wait for the file as long as a build may take.
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  EXPECT_NE(build(request).status, Status::kSuccess);
  fs::current_path(before);
}

TEST_F(Dependencies, GivenNoFiles_WhenBuiltInAnotherFolder_ThenTheEntryIsShared) {
  fs::create_directories(folder_ / "one");
  EXPECT_EQ(built_in(folder_, {"// include\n" + kAdd, {}, ""}), 1);
  EXPECT_EQ(built_in(folder_ / "one", {"// include\n" + kAdd, {}, ""}), 1);
  EXPECT_EQ(num_entries(), 1u);
  // Debug information names the folder.
  EXPECT_EQ(built_in(folder_, {kAdd, {}, "-g"}), 1);
  EXPECT_EQ(built_in(folder_ / "one", {kAdd, {}, "-g"}), 1);
  EXPECT_EQ(num_entries(), 3u);
}

TEST_F(Dependencies, GivenAnIncludedFile_WhenItChanges_ThenTheProgramIsBuiltAnew) {
  write("value.h", "#define VALUE 2\n");
  SourceRequest request = {
      "#include \"value.h\"\nkernel void add(global int *a, int b) { a[0] += b * VALUE; }", {}, "-I " + folder_.string()};
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 2);
  write("value.h", "#define VALUE 3\n");
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 3);
}

TEST_F(Dependencies, GivenAFileThatHidesAnother_WhenItAppears_ThenTheProgramIsBuiltAnew) {
  write("second/value.h", "#define VALUE 2\n");
  fs::create_directories(folder_ / "first");
  SourceRequest request = {"#include <value.h>\nkernel void add(global int *a, int b) { a[0] += b * VALUE; }",
                           {},
                           "-I " + (folder_ / "first").string() + " -I " + (folder_ / "second").string()};
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 2);
  write("first/value.h", "#define VALUE 3\n");
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 3);
}

}  // namespace
}  // namespace upsweep::compiler::test
