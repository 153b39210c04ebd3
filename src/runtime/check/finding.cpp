// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of findings.
#include "runtime/check/finding.h"
#include <bit>
#include <cstdio>

namespace upsweep {
namespace {

std::string number(uint64_t count, const char *noun) { return std::to_string(count) + " " + noun + (count == 1 ? "" : "s"); }

const char *verb_of(uint32_t access) {
  return access == UPSWEEP_READS ? "read" : access == UPSWEEP_WRITES ? "write" : "atomic update";
}

std::string access_text(const Finding &finding) {
  return std::string(verb_of(finding.access)) + " of " + number(finding.width, "byte");
}

/// "atomic write", or "read by an async copy".
std::string race_access_text(uint32_t access, bool is_atomic, bool is_copy) {
  const bool is_update = access == (UPSWEEP_READS | UPSWEEP_WRITES);
  return (is_atomic && !is_update ? "atomic " : "") + std::string(verb_of(access)) + (is_copy ? " by an async copy" : "");
}

std::string quoted(const Finding &finding) { return finding.object.empty() ? "" : " '" + finding.object + "'"; }

std::string object_text(const Finding &finding) {
  switch (finding.object_kind) {
  case UPSWEEP_OBJECT_ARGUMENT: return "the memory of argument" + quoted(finding);
  case UPSWEEP_OBJECT_LOCAL_ARGUMENT: return "the local memory of argument" + quoted(finding);
  case UPSWEEP_OBJECT_LOCAL: return "the local variable" + quoted(finding);
  case UPSWEEP_OBJECT_PRIVATE: return "the private variable" + quoted(finding);
  case UPSWEEP_OBJECT_PROGRAM: return "the variable" + quoted(finding) + " at program scope";
  case UPSWEEP_OBJECT_ARRAY: return "an array in a struct";
  case UPSWEEP_OBJECT_IMAGE: return "the image of argument" + quoted(finding);
  default: return "an object";
  }
}

std::string bounds_text(const Finding &finding) {
  if (finding.element) {
    const auto element = static_cast<int64_t>(finding.element);
    return ": index " + std::to_string(finding.offset / element) + " of " + number(finding.bytes / finding.element, "element");
  }
  return ": offset " + std::to_string(finding.offset) + " of " + number(finding.bytes, "byte");
}

/// The name of an axis of an image; null for other objects.
const char *axis_of(const Finding &finding) {
  switch (finding.object_kind) {
  case UPSWEEP_OBJECT_IMAGE_X: return "x";
  case UPSWEEP_OBJECT_IMAGE_Y: return "y";
  case UPSWEEP_OBJECT_IMAGE_Z: return "z";
  case UPSWEEP_OBJECT_IMAGE_LAYER: return "layer";
  default: return nullptr;
  }
}

std::string texel_text(const Finding &finding) {
  const bool is_layer = finding.object_kind == UPSWEEP_OBJECT_IMAGE_LAYER;
  return std::string(finding.access == UPSWEEP_READS ? "read" : "write") + " of a texel outside of the image of argument" +
         quoted(finding) + ": " + axis_of(finding) + " " + std::to_string(finding.offset) + " of " +
         number(finding.bytes, is_layer ? "layer" : "texel");
}

std::string triple(const std::array<uint64_t, 3> &ids) {
  return "(" + std::to_string(ids[0]) + ", " + std::to_string(ids[1]) + ", " + std::to_string(ids[2]) + ")";
}

std::string hexadecimal(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

const char *group_text(const Finding &finding) { return finding.of_sub_group ? "sub-group" : "work-group"; }
std::string race_text(const Finding &finding) {
  std::string text = "race of " + race_access_text(finding.access, finding.is_atomic, finding.is_copy);
  if (finding.width) text += " of " + number(finding.width, "byte");
  if (finding.other)
    text += " and " + race_access_text(finding.other->access, finding.other->is_atomic, finding.other->is_copy);
  if (finding.kind == UPSWEEP_RACE_OF_EQUAL_VALUES) text += " with equal values";
  text += " in " + object_text(finding);
  if (finding.offset >= 0) text += ": offset " + std::to_string(finding.offset);
  if (finding.offset >= 0 && finding.bytes) text += " of " + number(finding.bytes, "byte");
  return text;
}

std::string uninitialised_text(const Finding &finding) {
  std::string text = finding.access & UPSWEEP_DECIDES_BRANCH    ? "branch that an uninitialised value decides"
                     : finding.access & UPSWEEP_DECIDES_ADDRESS ? "address that an uninitialised value decides"
                     : finding.access & UPSWEEP_IS_OUTPUT
                         ? "output of an uninitialised value"
                         : "uninitialised value of " + number(finding.width, "byte") + " that the host reads";
  return finding.object.empty() ? text : text + ", from " + finding.object;
}

/// The command's memory is `value`, and the uses are `object`.
std::string command_race_text(const Finding &finding) {
  const auto first = static_cast<uint64_t>(finding.offset);
  return "race of commands: " + finding.object + ", which no event, barrier, queue or wait of the host orders, of " +
         (finding.bytes == 1 ? "byte " + std::to_string(first)
                             : "bytes " + std::to_string(first) + " to " + std::to_string(first + finding.bytes - 1)) +
         " of the same " + finding.value;
}

std::string place_text(const std::string &file, uint32_t line, uint32_t column) {
  if (line == 0) return file.empty() ? "an unknown place" : file;
  return file + ":" + std::to_string(line) + (column ? ":" + std::to_string(column) : "");
}

std::string other_text(const OtherAccess &other) {
  std::string text = "  other access: " + race_access_text(other.access, other.is_atomic, other.is_copy);
  if (other.width) text += " of " + number(other.width, "byte");
  text += " at " + place_of(other);
  if (!other.calls.empty()) text += ", called at " + other.calls;
  if (other.is_copy) return text + "\n  in group " + triple(other.group) + "\n";
  return text + "\n  by the work-item with global id " + triple(other.global) + ", local id " + triple(other.local) +
         ", group " + triple(other.group) + "\n";
}

}  // namespace

std::string sentence_of(const Finding &finding) {
  if (axis_of(finding)) return texel_text(finding);
  if (finding.kind == UPSWEEP_OUT_OF_BOUNDS && finding.object_kind == UPSWEEP_OBJECT_ARITHMETIC) return finding.value;
  const std::string access = finding.access ? access_text(finding) : "";
  switch (finding.kind) {
  case UPSWEEP_NULL_POINTER:
    return access + " through a null pointer" + (finding.argument < 0 ? "" : ", argument" + quoted(finding));
  case UPSWEEP_FREED_MEMORY: return access + " in freed memory at " + hexadecimal(finding.address);
  case UPSWEEP_READ_ONLY: return access + " to read-only memory, " + object_text(finding) + bounds_text(finding);
  case UPSWEEP_WRITE_ONLY: return access + " from write-only memory, " + object_text(finding) + bounds_text(finding);
  case UPSWEEP_MISALIGNED:
    return access + " at " + hexadecimal(finding.address) + ", which is not a multiple of " + number(finding.align, "byte") +
           ", in " + object_text(finding) + bounds_text(finding);
  case UPSWEEP_DIVERGENT_BARRIER: return finding.object + "() that not all work-items of the " + group_text(finding) + " reach";
  case UPSWEEP_DIVERGENT_ARGUMENT:
    return "argument '" + finding.value + "' of " + finding.object + "() that differs within the " + group_text(finding);
  case UPSWEEP_UNWAITED_COPY: return finding.object + "() without wait_group_events() before the end of the kernel";
  case UPSWEEP_ENDLESS_WAIT: return "work-group of which no work-item goes on for " + number(finding.bytes, "second");
  case UPSWEEP_UNINITIALISED: return uninitialised_text(finding);
  case UPSWEEP_RACE:
  case UPSWEEP_RACE_OF_EQUAL_VALUES: return race_text(finding);
  case UPSWEEP_RACE_OF_COMMANDS: return command_race_text(finding);
  case UPSWEEP_DIVISION_BY_ZERO: return "division by zero: " + finding.value;
  case UPSWEEP_SIGNED_OVERFLOW: return "signed overflow: " + finding.value;
  case UPSWEEP_LARGE_SHIFT: return "shift beyond the width: " + finding.value;
  case UPSWEEP_CONVERSION_OUT_OF_RANGE: return "conversion of " + finding.value;
  default: return access + " outside of " + object_text(finding) + bounds_text(finding);
  }
}

std::string ids_text(const Finding &finding) {
  return "global id " + triple(finding.global) + ", local id " + triple(finding.local) + ", group " + triple(finding.group);
}

std::string place_of(const Finding &finding) { return place_text(finding.file, finding.line, finding.column); }
std::string place_of(const OtherAccess &other) { return place_text(other.file, other.line, other.column); }

std::string text_of(const Finding &finding) {
  if (finding.kind == UPSWEEP_RACE_OF_COMMANDS) return "upsweep check: " + sentence_of(finding) + "\n";
  std::string text =
      "upsweep check: " + sentence_of(finding) + "\n  at " + place_of(finding) + " in kernel '" + finding.kernel + "'";
  if (!finding.calls.empty()) text += ", called at " + finding.calls;
  text += "\n  by the work-item with " + ids_text(finding) + "\n";
  for (const std::string &note : finding.notes) text += "  " + note + "\n";
  if (!finding.value.empty() && finding.access) text += "  with the value " + finding.value + "\n";
  if (finding.other) text += other_text(*finding.other);
  return text;
}

std::string value_text(const UpsweepCheckSite &site, uint64_t bits) {
  char text[40];
  if (site.value == UPSWEEP_VALUE_FLOAT) {
    const double value =
        site.value_bits == 32 ? std::bit_cast<float>(static_cast<uint32_t>(bits)) : std::bit_cast<double>(bits);
    std::snprintf(text, sizeof text, site.value_bits == 32 ? "%.9g" : "%.17g", value);
    return text;
  }
  if (site.value != UPSWEEP_VALUE_INTEGER || site.value_bits == 0 || site.value_bits > 64) return "";
  const unsigned unused = 64 - site.value_bits;
  return std::to_string(static_cast<int64_t>(bits << unused) >> unused);
}

}  // namespace upsweep
