// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes kernel arguments from the values of --arg.
#include "cli/argument.h"

#include "cli/image_argument.h"
#include "cli/npy.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>

namespace upsweep::cli {
namespace {

constexpr std::string_view kImage = "image:", kSampler = "sampler:";
constexpr uint64_t kDefaultSeed = 1;
constexpr int kRandomIntegers = 100;  // small enough to read, and to sum without overflow

Result<HostArgument> from_file(std::string_view path) {
  return read_npy(path).map([](NpyArray &&array) {
    return HostArgument{.kind = HostArgument::Kind::Buffer,
                        .type = {array.scalar, 1},
                        .shape = std::move(array.shape),
                        .bytes = std::move(array.bytes)};
  });
}

// A value's components; a vector of 3 has an unused fourth component.
Result<HostArgument> make_value(ValueType type, std::string_view text) {
  HostArgument argument{.kind = HostArgument::Kind::Value, .type = type};
  const auto components = split(text, ',');
  if (components.size() != type.width && components.size() != 1)
    return misuse("{} has {} components, but {} are given", type.name(), type.width, components.size());
  for (size_t i = 0; i < type.width; ++i)
    if (auto done = append_number(type.scalar, components[components.size() == 1 ? 0 : i], argument.bytes); !done)
      return Failure(done.error());
  argument.bytes.resize(type.bytes());
  return argument;
}

enum class Fill { Zeros, Range, Random };

void fill(HostArgument &argument, Fill how, size_t scalars, uint64_t seed) {
  std::mt19937_64 random(seed);
  const Scalar scalar = argument.type.scalar;
  for (size_t i = 0; i < scalars; ++i) {
    const uint64_t bits = how == Fill::Random ? random() : 0;
    if (how == Fill::Range)
      append_integer(scalar, static_cast<long long>(i), argument.bytes);
    else if (is_real(scalar))
      append_real(scalar, static_cast<double>(bits >> 11) * 0x1p-53, argument.bytes);
    else
      append_integer(scalar, static_cast<long long>(bits % kRandomIntegers), argument.bytes);
  }
}

Result<HostArgument> make_buffer(Fill how, const std::vector<std::string_view> &parts) {
  const size_t most = how == Fill::Random ? 4 : 3;
  if (parts.size() < 3 || parts.size() > most)
    return misuse("a buffer is written {}:TYPE:COUNT{}", parts[0], how == Fill::Random ? "[:SEED]" : "");
  const auto type = parse_value_type(parts[1]);
  if (!type) return Failure(type.error());
  const auto count = parse_count(parts[2]);
  if (!count) return Failure(count.error());
  const auto seed = parts.size() == 4 ? parse_count(parts[3]) : Result<size_t>(kDefaultSeed);
  if (!seed) return Failure(seed.error());
  if (*count == 0 || *count > static_cast<size_t>(std::numeric_limits<int64_t>::max()) / type->bytes())
    return misuse("a buffer cannot have {} elements of {}", *count, type->name());
  HostArgument argument{.kind = HostArgument::Kind::Buffer, .type = *type, .shape = {*count}};
  const size_t stored_width = type->bytes() / info_of(type->scalar).bytes;
  argument.bytes.reserve(*count * type->bytes());
  fill(argument, how, *count * stored_width, *seed);
  return argument;
}

std::optional<uint64_t> parse_number(std::string_view digits) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

Result<size_t> parse_count(std::string_view text) {
  const size_t hat = std::min(text.find('^'), text.size());
  const auto base = parse_number(text.substr(0, hat));
  const auto exponent = hat == text.size() ? std::optional<uint64_t>(1) : parse_number(text.substr(hat + 1));
  if (!base || !exponent) return misuse("'{}' is not a size: write a number such as 1024, or a power such as 2^10", text);
  if (*base < 2) return *exponent == 0 ? 1 : *base;
  uint64_t power = 1;
  for (uint64_t i = 0; i < *exponent; ++i) {
    if (power > std::numeric_limits<uint64_t>::max() / *base) return misuse("'{}' is too large for a size", text);
    power *= *base;
  }
  return power;
}

Result<HostArgument> parse_argument(std::string_view text) {
  if (text.starts_with(kImage)) return parse_image(text.substr(kImage.size()));
  if (text.starts_with(kSampler)) return parse_sampler(text.substr(kSampler.size()));
  if (text.ends_with(".npy")) return from_file(text);
  const auto parts = split(text, ':');
  if (parts[0] == "zeros") return make_buffer(Fill::Zeros, parts);
  if (parts[0] == "range") return make_buffer(Fill::Range, parts);
  if (parts[0] == "random") return make_buffer(Fill::Random, parts);
  if (parts.size() != 2)
    return misuse(
        "'{}' is not an argument: write file.npy, zeros:TYPE:N, range:TYPE:N, random:TYPE:N, TYPE:VALUE, local:BYTES, "
        "image:FILE, image:WxH or sampler:WORDS",
        text);
  if (parts[0] == "local")
    return parse_count(parts[1]).and_then([](size_t bytes) -> Result<HostArgument> {
      if (bytes == 0) return misuse("local memory of 0 bytes cannot be passed");
      return HostArgument{.kind = HostArgument::Kind::Local, .local_bytes = bytes};
    });
  return parse_value_type(parts[0]).and_then([&](ValueType type) { return make_value(type, parts[1]); });
}

}  // namespace upsweep::cli
