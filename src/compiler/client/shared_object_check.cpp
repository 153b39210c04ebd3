// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of permitted features: LLD uses few of them for a kernel, but the dynamic linker supports many.
#include "compiler/client/shared_object_check.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

namespace upsweep::compiler {
namespace {

constexpr std::string_view kFunctions[] = {
#define UPSWEEP_SYSTEM_FUNCTION(library, name) #name,
#include "compiler/embedded/system_functions.def"
#undef UPSWEEP_SYSTEM_FUNCTION
};

/// Libraries that every process has with its C library.
constexpr std::string_view kLibraries[] = {"libc.so.6", "libm.so.6", "libgcc_s.so.1"};

/// Dynamic section entries that describe tables and run no code. In addition DT_NEEDED, and flags, of which only "bind now" may
/// be set.
constexpr int64_t kTags[] = {DT_SYMTAB,  DT_SYMENT,    DT_STRTAB, DT_STRSZ,  DT_GNU_HASH, DT_RELA,   DT_RELASZ,
                             DT_RELAENT, DT_RELACOUNT, DT_JMPREL, DT_PLTREL, DT_PLTRELSZ, DT_PLTGOT, DT_NULL};

using Problem = std::optional<std::string>;

/// Describes the tags that programs might use; other tags by number.
std::string describe_tag(int64_t tag) {
  switch (tag) {
  case DT_INIT: return "it runs code when it is loaded (DT_INIT)";
  case DT_INIT_ARRAY:
  case DT_INIT_ARRAYSZ: return "it runs code when it is loaded (DT_INIT_ARRAY)";
  case DT_PREINIT_ARRAY:
  case DT_PREINIT_ARRAYSZ: return "it runs code when it is loaded (DT_PREINIT_ARRAY)";
  case DT_FINI: return "it runs code when it is unloaded (DT_FINI)";
  case DT_FINI_ARRAY:
  case DT_FINI_ARRAYSZ: return "it runs code when it is unloaded (DT_FINI_ARRAY)";
  case DT_RPATH:
  case DT_RUNPATH: return "it sets a search path for libraries (DT_RUNPATH)";
  case DT_TEXTREL: return "loading it modifies its code (DT_TEXTREL)";
  default: return "its dynamic section has an entry of type " + std::to_string(tag);
  }
}

class Checker {
public:
  explicit Checker(std::span<const uint8_t> file) : file_(file) {}

  Problem run() {
    if (Problem problem = read_segments()) return problem;
    if (Problem problem = read_dynamic_section()) return problem;
    if (Problem problem = check_libraries()) return problem;
    if (Problem problem = check_symbols()) return problem;
    if (Problem problem = check_relocations(DT_RELA, DT_RELASZ)) return problem;
    return check_relocations(DT_JMPREL, DT_PLTRELSZ);
  }

private:
  static Problem damaged(const char *part) { return std::string("its ") + part + " is damaged"; }

  template <typename T>
  bool read_file(uint64_t offset, T &value) const {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) return false;
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return true;
  }

  enum class Memory : uint8_t { kConstant, kAny };

  /// An object in the file at an address that a segment maps. Tables must be in constant memory: relocations could change other
  /// memory before the dynamic linker reads it, and it would then see other types of symbols or relocations than this check.
  template <typename T>
  bool read(uint64_t address, T &value, Memory memory = Memory::kConstant) const {
    for (const Elf64_Phdr &segment : segments_)
      if ((memory == Memory::kAny || (segment.p_flags & PF_W) == 0) && address >= segment.p_vaddr &&
          address - segment.p_vaddr <= segment.p_filesz && segment.p_filesz - (address - segment.p_vaddr) >= sizeof(T))
        return read_file(segment.p_offset + (address - segment.p_vaddr), value);
    return false;
  }

  /// LLD puts the dynamic section into writable memory.
  bool may_be_relocated(uint64_t address) const {
    if (address + sizeof(uint64_t) > dynamic_.p_vaddr && address < dynamic_.p_vaddr + dynamic_.p_memsz) return false;
    return std::ranges::any_of(segments_, [&](const Elf64_Phdr &segment) {
      return (segment.p_flags & PF_W) != 0 && address >= segment.p_vaddr && segment.p_memsz >= sizeof(uint64_t) &&
             address - segment.p_vaddr <= segment.p_memsz - sizeof(uint64_t);
    });
  }

