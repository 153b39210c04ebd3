// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the device and builds programs for the command line's verbs.
#include "cli/opencl.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace upsweep::cli {
namespace {

#define UPSWEEP_ERROR(name)                                                                                                    \
  std::pair<cl_int, std::string_view> { name, #name }
constexpr std::array kErrors = {
    UPSWEEP_ERROR(CL_DEVICE_NOT_FOUND),
    UPSWEEP_ERROR(CL_DEVICE_NOT_AVAILABLE),
    UPSWEEP_ERROR(CL_COMPILER_NOT_AVAILABLE),
    UPSWEEP_ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    UPSWEEP_ERROR(CL_OUT_OF_RESOURCES),
    UPSWEEP_ERROR(CL_OUT_OF_HOST_MEMORY),
    UPSWEEP_ERROR(CL_PROFILING_INFO_NOT_AVAILABLE),
    UPSWEEP_ERROR(CL_BUILD_PROGRAM_FAILURE),
    UPSWEEP_ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    UPSWEEP_ERROR(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    UPSWEEP_ERROR(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    UPSWEEP_ERROR(CL_INVALID_VALUE),
    UPSWEEP_ERROR(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
    UPSWEEP_ERROR(CL_INVALID_IMAGE_DESCRIPTOR),
    UPSWEEP_ERROR(CL_INVALID_IMAGE_SIZE),
    UPSWEEP_ERROR(CL_INVALID_OPERATION),
    UPSWEEP_ERROR(CL_INVALID_BUFFER_SIZE),
    UPSWEEP_ERROR(CL_INVALID_BUILD_OPTIONS),
    UPSWEEP_ERROR(CL_INVALID_KERNEL_NAME),
    UPSWEEP_ERROR(CL_INVALID_ARG_VALUE),
    UPSWEEP_ERROR(CL_INVALID_ARG_SIZE),
    UPSWEEP_ERROR(CL_INVALID_KERNEL_ARGS),
    UPSWEEP_ERROR(CL_INVALID_WORK_DIMENSION),
    UPSWEEP_ERROR(CL_INVALID_WORK_GROUP_SIZE),
    UPSWEEP_ERROR(CL_INVALID_WORK_ITEM_SIZE),
    UPSWEEP_ERROR(CL_INVALID_GLOBAL_OFFSET),
    UPSWEEP_ERROR(CL_INVALID_GLOBAL_WORK_SIZE),
};
#undef UPSWEEP_ERROR

struct DeviceKind {
  std::string_view name;
  cl_device_type type;
};
constexpr DeviceKind kKinds[] = {{"cpu", CL_DEVICE_TYPE_CPU}, {"gpu", CL_DEVICE_TYPE_GPU}};

constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR, of the ICD loader

}  // namespace

std::string error_name(cl_int error) {
  const auto *found = std::ranges::find(kErrors, error, &std::pair<cl_int, std::string_view>::first);
  return fmt::format("{} ({})", found == kErrors.end() ? "OpenCL error" : found->second, error);
}

Result<void> check(cl_int error, std::string_view doing) {
  if (error != CL_SUCCESS) return fail("cannot {}: {}", doing, error_name(error));
  return {};
}

Result<std::vector<cl::Device>> find_devices() {
  std::vector<cl::Platform> platforms;
  const cl_int error = cl::Platform::get(&platforms);
  if (error != CL_SUCCESS && error != kNoPlatform) return fail("cannot list the platforms: {}", error_name(error));
  std::vector<cl::Device> all;
  for (const auto &platform : platforms) {
    std::vector<cl::Device> devices;
    if (platform.getDevices(CL_DEVICE_TYPE_ALL, &devices) == CL_SUCCESS) all.insert(all.end(), devices.begin(), devices.end());
  }
  if (all.empty()) return fail("no OpenCL device was found; set OCL_ICD_VENDORS to the folder of the drivers' .icd files");
  return all;
}

Result<cl::Device> choose_device(const std::string &choice) {
  const auto devices = find_devices();
  if (!devices) return Failure(devices.error());
  if (choice.empty()) return devices->front();
  const auto *kind = std::ranges::find(kKinds, choice, &DeviceKind::name);
  if (kind != std::end(kKinds)) {
    for (const auto &device : *devices)
      if (device.getInfo<CL_DEVICE_TYPE>() & kind->type) return device;
    return fail("--device {}: none of the {} devices found is of this type", choice, devices->size());
  }
  size_t place = 0;
  const auto [end, error] = std::from_chars(choice.data(), choice.data() + choice.size(), place);
  if (error != std::errc() || *end) return misuse("--device {}: write cpu, gpu or a number", choice);
  if (place >= devices->size()) return fail("--device {}: the last device has the number {}", choice, devices->size() - 1);
  return (*devices)[place];
}

Result<Device> open_device(const cl::Device &device) {
  Device opened;
  opened.device = device;
  opened.platform = cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>());
  cl_int error = CL_SUCCESS;
  opened.context = cl::Context(opened.device, nullptr, nullptr, nullptr, &error);
  if (auto done = check(error, "make a context"); !done) return Failure(done.error());
  opened.queue = cl::CommandQueue(opened.context, opened.device, cl::QueueProperties::Profiling, &error);
  if (auto done = check(error, "make a queue"); !done) return Failure(done.error());
  return opened;
}

bool is_spirv(std::string_view bytes) { return bytes.starts_with("\x03\x02\x23\x07") || bytes.starts_with("\x07\x23\x02\x03"); }

Result<cl::Program> build_program(const Device &device, std::string_view source, const std::string &options, std::string *log) {
  cl_int error = CL_SUCCESS;
  cl::Program program = is_spirv(source)
                            ? cl::Program(device.context, std::vector<char>(source.begin(), source.end()), false, &error)
                            : cl::Program(device.context, std::string(source), false, &error);
  if (auto done = check(error, "make a program"); !done) return Failure(done.error());
  error = program.build(device.device, options.c_str());
  std::string text = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device.device);
  text.erase(std::min(text.find_last_not_of(" \n") + 1, text.size()));
  if (error != CL_SUCCESS) return fail("cannot build the program: {}{}{}", error_name(error), text.empty() ? "" : "\n", text);
  if (log) *log = std::move(text);
  return program;
}

Result<double> seconds_of(const cl::Event &event) {
  cl_ulong start = 0;
  cl_ulong end = 0;
  const cl_int error =
      event.getProfilingInfo(CL_PROFILING_COMMAND_START, &start) | event.getProfilingInfo(CL_PROFILING_COMMAND_END, &end);
  if (error != CL_SUCCESS) return fail("cannot read the kernel's time");
  return static_cast<double>(end - start) * 1e-9;
}

}  // namespace upsweep::cli
