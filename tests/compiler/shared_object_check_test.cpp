// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check accepts shared objects that the compiler makes, and refuses them after a change of one part.
#include "fixture.h"

#include "compiler/client/shared_object_check.h"

#include <elf.h>

#include <cstring>
#include <random>

namespace upsweep::compiler::test {
namespace {

/// A copy of a shared object. It finds the tables by their sections, unlike the check.
class Image {
public:
  explicit Image(ByteSpan bytes) : bytes_(bytes.begin(), bytes.end()) {}

  template <typename T>
  T &at(uint64_t offset) {
    return *reinterpret_cast<T *>(bytes_.data() + offset);
  }
  Elf64_Ehdr &header() { return at<Elf64_Ehdr>(0); }
  Elf64_Shdr &section(uint32_t type) {
    uint64_t offset = header().e_shoff;
    while (at<Elf64_Shdr>(offset).sh_type != type) offset += sizeof(Elf64_Shdr);
    return at<Elf64_Shdr>(offset);
  }
  Elf64_Dyn &dynamic(int64_t tag) {
    uint64_t offset = section(SHT_DYNAMIC).sh_offset;
    while (at<Elf64_Dyn>(offset).d_tag != tag) offset += sizeof(Elf64_Dyn);
    return at<Elf64_Dyn>(offset);
  }
  Elf64_Rela &relocation(unsigned i) { return at<Elf64_Rela>(section(SHT_RELA).sh_offset + i * sizeof(Elf64_Rela)); }
  Elf64_Sym &symbol(unsigned i) { return at<Elf64_Sym>(section(SHT_DYNSYM).sh_offset + i * sizeof(Elf64_Sym)); }
  Elf64_Phdr &segment(uint32_t type, unsigned flags) {
    uint64_t offset = header().e_phoff;
    while (at<Elf64_Phdr>(offset).p_type != type || at<Elf64_Phdr>(offset).p_flags != flags) offset += sizeof(Elf64_Phdr);
    return at<Elf64_Phdr>(offset);
  }
  [[nodiscard]] std::string problem() const { return problem_of_shared_object(bytes_).value_or(""); }
  [[nodiscard]] Bytes &bytes() { return bytes_; }

private:
  Bytes bytes_;
};

class SharedObjectCheck : public CompilerTest {
protected:
  /// The system's memcpy, an undefined symbol, copies the two structs.
  void SetUp() override {
    CompilerTest::SetUp();
    Reply reply = build({"typedef struct { int values[4000]; } Big;\n"
                         "kernel void copy(global Big *a, global Big *b) { a[get_global_id(0)] = b[get_global_id(0)]; }",
                         {},
                         ""});
    ASSERT_EQ(reply.status, Status::kSuccess) << reply.log;
    const ByteSpan object = open_binary(reply.binary)->shared_object;
    object_.assign(object.begin(), object.end());
  }

  [[nodiscard]] Image image() const { return Image(object_); }

