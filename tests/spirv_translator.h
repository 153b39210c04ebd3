// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C to SPIR-V by Clang 15 and LLVM's translator, as Debian's packages clang-15 and llvm-spirv-15 have them.
#ifndef UPSWEEP_TESTS_SPIRV_TRANSLATOR_H
#define UPSWEEP_TESTS_SPIRV_TRANSLATOR_H

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::tests {

/// A temporary folder with the files of the two programs.
class SpirvTranslator {
public:
  /// Nothing if no folder of PATH has clang-15, or none has llvm-spirv-15.
  static std::optional<SpirvTranslator> find() {
    std::string clang = find_program("clang-15"), translator = find_program("llvm-spirv-15");
    std::string folder = (std::filesystem::temp_directory_path() / "spirv_translator.XXXXXX").string();
    if (clang.empty() || translator.empty() || !mkdtemp(folder.data())) return std::nullopt;
    return SpirvTranslator(std::move(clang), std::move(translator), std::move(folder));
  }
  static constexpr const char *kMissing = "clang-15 or llvm-spirv-15 is missing";

  SpirvTranslator(SpirvTranslator &&other) noexcept
      : clang_(std::move(other.clang_)), translator_(std::move(other.translator_)), folder_(std::exchange(other.folder_, {})) {}
  SpirvTranslator(const SpirvTranslator &) = delete;
  SpirvTranslator &operator=(const SpirvTranslator &) = delete;
  SpirvTranslator &operator=(SpirvTranslator &&) = delete;
  ~SpirvTranslator() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  /// The bytes of a module, or nothing: then the log has the messages of the program that failed. `level` is -O0 to -O3;
  /// options are separated by spaces.
  std::optional<std::string> translate(std::string_view source, std::string_view options, const std::string &level,
                                       std::string &log) const {
    const std::string text = folder_ + "/source.cl", bitcode = folder_ + "/module.bc", module = folder_ + "/module.spv";
    std::ofstream(text) << source;
    // By C's rule an inline function that is not inlined has its body in another file, which OpenCL C's programs lack.
    std::vector<std::string> words{clang_,           "-c",         "-target", "spir64", "-Xclang", "-finclude-default-header",
                                   "-fgnu89-inline", "-emit-llvm", level};
    std::istringstream stream{std::string(options)};
    std::copy(std::istream_iterator<std::string>(stream), {}, std::back_inserter(words));
    words.insert(words.end(), {text, "-o", bitcode});
    if (!run(words) || !run({translator_, bitcode, "-o", module})) {
      log = contents(folder_ + "/log");
      return std::nullopt;
    }
    return contents(module);
  }

private:
  SpirvTranslator(std::string clang, std::string translator, std::string folder)
      : clang_(std::move(clang)), translator_(std::move(translator)), folder_(std::move(folder)) {}

  static std::string find_program(const std::string &name) {
    const char *path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string file; std::getline(folders, file, ':');) {
      file.append("/").append(name);
      if (access(file.c_str(), X_OK) == 0) return file;
    }
    return {};
  }

  static std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// True if the program ends with status 0. Its messages replace the file "log".
  [[nodiscard]] bool run(std::vector<std::string> words) const {
    std::vector<char *> arguments;
    for (std::string &word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, (folder_ + "/log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int error = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    int status = 0;
    return error == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  std::string clang_, translator_, folder_;
};

}  // namespace upsweep::tests
#endif
