// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A type that occurred before is written as its number among the types that were written.
#include "compiler/spirv/mangling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace upsweep::compiler::spirv {
namespace {

class Mangler {
public:
  explicit Mangler(llvm::StringRef name) : text_("_Z" + std::to_string(name.size()) + name.str()) {}

  void add(const CType &type) {
    if (!type.is_pointer) return base(type);
    std::string qualifiers;
    if (type.space != 0) qualifiers += "U3AS" + std::to_string(type.space);
    if (type.is_volatile) qualifiers += 'V';
    if (type.is_const) qualifiers += 'K';
    const std::string atomic = (type.is_atomic ? "U7_Atomic" : "") + key_of(type);
    // A qualified type counts as written although private, the address space 0, has no letters.
    const std::string pointee = "qualified " + qualifiers + atomic;
    if (known("P " + pointee)) return;
    text_ += 'P';
    if (!known(pointee)) {
      text_ += qualifiers;
      if (type.is_atomic && !known(atomic)) {
        text_ += "U7_Atomic";
        base(type);
        seen_.push_back(atomic);
      } else if (!type.is_atomic) {
        base(type);
      }
      seen_.push_back(pointee);
    }
    seen_.push_back("P " + pointee);
  }

  [[nodiscard]] std::string text() const { return text_; }

private:
  static std::string key_of(const CType &type) {
    const std::string element = type.is_named ? std::to_string(type.code.size()) + type.code : type.code;
    return type.lanes > 1 ? "Dv" + std::to_string(type.lanes) + "_" + element : element;
  }

  void base(const CType &type) {
    const std::string key = key_of(type);
    if (known(key)) return;
    text_ += key;
    if (type.is_named || type.lanes > 1) seen_.push_back(key);
  }

  /// Writes the number of a type that occurred before.
  bool known(const std::string &key) {
    const auto *found = llvm::find(seen_, key);
    if (found == seen_.end()) return false;
    const auto index = static_cast<size_t>(found - seen_.begin());
    text_ += index == 0 ? "S_" : "S" + base_36(index - 1) + "_";
    return true;
  }
  static std::string base_36(size_t number) {
    constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string digits;
    do digits.insert(digits.begin(), kDigits[number % 36]);
    while (number /= 36);
    return digits;
  }

  std::string text_;
  llvm::SmallVector<std::string, 8> seen_;
};

}  // namespace

CType pointer_to(CType type, unsigned space) {
  type.is_pointer = true;
  type.space = space;
  return type;
}

CType as_const(CType type) {
  type.is_const = true;
  return type;
}

std::string mangle(llvm::StringRef name, llvm::ArrayRef<CType> parameters) {
  Mangler mangler(name);
  for (const CType &type : parameters) mangler.add(type);
  return mangler.text() + (parameters.empty() ? "v" : "");
}

}  // namespace upsweep::compiler::spirv
