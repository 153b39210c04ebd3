// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs SYCL programs: main KERNELS [NAME…], with the folder of the kernels' sources. Without names it runs each program
// whose is_alone is false. The exit status is the number of failures.
#include "programs.h"

#include <cstring>
#include <fstream>
#include <iostream>

namespace programs {
namespace {

std::string folder;

bool passes(const Program &program, sycl::queue &queue) {
  std::string reason;
  try {
    program.run(queue);
  } catch (const std::exception &error) {
    reason = error.what();
    if (reason.empty()) reason = "an exception without a message";
  }
  if (reason.empty())
    std::cout << "ok " << program.name << std::endl;
  else
    std::cout << "FAILED " << program.name << ": " << reason << std::endl;
  return reason.empty();
}

}  // namespace

std::vector<Program> &all() {
  static std::vector<Program> programs;
  return programs;
}

std::string source_of(const std::string &name) {
  std::ifstream file(folder + "/" + name + ".cpp");
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("no file " + folder + "/" + name + ".cpp");
  return text.str();
}

Bundle build_text(sycl::queue &queue, const std::string &text, const std::vector<std::string> &options, std::string *log) {
  auto source = experimental::create_kernel_bundle_from_source(queue.get_context(), experimental::source_language::sycl, text);
  std::string messages;
  const experimental::build_options wanted(options);
  const experimental::save_log saved(log ? log : &messages);
  return experimental::build(source, experimental::properties{wanted, saved});
}

}  // namespace programs

int main(int count, char **words) {
  if (count < 2) return 100;
  programs::folder = words[1];
  sycl::queue queue;
  std::cout << "device: " << queue.get_device().get_info<sycl::info::device::name>() << std::endl;
  int failures = 0;
  for (const programs::Program &program : programs::all()) {
    bool is_wanted = count == 2 && !program.is_alone;
    for (int i = 2; i < count; ++i) is_wanted |= std::strcmp(words[i], program.name) == 0;
    if (is_wanted && !programs::passes(program, queue)) ++failures;
  }
  return failures;
}