  Bytes object_;
};

TEST_F(SharedObjectCheck, GivenACompiledKernel_WhenChecked_ThenItPasses) { EXPECT_EQ(image().problem(), ""); }

TEST_F(SharedObjectCheck, GivenEntriesThatRunCode_WhenChecked_ThenTheyAreNamed) {
  const std::pair<int64_t, const char *> kCases[] = {{DT_INIT, "DT_INIT"},
                                                     {DT_INIT_ARRAY, "DT_INIT_ARRAY"},
                                                     {DT_PREINIT_ARRAY, "DT_PREINIT_ARRAY"},
                                                     {DT_FINI, "DT_FINI"},
                                                     {DT_FINI_ARRAY, "DT_FINI_ARRAY"},
                                                     {DT_RPATH, "DT_RUNPATH"},
                                                     {DT_RUNPATH, "DT_RUNPATH"},
                                                     {DT_TEXTREL, "DT_TEXTREL"},
                                                     {DT_AUXILIARY, "type"},
                                                     {DT_FILTER, "type"},
                                                     {DT_AUDIT, "type"},
                                                     {DT_SONAME, "type"}};
  for (const auto &[tag, text] : kCases) {
    Image changed = image();
    changed.dynamic(DT_FLAGS_1).d_tag = tag;
    EXPECT_NE(changed.problem().find(text), std::string::npos) << changed.problem();
  }
}

TEST_F(SharedObjectCheck, GivenForeignSymbolsAndLibraries_WhenChecked_ThenTheyAreNamed) {
  Image changed = image();
  const uint64_t names = changed.section(SHT_DYNSYM).sh_link;
  const uint64_t strings = changed.at<Elf64_Shdr>(changed.header().e_shoff + names * sizeof(Elf64_Shdr)).sh_offset;
  std::memcpy(&changed.at<char>(strings + changed.symbol(1).st_name), "system", 7);
  EXPECT_EQ(changed.problem(), "it calls 'system', which kernels may not");

  changed = image();
  std::memcpy(&changed.at<char>(strings + changed.dynamic(DT_NEEDED).d_un.d_val), "libz.so.1", 10);
  EXPECT_EQ(changed.problem(), "it needs the library 'libz.so.1'");

  changed = image();
  changed.symbol(2).st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC);
  EXPECT_NE(changed.problem().find("is chosen by code that runs when it is loaded"), std::string::npos) << changed.problem();
}

TEST_F(SharedObjectCheck, GivenRelocations_WhenTheyRunCodeOrWriteElsewhere_ThenTheyAreRefused) {
  Image changed = image();
  changed.relocation(0).r_info = ELF64_R_INFO(0, R_X86_64_IRELATIVE);
  EXPECT_NE(changed.problem().find("R_X86_64_IRELATIVE"), std::string::npos) << changed.problem();
  for (const uint64_t place : {uint64_t{0}, uint64_t{1} << 40, ~uint64_t{7}}) {
    changed = image();
    changed.relocation(0).r_offset = place;
    EXPECT_EQ(changed.problem(), "its table of relocations is damaged") << place;
  }
}

TEST_F(SharedObjectCheck, GivenSegmentsThatShareRights_WhenChecked_ThenTheyAreRefused) {
  Image changed = image();
  changed.segment(PT_LOAD, PF_R | PF_X).p_flags = PF_R | PF_W | PF_X;
  EXPECT_EQ(changed.problem(), "it has memory that is writable and executable");
  changed = image();
  changed.segment(PT_GNU_STACK, PF_R | PF_W).p_flags = PF_R | PF_W | PF_X;
  EXPECT_EQ(changed.problem(), "it asks for an executable stack");
}

TEST_F(SharedObjectCheck, GivenAnUniqueSymbol_WhenChecked_ThenItIsRefused) {
  Image changed = image();
  changed.symbol(2).st_info = ELF64_ST_INFO(STB_GNU_UNIQUE, STT_OBJECT);
  EXPECT_NE(changed.problem().find("would also be visible to other libraries"), std::string::npos) << changed.problem();
}

TEST_F(SharedObjectCheck, GivenTablesThatRelocationsCanChange_WhenChecked_ThenTheyAreRefused) {
  // A relocation may for example change another one to R_X86_64_IRELATIVE, which the dynamic linker sees and this check does
  // not.
  Image changed = image();
  changed.segment(PT_LOAD, PF_R).p_flags = PF_R | PF_W;
  EXPECT_NE(changed.problem(), "");
  changed = image();
  changed.relocation(0).r_offset = changed.segment(PT_DYNAMIC, PF_R | PF_W).p_vaddr + 8;
  EXPECT_EQ(changed.problem(), "its table of relocations is damaged");
}

TEST_F(SharedObjectCheck, GivenSegmentsThatOverlap_WhenChecked_ThenTheyAreRefused) {
  // The dynamic linker maps the later segment over the earlier one, so the checked tables would not be the mapped ones.
  Image changed = image();
  changed.segment(PT_LOAD, PF_R | PF_X).p_vaddr -= 4096;
  EXPECT_EQ(changed.problem(), "its segments overlap, or are not in order");
  changed = image();
  changed.segment(PT_LOAD, PF_R).p_memsz = changed.segment(PT_LOAD, PF_R | PF_X).p_vaddr;
  EXPECT_EQ(changed.problem(), "its segments overlap, or are not in order");
}

TEST_F(SharedObjectCheck, GivenATableOfSegmentsThatIsNotTheFiles_WhenChecked_ThenItIsRefused) {
  // The first unwinding of a stack would read the other table.
  Image changed = image();
  changed.segment(PT_PHDR, PF_R).p_vaddr += sizeof(Elf64_Phdr);
  EXPECT_EQ(changed.problem(), "its table of segments is damaged");
  changed = image();
  changed.segment(PT_PHDR, PF_R).p_type = PT_NULL;
  EXPECT_EQ(changed.problem(), "its table of segments is damaged");
  changed = image();
  changed.segment(PT_GNU_RELRO, PF_R).p_vaddr += uint64_t{1} << 30;
  EXPECT_EQ(changed.problem(), "its table of segments is damaged");
}

TEST_F(SharedObjectCheck, GivenAnyBytes_WhenChecked_ThenItEnds) {
  for (size_t size = 0; size < object_.size(); size += 37) (void)problem_of_shared_object(ByteSpan(object_).first(size));
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    Image changed = image();
    for (int n = 0; n < 3; ++n) changed.bytes()[random() % changed.bytes().size()] = static_cast<uint8_t>(random());
    (void)changed.problem();
  }
}

}  // namespace
}  // namespace upsweep::compiler::test
