// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPSWEEP_CHECK_LOG: JSON lines, appended one by one; or a SARIF file, replaced as a whole, so that it is valid at any time.
#include "base/json_string.h"
#include "base/options.h"
#include "runtime/check/findings.h"
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace upsweep {
namespace {

std::string json(std::string_view text) { return json_string(text); }

std::string json(const std::array<uint64_t, 3> &ids) {
  return "[" + std::to_string(ids[0]) + "," + std::to_string(ids[1]) + "," + std::to_string(ids[2]) + "]";
}

std::string json(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts) all += (all.empty() ? "" : ",") + json(text);
  return "[" + all + "]";
}

/// Empty for findings that are no accesses.
const char *name_of_access(uint32_t access) {
  if (access == 0) return "";
  if (access & UPSWEEP_DECIDES_BRANCH) return "branch";
  if (access & UPSWEEP_DECIDES_ADDRESS) return "address";
  if (access & (UPSWEEP_IS_OUTPUT | UPSWEEP_IS_STORED)) return "output";
  return access == UPSWEEP_READS ? "read" : access == UPSWEEP_WRITES ? "write" : "update";
}

std::string json(const OtherAccess &other) {
  return std::string("{\"access\":") + json(name_of_access(other.access)) + ",\"width\":" + std::to_string(other.width) +
         ",\"atomic\":" + (other.is_atomic ? "true" : "false") + ",\"copy\":" + (other.is_copy ? "true" : "false") +
         ",\"file\":" + json(other.file) + ",\"line\":" + std::to_string(other.line) +
         ",\"column\":" + std::to_string(other.column) + ",\"calls\":" + json(other.calls) +
         ",\"global_id\":" + json(other.global) + ",\"local_id\":" + json(other.local) + ",\"group_id\":" + json(other.group) +
         "}";
}

std::string json_line(const FindingRecord &record) {
  const Finding &finding = record.first;
  return std::string("{\"kind\":") + json(name_of(finding.kind)) + ",\"message\":" + json(sentence_of(finding)) +
         ",\"kernel\":" + json(finding.kernel) + ",\"file\":" + json(finding.file) +
         ",\"line\":" + std::to_string(finding.line) + ",\"column\":" + std::to_string(finding.column) +
         ",\"calls\":" + json(finding.calls) + ",\"access\":" + json(name_of_access(finding.access)) +
         ",\"width\":" + std::to_string(finding.width) + ",\"object\":" + json(finding.object) +
         ",\"argument\":" + std::to_string(finding.argument) + ",\"offset\":" + std::to_string(finding.offset) +
         ",\"bytes\":" + std::to_string(finding.bytes) + ",\"value\":" + json(finding.value) +
         ",\"global_id\":" + json(finding.global) + ",\"local_id\":" + json(finding.local) +
         ",\"group_id\":" + json(finding.group) + ",\"notes\":" + json(finding.notes) +
         (finding.other ? ",\"other\":" + json(*finding.other) : "") + ",\"count\":" + std::to_string(record.count.load()) +
         "}\n";
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void append(const std::string &path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  write_all(file, text);
  ::close(file);
}

/// A URI of a path: all but unreserved characters and slashes in hexadecimal.
std::string uri(std::string_view path) {
  std::string text = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::strchr("-._~/", c);
    constexpr char kDigits[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain && c)
      text += c;
    else
      text += {'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return text;
}

std::string sarif_place(const std::string &file, uint32_t line, uint32_t column) {
  std::string text = "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":" + json(uri(file)) +
                     "},\"region\":{\"startLine\":" + std::to_string(line);
  if (column) text += ",\"startColumn\":" + std::to_string(column);
  return text + "}}}";
}

std::string sarif_result(const FindingRecord &record) {
  const Finding &finding = record.first;
  std::string text = std::string("{\"ruleId\":") + json(name_of(finding.kind)) + ",\"level\":\"error\",\"message\":{\"text\":" +
                     json(sentence_of(finding) + " in kernel '" + finding.kernel + "'") +
                     "},\"occurrenceCount\":" + std::to_string(record.count.load());
  if (finding.line) text += ",\"locations\":[" + sarif_place(finding.file, finding.line, finding.column) + "]";
  if (finding.other && finding.other->line)
    text += ",\"relatedLocations\":[" + sarif_place(finding.other->file, finding.other->line, finding.other->column) + "]";
  return text + "}";
}

std::string sarif(const std::deque<FindingRecord> &records) {
  std::string results;
  for (const FindingRecord &record : records)
    if (!record.is_suppressed && record.count.load() > 0) results += (results.empty() ? "" : ",\n") + sarif_result(record);
  return "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":"
         "{\"name\":\"upsweep\",\"rules\":[]}},\"results\":[\n" +
         results + "\n]}]}\n";
}

void replace(const std::string &path, std::string_view text) {
  const std::string part = path + "." + std::to_string(::getpid());
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  const bool is_written = write_all(file, text);
  ::close(file);
  if (!is_written || std::rename(part.c_str(), path.c_str()) != 0) ::unlink(part.c_str());
}

bool is_sarif(std::string_view path) { return path.ends_with(".sarif"); }

}  // namespace

void log_finding(const std::deque<FindingRecord> &records, const FindingRecord &newest) {
  const std::string &path = options().check_log;
  if (path.empty()) return;
  if (is_sarif(path))
    replace(path, sarif(records));
  else
    append(path, json_line(newest));
}

void log_summary(const std::deque<FindingRecord> &records) {
  const std::string &path = options().check_log;
  if (path.empty()) return;
  if (is_sarif(path)) return replace(path, sarif(records));
  // Counts change after the first line of a finding.
  std::string lines;
  for (const FindingRecord &record : records)
    if (!record.is_suppressed && record.count.load() > 1) lines += json_line(record);
  append(path, lines);
}

}  // namespace upsweep
