// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL calls around a random kernel.
#include "kernel_device.h"
#include "kernel_pictures.h"

#include "../tested_device.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace upsweep::fuzz {

namespace {

/// The first difference between two arrays of the same size, as text.
template <class Values>
std::string difference(const char *what, const Values &given, const Values &wanted) {
  const auto [at, other] = std::mismatch(given.begin(), given.end(), wanted.begin());
  std::ostringstream text;
  text << "differs: " << what << " " << at - given.begin() << " of " << given.size() << " is " << std::hex << +*at << ", not "
       << +*other;
  return text.str();
}

cl_mem image_of(cl_context context, const Picture &picture, cl_mem_flags access) {
  constexpr cl_channel_type kTypes[] = {CL_UNSIGNED_INT8, CL_UNSIGNED_INT32, CL_SIGNED_INT16, CL_FLOAT, CL_UNORM_INT8};
  const cl_image_format format{picture.has_one_channel ? cl_channel_order{CL_R} : cl_channel_order{CL_RGBA},
                               kTypes[picture.kind]};
  cl_image_desc descriptor{};
  descriptor.image_type = CL_MEM_OBJECT_IMAGE2D;
  descriptor.image_width = picture.width;
  descriptor.image_height = picture.height;
  std::vector<uint8_t> bytes = texels(picture);
  return clCreateImage(context, access | CL_MEM_COPY_HOST_PTR, &format, &descriptor, bytes.data(), nullptr);
}

}  // namespace

bool Device::has_images() const { return tests::figure_of<cl_bool>(device_, CL_DEVICE_IMAGE_SUPPORT) != CL_FALSE; }

Device::Device(std::string options, std::string level)
    : options_("-cl-std=CL3.0 -w " + std::move(options)), level_(std::move(level)) {
  if (!level_.empty())
    if (auto found = tests::SpirvTranslator::find()) translator_.emplace(std::move(*found));
  cl_platform_id platform = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return;
  if (clGetDeviceIDs(platform, tests::tested_device_type(), 1, &device_, nullptr) != CL_SUCCESS) return;
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
}

Device::~Device() {
  if (queue_) clReleaseCommandQueue(queue_);
  if (context_) clReleaseContext(context_);
}

/// Nothing if the translator refuses the source; null if the driver refuses it.
std::optional<cl_program> Device::make_program(const std::string &source) {
  const char *text = source.c_str();
  if (!translator_) return clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
  std::string log;
  std::optional<std::string> module = translator_->translate(source, options_, level_, log);
  // It has no SPIR-V for LLVM's freeze, or for integers of unusual widths, which optimisers make.
  if (!module && level_ != "-O0") {
    ++num_unoptimised_;
    module = translator_->translate(source, options_, "-O0", log);
  }
  if (!module) return std::nullopt;
  return clCreateProgramWithIL(context_, module->data(), module->size(), nullptr);
}

std::string Device::judge(const Program &program) { return judge(std::span(&program, 1)).front(); }

