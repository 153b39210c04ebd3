// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of options, and the nearest name to a mistyped one.
#include "usage/command.h"

#include <algorithm>
#include <numeric>

namespace upsweep::usage {
namespace {

// Edits that turn one text into the other: characters inserted, removed, replaced, and neighbours exchanged (Damerau 1964).
size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<size_t> before_last, last(to.size() + 1), row(to.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= to.size(); ++j) {
      const size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[to.size()];
}

// A word has a small letter or a digit.
bool is_kind(std::string_view alternative) {
  return alternative.find_first_of("abcdefghijklmnopqrstuvwxyz0123456789") == alternative.npos;
}

std::vector<std::string> alternatives(std::string_view value) {
  std::vector<std::string> found;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find('|', begin), value.size());
    found.emplace_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

bool has_kind(const Option &option, std::string_view kind) {
  const auto all = alternatives(option.value);
  return std::find(all.begin(), all.end(), kind) != all.end();
}

}  // namespace

std::vector<std::string> words_of(const Option &option) {
  std::vector<std::string> words = alternatives(option.value);
  std::erase_if(words, [](const std::string &word) { return is_kind(word); });
  return words;
}

bool takes_file(const Option &option) { return has_kind(option, "FILE"); }
bool takes_folder(const Option &option) { return has_kind(option, "FOLDER"); }

std::string nearest(std::string_view mistyped, const std::vector<std::string> &names) {
  // A long name may have more errors than a short one: '--colum' is '--column', but '--x' is nothing.
  size_t least = 2 + mistyped.size() / 4;
  std::string best;
  for (const std::string &name : names) {
    const bool is_start = mistyped.size() > 2 && name.starts_with(mistyped);
    const size_t edits = is_start ? 1 : edits_between(mistyped, name);
    if (edits >= least) continue;
    least = edits;
    best = name;
  }
  return best;
}

std::string suggestion(std::string_view mistyped, const std::vector<std::string> &names) {
  const std::string name = nearest(mistyped, names);
  return name.empty() ? std::string() : "; did you mean '" + name + "'?";
}

std::vector<std::string> option_names(const Command &command) {
  std::vector<std::string> names;
  for (const Option &option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> verb_names(const Command &command) {
  std::vector<std::string> names;
  for (const Command &verb : command.verbs) names.push_back(verb.name.substr(command.name.size() + 1));
  return names;
}

}  // namespace upsweep::usage
