// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses build options with the table in options.def.
#include "compiler/options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace upsweep::compiler {
namespace {

constexpr uint8_t B = static_cast<uint8_t>(OptionContext::kBuild);
constexpr uint8_t C = static_cast<uint8_t>(OptionContext::kCompile);
constexpr uint8_t L = static_cast<uint8_t>(OptionContext::kLink);

struct FlagOption {
  std::string_view spelling;
  uint8_t contexts;
  const char *clang_spelling;
  bool Options::*flag;
  const char *effect;
};

constexpr FlagOption kFlagOptions[] = {
#define UPSWEEP_OPTION(...) {__VA_ARGS__},
#include "compiler/options.def"
#undef UPSWEEP_OPTION
};

constexpr std::array<std::string_view, 9> kLanguages = {"CL1.0", "CL1.1", "CL1.2",    "CL2.0",    "CL3.0",
                                                        "CL3.1", "CLC++", "CLC++1.0", "CLC++2021"};

/// The features that -cl-ext can disable, except __opencl_c_int64, which the full profile requires.
constexpr llvm::StringRef kOptional[] = {
#define UPSWEEP_FEATURE(name, ...) #name,
#define UPSWEEP_EXTENSION(name, ...) #name,
#include "base/features.def"
};

llvm::Error invalid(const llvm::Twine &text) { return llvm::createStringError(llvm::inconvertibleErrorCode(), text); }

const char *entry_point(OptionContext context) {
  switch (context) {
  case OptionContext::kBuild: return "clBuildProgram";
  case OptionContext::kCompile: return "clCompileProgram";
  case OptionContext::kLink: return "clLinkProgram";
  }
  return "";
}

bool is_macro_name(std::string_view name) {
  auto identifier = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '$' || c >= 0x80; };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), identifier);
}

/// Parses the words in one pass; methods return an error or success.
class Parser {
public:
  Parser(std::vector<std::string> words, OptionContext context) : words_(std::move(words)), context_(context) {}

  llvm::Expected<Options> run() {
    while (next_ < words_.size())
      if (llvm::Error error = parse(words_[next_++])) return std::move(error);
    if (options_.enable_link_options && !options_.create_library) return invalid("-enable-link-options needs -create-library");
    return std::move(options_);
  }

private:
  llvm::Error parse(const std::string &word) {
    const auto *option =
        std::find_if(std::begin(kFlagOptions), std::end(kFlagOptions), [&](const FlagOption &o) { return o.spelling == word; });
    if (option != std::end(kFlagOptions)) return apply(*option);
    llvm::StringRef text(word);
    if (context_ != OptionContext::kLink) {
      if (text.starts_with("-cl-std=")) return language(text.drop_front(8));
      if (text.starts_with("-cl-ext=")) return extensions(text.drop_front(8));
      if (text.starts_with("-D")) return define(word);
      if (text.starts_with("-I")) return include(word);
    }
    if (text.starts_with("-W")) return warning(text);
    return invalid("'" + word + "' is not an option of " + entry_point(context_));
  }

  llvm::Error apply(const FlagOption &option) {
    if (!(option.contexts & static_cast<uint8_t>(context_)))
      return invalid("'" + std::string(option.spelling) + "' is not an option of " + entry_point(context_));
    if (option.clang_spelling) options_.clang_arguments.emplace_back(option.clang_spelling);
    if (option.flag) options_.*option.flag = true;
    return llvm::Error::success();
  }

  llvm::Error language(llvm::StringRef name) {
    if (std::find(kLanguages.begin(), kLanguages.end(), std::string_view(name)) == kLanguages.end())
      return invalid("-cl-std=" + name + ": use CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, CL3.1, CLC++1.0 or CLC++2021");
    options_.language = name.str();
    return llvm::Error::success();
  }