  Problem read_segments() {
    Elf64_Ehdr header;
    if (!read_file(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "it is not an ELF file";
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64 || header.e_type != ET_DYN)
      return "it is not a shared object for x86-64";
    if (header.e_phentsize != sizeof(Elf64_Phdr)) return damaged("table of segments");
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      if (!read_file(header.e_phoff + i * sizeof segment, segment)) return damaged("table of segments");
      if (segment.p_type == PT_LOAD && (segment.p_offset > file_.size() || file_.size() - segment.p_offset < segment.p_filesz ||
                                        segment.p_filesz > segment.p_memsz))
        return damaged("table of segments");
      if (segment.p_vaddr > kMaxAddress || segment.p_memsz > kMaxAddress) return damaged("table of segments");
      if (Problem problem = check_segment(segment)) return problem;
    }
    return dynamic_.p_filesz && relro_is_writable() && table_is_mapped(header) ? Problem() : damaged("table of segments");
  }

  /// The dynamic linker maps whole pages, and later segments over earlier segments.
  bool add(const Elf64_Phdr &segment) {
    if (!segments_.empty() && first_page(segment) < end_of_pages(segments_.back())) return false;
    segments_.push_back(segment);
    return true;
  }
  static uint64_t first_page(const Elf64_Phdr &segment) { return segment.p_vaddr & ~(kPageBytes - 1); }
  static uint64_t end_of_pages(const Elf64_Phdr &segment) {
    return (segment.p_vaddr + segment.p_memsz + kPageBytes - 1) & ~(kPageBytes - 1);
  }

  /// Memory that becomes constant after the relocations.
  bool relro_is_writable() const {
    return relro_.p_memsz == 0 || std::ranges::any_of(segments_, [&](const Elf64_Phdr &segment) {
             return (segment.p_flags & PF_W) != 0 && relro_.p_vaddr >= segment.p_vaddr &&
                    relro_.p_vaddr + relro_.p_memsz <= end_of_pages(segment);
           });
  }

  /// Stack unwinders find the segments through PT_PHDR, and in them tables that name functions to call.
  bool table_is_mapped(const Elf64_Ehdr &header) const {
    for (uint64_t i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr mapped, checked;
      if (!read(phdr_.p_vaddr + i * sizeof mapped, mapped) || !read_file(header.e_phoff + i * sizeof checked, checked) ||
          std::memcmp(&mapped, &checked, sizeof mapped) != 0)
        return false;
    }
    return true;
  }

  Problem check_segment(const Elf64_Phdr &segment) {
    constexpr unsigned kWriteAndExecute = PF_W | PF_X;
    switch (segment.p_type) {
    case PT_LOAD:
      if ((segment.p_flags & kWriteAndExecute) == kWriteAndExecute) return "it has memory that is writable and executable";
      return add(segment) ? Problem() : Problem("its segments overlap, or are not in order");
    case PT_DYNAMIC: return set_once(dynamic_, segment);
    case PT_GNU_RELRO: return set_once(relro_, segment);
    case PT_PHDR: return set_once(phdr_, segment);
    case PT_GNU_STACK: return (segment.p_flags & PF_X) != 0 ? Problem("it asks for an executable stack") : Problem();
    case PT_TLS: return "it has thread-local variables";
    case PT_NULL:
    case PT_GNU_EH_FRAME: return {};
    default: return "it has a segment of type " + std::to_string(segment.p_type);
    }
  }

  static Problem set_once(Elf64_Phdr &place, const Elf64_Phdr &segment) {
    if (place.p_type != PT_NULL) return damaged("table of segments");
    place = segment;
    return {};
  }

  Problem read_dynamic_section() {
    for (uint64_t at = 0; at < dynamic_.p_memsz; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      if (!read(dynamic_.p_vaddr + at, entry, Memory::kAny)) return damaged("dynamic section");
      if (entry.d_tag == DT_NULL) return has_usual_sizes() ? Problem() : damaged("dynamic section");
      const uint64_t value = entry.d_un.d_val;
      if (entry.d_tag == DT_NEEDED)
        libraries_.push_back(value);
      else if (entry.d_tag == DT_FLAGS ? (value & ~uint64_t{DF_BIND_NOW}) != 0
                                       : entry.d_tag == DT_FLAGS_1 && (value & ~uint64_t{DF_1_NOW}) != 0)
        return "its flags include more than immediate binding";
      else if (entry.d_tag != DT_FLAGS && entry.d_tag != DT_FLAGS_1 && std::ranges::find(kTags, entry.d_tag) == std::end(kTags))
        return describe_tag(entry.d_tag);
      else if (!tables_.emplace(entry.d_tag, value).second)
        return damaged("dynamic section");
    }
    return damaged("dynamic section");  // it must end with DT_NULL, for which the dynamic linker searches
  }

  uint64_t table(int64_t tag) const {
    const auto found = tables_.find(tag);
    return found == tables_.end() ? 0 : found->second;
  }

  /// Checks sizes that the dynamic linker does not.
  bool has_usual_sizes() const {
    const auto is = [&](int64_t tag, uint64_t value) { return !tables_.contains(tag) || table(tag) == value; };
    return is(DT_SYMENT, sizeof(Elf64_Sym)) && is(DT_RELAENT, sizeof(Elf64_Rela)) && is(DT_PLTREL, DT_RELA);
  }