std::vector<std::string> Device::judge(std::span<const Program> programs) {
  std::string source;
  for (size_t i = 0; i < programs.size(); ++i) source += print(programs[i], std::to_string(i));
  const std::optional<cl_program> made = make_program(source);
  if (!made && programs.size() == 1) {
    ++num_refused_;
    return {""};
  }
  cl_program built = made.value_or(nullptr);
  std::vector<std::string> problems;
  if (built && clBuildProgram(built, 1, &device_, options_.c_str(), nullptr, nullptr) == CL_SUCCESS) {
    for (size_t i = 0; i < programs.size(); ++i) problems.push_back(judge(programs[i], built, "fuzzed" + std::to_string(i)));
  } else if (programs.size() > 1) {
    for (const Program &program : programs) problems.push_back(judge(program));
  } else if (!built) {
    problems.emplace_back("does not become a program");
  } else {
    std::string log(4096, '\0');
    clGetProgramBuildInfo(built, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    problems.push_back("does not build: " + log.substr(0, log.find_first_of(std::string("\n\0", 2))));
  }
  if (built) clReleaseProgram(built);
  return problems;
}

std::string Device::judge(const Program &program, cl_program built, const std::string &name) {
  cl_kernel kernel = clCreateKernel(built, name.c_str(), nullptr);
  if (!kernel) return "has no kernel";
  std::string problem = run(program, kernel);
  if (!problem.empty()) problem += run(program, kernel).empty() ? "; not when it is run again" : "; each time";
  clReleaseKernel(kernel);
  return problem;
}

std::string Device::run(const Program &program, cl_kernel kernel) {
  size_t sub_group_size = 0;
  clGetKernelSubGroupInfo(kernel, device_, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof program.local, program.local.data(),
                          sizeof sub_group_size, &sub_group_size, nullptr);
  Results wanted, given;
  try {
    wanted = interpret(program, std::max<size_t>(sub_group_size, 1));
  } catch (const std::out_of_range &) {
    return "is not valid";  // as the shrinker's programs may be
  }
  given.outputs.assign(wanted.outputs.size(), 0xdead);
  given.heap = heap(program);
  std::array<uint32_t, kInputs> in = inputs();
  auto buffer = [&](size_t bytes, void *from) {
    return clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, from, nullptr);
  };
  cl_mem buffers[] = {buffer(8 * given.outputs.size(), given.outputs.data()), buffer(sizeof in, in.data()),
                      buffer(sizeof given.bins, given.bins.data()), buffer(given.heap.size(), given.heap.data())};
  for (cl_uint i = 0; i < 4; ++i) clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
  for (cl_uint i = 0; i < 2; ++i) clSetKernelArg(kernel, 4 + i, 4, &program.arguments[i]);
  cl_mem images[2] = {};
  const bool illustrated = program.picture.has_value();
  if (illustrated) {
    images[0] = image_of(context_, *program.picture, CL_MEM_READ_ONLY);
    images[1] = image_of(context_, *program.canvas, program.reads_canvas ? CL_MEM_READ_WRITE : CL_MEM_WRITE_ONLY);
    for (cl_uint i = 0; i < 2; ++i) clSetKernelArg(kernel, 6 + i, sizeof(cl_mem), &images[i]);
  }
  given.canvas.assign(wanted.canvas.size(), 0xad);
  const size_t origin[3] = {},
               region[3] = {illustrated ? program.canvas->width : 0, illustrated ? program.canvas->height : 0, 1};
  std::string problem;
  if (clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, program.global.data(), program.local.data(), 0, nullptr, nullptr) !=
      CL_SUCCESS)
    problem = "cannot be enqueued";
  else if (clEnqueueReadBuffer(queue_, buffers[0], CL_TRUE, 0, 8 * given.outputs.size(), given.outputs.data(), 0, nullptr,
                               nullptr) != CL_SUCCESS ||
           clEnqueueReadBuffer(queue_, buffers[3], CL_TRUE, 0, given.heap.size(), given.heap.data(), 0, nullptr, nullptr) !=
               CL_SUCCESS ||
           clEnqueueReadBuffer(queue_, buffers[2], CL_TRUE, 0, sizeof given.bins, given.bins.data(), 0, nullptr, nullptr) !=
               CL_SUCCESS ||
           (illustrated && clEnqueueReadImage(queue_, images[1], CL_TRUE, origin, region, 0, 0, given.canvas.data(), 0, nullptr,
                                              nullptr) != CL_SUCCESS))
    problem = "cannot be read";
  else if (given.outputs != wanted.outputs)
    problem = difference("output", given.outputs, wanted.outputs);
  else if (given.bins != wanted.bins)
    problem = difference("atomic", given.bins, wanted.bins);
  else if (given.heap != wanted.heap)
    problem = difference("byte", given.heap, wanted.heap);
  else if (given.canvas != wanted.canvas)
    problem = difference("byte of the canvas", given.canvas, wanted.canvas);
  for (cl_mem each : images)
    if (each) clReleaseMemObject(each);
  for (cl_mem each : buffers) clReleaseMemObject(each);
  return problem;
}

}  // namespace upsweep::fuzz