  llvm::Error warning(llvm::StringRef text) {
    if (options_.treatments.set(text.drop_front(2))) return llvm::Error::success();
    return invalid("'" + text + "' is not an option of " + entry_point(context_) + "; -W, -Wno-error= and -Wno- take " +
                   restriction_names() + " or restrictions, all of them");
  }

  /// Only disables features: all supported features are enabled by default.
  llvm::Error extensions(llvm::StringRef names) {
    do {
      const auto [item, rest] = names.split(',');
      llvm::StringRef name = item;
      if (!name.consume_front("-") || !llvm::is_contained(kOptional, name) || name == "__opencl_c_int64")
        return invalid("-cl-ext=" + item + ": write -NAME with a feature or extension of the device");
      leave_out(name);
      names = rest;
    } while (!names.empty());
    return llvm::Error::success();
  }

  /// Also disables its other name, with which Clang must agree, and features that extend it.
  void leave_out(llvm::StringRef name) {
    const auto is_fp64 = [](llvm::StringRef name) { return name == "cl_khr_fp64" || name == "__opencl_c_fp64"; };
    const auto is_sub_group = [](llvm::StringRef name) { return name == "cl_khr_subgroups" || name == "__opencl_c_subgroups"; };
    const bool is_dot_product = name == "cl_khr_integer_dot_product";
    for (const llvm::StringRef other : kOptional)
      if (other == name || (is_dot_product && other.starts_with("__opencl_c_integer_dot_product")) ||
          (is_fp64(name) && is_fp64(other)) ||
          (is_sub_group(name) && (is_sub_group(other) || other.starts_with("cl_khr_subgroup_"))))
        options_.without.push_back(other.str());
  }

  /// The argument of a two-letter option, joined or as the next word.
  std::optional<std::string> argument(const std::string &word) {
    if (word.size() > 2) return word.substr(2);
    if (next_ < words_.size()) return words_[next_++];
    return std::nullopt;
  }

  llvm::Error define(const std::string &word) {
    std::optional<std::string> definition = argument(word);
    if (!definition) return invalid("-D needs a name");
    // A name may carry a parameter list: -D "TWICE(x)=x+x".
    std::string name = definition->substr(0, definition->find_first_of("=("));
    if (!is_macro_name(name)) return invalid("-D " + *definition + ": '" + name + "' is not a macro name");
    options_.clang_arguments.push_back("-D" + *definition);
    return llvm::Error::success();
  }

  llvm::Error include(const std::string &word) {
    std::optional<std::string> folder = argument(word);
    if (!folder || folder->empty()) return invalid("-I needs a folder");
    options_.clang_arguments.push_back("-I" + *folder);
    return llvm::Error::success();
  }

  std::vector<std::string> words_;
  OptionContext context_;
  size_t next_ = 0;
  Options options_;
};

}  // namespace

llvm::Expected<std::vector<std::string>> split_options(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size() && text[i] != '\0'; ++i) {
    char c = text[i];
    bool escape = c == '\\' && i + 1 < text.size() &&
                  (text[i + 1] == '"' || text[i + 1] == '\\' || (!quote && (text[i + 1] == '\'' || text[i + 1] == ' ')));
    if (escape && quote != '\'') {
      word += text[++i];
      in_word = true;
    } else if (quote ? c == quote : (c == '"' || c == '\'')) {
      quote = quote ? 0 : c;
      in_word = true;
    } else if (!quote && std::isspace(static_cast<unsigned char>(c))) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote) return invalid(std::string("a quotation mark (") + quote + ") is never closed");
  if (in_word) words.push_back(std::move(word));
  return words;
}

llvm::Expected<Options> parse_options(std::string_view text, OptionContext context) {
  llvm::Expected<std::vector<std::string>> words = split_options(text);
  if (!words) return words.takeError();
  return parse_options(std::move(*words), context);
}

llvm::Expected<Options> parse_options(std::vector<std::string> words, OptionContext context) {
  return Parser(std::move(words), context).run();
}

}  // namespace upsweep::compiler
