// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a program: macros, the caller's texts, and kernel files.
#pragma once

#include <upsweep/opencl/array.h>
#include <upsweep/opencl/detail/kernel_texts.h>
#include <upsweep/opencl/operators.h>

#include <algorithm>
#include <vector>

namespace upsweep::opencl::detail {

class Source {
public:
  void define(const std::string &name, const std::string &text) { macros_ += "#define " + name + " " + text + "\n"; }
  void define(const std::string &name, std::uint64_t number) { define(name, std::to_string(number)); }

  // A macro for a type's name, and the type's text.
  void define_type(const std::string &name, const element_type &type) {
    define(name, type.name);
    add_text(type.text);
    if (type.is_integer()) {
      define(name + "_UNSIGNED", type.unsigned_name);
      define(name + "_LOWEST", type.lowest);
      define(name + "_HIGHEST", type.highest);
    }
    note(type);
  }

  // Defines the types of an array's elements, and of its indices, if there are any.
  void define_array(const std::string &name, const array &a) {
    define_type(name, a.type);
    if (a.indices) define_type(name + "_INDEX", a.indices->type);
  }

  // A macro name(x) that converts a `from` to a `to`: by the caller's function, or between numbers.
  void define_conversion(const std::string &name, const element_type &from, const element_type &to, const function &by = {}) {
    if (by.exists()) {
      define(name + "(x)", by.name + "(x)");
      add_function(by.text);
    } else {
      define(name + "(x)", from == to ? "(x)" : "((" + to.name + ")(x))");
    }
  }

  // A macro name(x, i); the caller's function may take the index i.
  void define_conversion_at(const std::string &name, const element_type &from, const element_type &to, const function &by) {
    if (by.exists() && by.takes_index) {
      define(name + "(x, i)", by.name + "(x, i)");
      add_function(by.text);
    } else {
      define_conversion(name + "_OF", from, to, by);
      define(name + "(x, i)", name + "_OF(x)");
    }
  }

  void define_operator(const operation &op) {
    if (op.is_named) {
      define("UPS_OPERATOR_" + op.name, "1");
      return;
    }
    define("UPS_APPLY(a, b)", op.name + "(a, b)");
    if (!op.identity.empty()) define("UPS_IDENTITY", "(" + op.identity + ")");
    add_function(op.text);
  }

  void add_text(const std::string &text) { add_once(types_, text); }
  void add_function(const std::string &text) { add_once(functions_, text); }
  void add_kernels(const char *file) { files_.push_back(file); }

  bool has_double() const { return has_double_; }
  bool has_half() const { return has_half_; }

  std::string text() const {
    std::string all = macros_;
    all += kernels::types;
    add_callers_text(all);
    for (const char *file : files_) all += file;
    return all;
  }

  // A key that differs if text() differs. Files, which are most of the text, are identified by their addresses.
  std::string key() const {
    std::string all = macros_;
    add_callers_text(all);
    all.append(reinterpret_cast<const char *>(files_.data()), files_.size() * sizeof files_[0]);
    return all;
  }

private:
  void add_callers_text(std::string &all) const {
    for (const auto *texts : {&types_, &functions_}) {
      for (const std::string &text : *texts) (all += text) += "\n";
    }
  }
  static void add_once(std::vector<std::string> &texts, const std::string &text) {
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  void note(const element_type &type) {
    if (type.name == "double" && !std::exchange(has_double_, true)) define("UPS_HAS_DOUBLE", "1");
    if (type.name == "half" && !std::exchange(has_half_, true)) define("UPS_HAS_HALF", "1");
  }

  std::string macros_;
  std::vector<std::string> types_, functions_;
  std::vector<const char *> files_;
  bool has_double_ = false, has_half_ = false;
};

}  // namespace upsweep::opencl::detail
