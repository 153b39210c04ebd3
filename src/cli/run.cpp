// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the file, makes the arguments, launches the kernel, and prints or stores its results.
#include "cli/run.h"

#include "cli/argument.h"
#include "cli/check.h"
#include "cli/files/output.h"
#include "cli/launch.h"
#include "cli/npy.h"
#include "cli/opencl.h"
#include "cli/parameter.h"
#include "cli/picture.h"
#include "cli/prepare.h"
#include "cli/texels.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <optional>

namespace upsweep::cli {
namespace {

constexpr size_t kPrintedElements = 16;

// An output of the run: an argument to print or store.
struct Wanted {
  size_t argument = 0;
  std::filesystem::path file;  // empty: print
  size_t count = kPrintedElements;
};

/// The source behind a line that gives it the file's name.
std::string named(const std::string &source, const std::filesystem::path &file) {
  std::string line = "#line 1 \"";
  for (const char each : file.string()) {
    if (each == '"' || each == '\\') line += '\\';
    line += each;
  }
  return line + "\"\n" + source;
}

// SPIR-V begins with its magic number, in either order of bytes.
bool is_text(const std::string &source) { return source.find('\x07') > 3; }

bool is_picture(const std::filesystem::path &file) { return file.extension() == ".png"; }

// ARGUMENT is a number or a name.
Result<size_t> find_memory(std::string_view text, const std::vector<Parameter> &parameters,
                           const std::vector<HostArgument> &arguments) {
  size_t index = 0;
  const auto named = std::ranges::find(parameters, text, &Parameter::name);
  if (named != parameters.end()) {
    index = static_cast<size_t>(named - parameters.begin());
  } else {
    const auto number = parse_count(text);
    if (!number || *number >= parameters.size()) return fail("the kernel has no argument '{}'", text);
    index = *number;
  }
  if (!has_memory(arguments[index])) return fail("argument '{}' is neither a buffer nor an image", text);
  return index;
}

Result<std::vector<Wanted>> find_wanted(const RunOptions &options, const std::vector<Parameter> &parameters,
                                        const std::vector<HostArgument> &arguments) {
  std::vector<Wanted> wanted;
  for (const std::string &text : options.prints) {
    const size_t colon = std::min(text.find(':'), text.size());
    const auto index = find_memory(std::string_view(text).substr(0, colon), parameters, arguments);
    const auto count = colon == text.size() ? Result<size_t>(kPrintedElements) : parse_count(text.substr(colon + 1));
    if (!index || !count) return fail("--print {}: {}", text, index ? count.error() : index.error());
    wanted.push_back({*index, {}, *count});
  }
  for (const std::string &text : options.outputs) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size() || is_standard_stream(text.substr(equals + 1)))
      return misuse("--out {}: write ARGUMENT=file.npy or ARGUMENT=file.png", text);
    const auto index = find_memory(std::string_view(text).substr(0, equals), parameters, arguments);
    if (!index) return fail("--out {}: {}", text, index.error());
    const std::filesystem::path file = text.substr(equals + 1);
    if (is_picture(file) && arguments[*index].kind != HostArgument::Kind::Image)
      return fail("--out {}: only an image can be stored as a picture, but the argument is a buffer: write ARGUMENT=file.npy",
                  text);
    if (!is_picture(file) && file.extension() != ".npy")
      return misuse("--out {}: the file's name must end in .npy or .png", text);
    wanted.push_back({*index, file, 0});
  }
  return wanted;
}

void print(const Parameter &parameter, const HostArgument &argument, size_t count) {
  const size_t bytes = argument.type.bytes();
  const size_t elements = argument.bytes.size() / bytes;
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(count, elements); ++i) {
    std::vector<std::string> components;
    for (size_t c = 0; c < argument.type.width; ++c)
      components.push_back(
          format_scalar(argument.type.scalar, &argument.bytes[i * bytes + c * info_of(argument.type.scalar).bytes]));
    texts.push_back(components.size() == 1 ? components[0] : fmt::format("({})", fmt::join(components, ",")));
  }
  fmt::print("{} = {}{}\n", parameter.name, fmt::join(texts, " "),
             elements > count ? fmt::format(" ... ({} of {})", count, elements) : "");
}