  /// A name in the string table; empty if it does not end within the table.
  std::optional<std::string> name(uint64_t offset) const {
    std::string text;
    for (; offset < table(DT_STRSZ); ++offset) {
      char c = 0;
      if (!read(table(DT_STRTAB) + offset, c)) return std::nullopt;
      if (c == 0) return text;
      text += c;
    }
    return std::nullopt;
  }

  Problem check_libraries() const {
    for (const uint64_t library : libraries_) {
      const auto text = name(library);
      if (!text) return damaged("list of libraries");
      if (std::ranges::find(kLibraries, *text) == std::end(kLibraries)) return "it needs the library '" + *text + "'";
    }
    return {};
  }

  /// Counts the symbols that the hash table reaches. The table starts with four numbers: of buckets, of the first symbol, of
  /// filter words, and a shift. A chain ends at an odd hash.
  bool count_symbols() {
    uint32_t head[4] = {};
    const uint64_t hash = table(DT_GNU_HASH);
    if (!read(hash, head)) return false;
    const auto [num_buckets, first, num_words, shift] = head;
    const bool is_power_of_two = num_words != 0 && (num_words & (num_words - 1)) == 0;
    if (num_buckets == 0 || !is_power_of_two || shift > 63) return false;
    uint64_t last_word = 0;
    const uint64_t buckets = hash + sizeof head + uint64_t{num_words} * sizeof(uint64_t),
                   chains = buckets + uint64_t{num_buckets} * 4;
    if (!read(buckets - sizeof last_word, last_word)) return false;
    num_symbols_ = first;
    for (uint64_t i = 0; i < num_buckets; ++i) {
      uint32_t symbol = 0, link = 0;
      if (!read(buckets + i * 4, symbol) || (symbol != 0 && symbol < first)) return false;
      if (symbol < num_symbols_) continue;
      do
        if (!read(chains + (uint64_t{symbol} - first) * 4, link)) return false;
      while (++symbol, (link & 1) == 0);
      num_symbols_ = symbol;
    }
    return true;
  }

  Problem check_symbols() {
    if (!count_symbols()) return damaged("hash table");
    for (uint64_t i = 0; i < num_symbols_; ++i) {
      Elf64_Sym symbol;
      if (!read(table(DT_SYMTAB) + i * sizeof symbol, symbol)) return damaged("table of symbols");
      const auto text = name(symbol.st_name);
      if (!text) return damaged("table of symbols");
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      if (type != STT_NOTYPE && type != STT_OBJECT && type != STT_FUNC)
        return "'" + *text + "' is chosen by code that runs when it is loaded, or is thread-local";
      // The dynamic linker keeps one definition for all libraries of the process (STB_GNU_UNIQUE).
      if (ELF64_ST_BIND(symbol.st_info) > STB_WEAK) return "'" + *text + "' would also be visible to other libraries";
      if (i > 0 && symbol.st_shndx == SHN_UNDEF && std::ranges::find(kFunctions, *text) == std::end(kFunctions))
        return "it calls '" + *text + "', which kernels may not";
    }
    return {};
  }

  Problem check_relocations(int64_t begin, int64_t size) const {
    constexpr uint32_t kTypes[] = {R_X86_64_NONE, R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE};
    if (table(size) % sizeof(Elf64_Rela) != 0) return damaged("table of relocations");
    for (uint64_t at = 0; at < table(size); at += sizeof(Elf64_Rela)) {
      Elf64_Rela relocation;
      if (!read(table(begin) + at, relocation)) return damaged("table of relocations");
      const auto type = static_cast<uint32_t>(ELF64_R_TYPE(relocation.r_info));
      if (type == R_X86_64_IRELATIVE) return "a relocation runs code when it is loaded (R_X86_64_IRELATIVE)";
      if (std::ranges::find(kTypes, type) == std::end(kTypes)) return "it has a relocation of type " + std::to_string(type);
      if (ELF64_R_SYM(relocation.r_info) >= std::max<uint64_t>(num_symbols_, 1) || !may_be_relocated(relocation.r_offset))
        return damaged("table of relocations");
    }
    return {};
  }

  /// Below this limit, sums of two addresses do not wrap.
  static constexpr uint64_t kMaxAddress = uint64_t{1} << 46;
  static constexpr uint64_t kPageBytes = 4096;

  std::span<const uint8_t> file_;
  std::vector<Elf64_Phdr> segments_;
  Elf64_Phdr dynamic_{}, relro_{}, phdr_{};
  std::map<int64_t, uint64_t> tables_;
  std::vector<uint64_t> libraries_;
  uint64_t num_symbols_ = 0;
};

}  // namespace

std::optional<std::string> problem_of_shared_object(std::span<const uint8_t> elf) { return Checker(elf).run(); }

}  // namespace upsweep::compiler