// Layers and slices are stored below each other.
Result<void> store_picture(const std::filesystem::path &file, const HostArgument &argument) {
  const ImageFormat format = *ImageFormat::find(argument.format);
  const size_t width = argument.extent[0];
  return write_picture(file, picture_of(argument.bytes, format, width, argument.bytes.size() / format.texel_bytes() / width));
}

// Keeps the shape of an input file's array; a vector type adds an axis.
Result<void> store(const std::filesystem::path &file, const HostArgument &argument) {
  if (is_picture(file)) return store_picture(file, argument);
  NpyArray array{argument.type.scalar, argument.shape, argument.bytes};
  const size_t stored_width = argument.type.bytes() / info_of(argument.type.scalar).bytes;
  if (stored_width > 1) array.shape.push_back(stored_width);
  return write_npy(file, array);
}

void report(const LaunchTimes &times, const std::vector<HostArgument> &arguments) {
  size_t bytes = 0;
  for (const auto &argument : arguments) bytes += has_memory(argument) ? argument.bytes.size() : 0;
  fmt::print("time   {:.3f} ms{}\n", times.median_seconds * 1e3,
             times.runs > 1 ? fmt::format(" (median of {}, best {:.3f} ms)", times.runs, times.best_seconds * 1e3) : "");
  fmt::print("rate   {:.2f} GB/s, counting the bytes of each buffer and image once\n",
             static_cast<double>(bytes) / times.median_seconds * 1e-9);
}

}  // namespace

Result<std::string> read_text(const std::filesystem::path &path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))  // a folder can be opened like a file, but reading it throws
    return fail("cannot read '{}': it is a folder", path.string());
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("cannot read '{}': {}", path.string(), std::strerror(errno));
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

std::string complete_build_options(const std::string &given) {
  const bool has_version = given.find("-cl-std=") != std::string::npos;
  return fmt::format("{} {} -cl-kernel-arg-info", has_version ? "" : "-cl-std=CL3.0", given);
}

Result<void> run(const RunOptions &options) {
  const auto range = parse_range(options.global, options.local, options.offset);
  if (!range) return Failure(range.error());
  auto source = read_text(options.file);
  if (!source) return Failure(source.error());
  if (options.checks)
    if (auto done = turn_checks_on(options.device); !done) return done;
  // Findings name the file.
  const char *checks = std::getenv("UPSWEEP_CHECK");  // NOLINT(concurrency-mt-unsafe)
  if (checks && *checks && is_text(*source)) source = named(*source, options.file);
  const auto device = choose_device(options.device).and_then(open_device);
  if (!device) return Failure(device.error());
  std::string log;
  const auto program = build_program(*device, *source, complete_build_options(options.build_options), &log);
  if (!program) return Failure(program.error());
  if (!log.empty()) fmt::print(stderr, "{}\n", log);
  auto prepared = prepare_kernel(*program, options.kernel, options.arguments);
  if (!prepared) return Failure(prepared.error());
  auto &[kernel, parameters, arguments] = *prepared;
  const auto wanted = find_wanted(options, parameters, arguments);
  if (!wanted) return Failure(wanted.error());
  const auto times = launch(*device, kernel, parameters, *range, arguments, options.repeat);
  if (!times) return Failure(times.error());
  for (const Wanted &what : *wanted) {
    if (what.file.empty())
      print(parameters[what.argument], arguments[what.argument], what.count);
    else if (auto done = store(what.file, arguments[what.argument]); !done)
      return done;
  }
  report(*times, arguments);
  return {};
}

}  // namespace upsweep::cli
