// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clBuildProgram, clCompileProgram, clLinkProgram.
#include "runtime/objects/program_build.h"
#include "api/device_list.h"
#include "api/entry.h"
#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <thread>

using namespace upsweep;

namespace {

using compiler::Status;

/// Error codes, which depend on the entry point.
struct BuildErrors {
  cl_int failure;
  cl_int options;
  cl_int unavailable;
};
constexpr BuildErrors kBuildErrors{CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, CL_COMPILER_NOT_AVAILABLE};
constexpr BuildErrors kCompileErrors{CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS, CL_COMPILER_NOT_AVAILABLE};
constexpr BuildErrors kLinkErrors{CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS, CL_LINKER_NOT_AVAILABLE};

Result<void> to_result(Status status, const BuildErrors &errors) {
  switch (status) {
  case Status::kSuccess: return {};
  case Status::kBuildFailure: return fail(errors.failure, "the build failed; see the build log");
  case Status::kInvalidOptions: return fail(errors.options, "options are not valid; see the build log");
  case Status::kInvalidBinary: return fail(CL_INVALID_BINARY, "a program binary is damaged or was not made by this driver");
  case Status::kUnavailable: return fail(errors.unavailable, "the compiler cannot be started");
  }
  return fail(errors.failure);
}

struct Callback {
  Program::Notify function;
  void *user_data;
};

Result<void> check_callback(const Callback &callback) {
  if (!callback.function && callback.user_data) return fail(CL_INVALID_VALUE, "user_data is given without pfn_notify");
  return {};
}

/// Indices, in the program's list, of the devices to build for: all if no list is given.
Result<std::vector<size_t>> check_devices(const Program &program, cl_uint count, const cl_device_id *devices) {
  if ((devices == nullptr) != (count == 0)) return fail(CL_INVALID_VALUE, "device_list and num_devices do not agree");
  std::vector<size_t> indices(program.devices().size());
  std::iota(indices.begin(), indices.end(), size_t{0});
  if (!devices) return indices;
  indices.clear();
  for (cl_uint i = 0; i < count; ++i) {
    auto device = Device::from(devices[i]);
    const auto index = device ? program.index_of(**device) : std::nullopt;
    if (!index) return fail(CL_INVALID_DEVICE, "device_list[" + std::to_string(i) + "] is not a device of the program");
    if (std::ranges::find(indices, *index) == indices.end()) indices.push_back(*index);
  }
  return indices;
}

/// Builds for some of the program's devices. Constructed before begin_build(), since a started build must end.
using BuildStep = std::function<Status(std::span<const size_t> indices)>;

/// Runs the build: on this thread, or with a callback on a new thread. An exception becomes a failed build.
Result<void> run(Program &program, std::vector<size_t> indices, const BuildErrors &errors, const Callback &callback,
                 BuildStep build) {
  struct Task {
    Ref<Program> program;
    std::vector<size_t> indices;
    BuildErrors errors;
    Callback callback;
    BuildStep build;

    Result<void> run() {
      auto result = run_guarded([&] { return to_result(build(indices), errors); });
      program->end_failed_builds(indices);
      if (callback.function) callback.function(program.get(), callback.user_data);
      return result;
    }
  };
  std::unique_ptr<Task> task;
  try {
    task = std::make_unique<Task>(Ref(&program), indices, errors, callback, std::move(build));
  } catch (const std::bad_alloc &) {
    program.end_failed_builds(indices);
    throw;
  }
  if (!callback.function) return task->run();
  try {
    std::thread([own = task.get()] { std::unique_ptr<Task>(own)->run(); }).detach();
  } catch (const std::exception &) {
    return task->run();  // no thread or memory: build on this thread
  }
  static_cast<void>(task.release());  // owned by the thread now
  return {};
}

/// The headers of clCompileProgram: programs with source, named as in #include.
Result<std::vector<compiler::Header>> check_headers(cl_uint count, const cl_program *programs, const char **names) {
  std::vector<compiler::Header> headers;
  if (count == 0 ? (programs || names) : (!programs || !names))
    return fail(CL_INVALID_VALUE, "num_input_headers, input_headers and header_include_names do not agree");
  for (cl_uint i = 0; i < count; ++i) {
    auto header = Program::from(programs[i]);
    if (!header) return fail(header);
    if (!names[i]) return fail(CL_INVALID_VALUE, "header_include_names[" + std::to_string(i) + "] is null");
    if ((*header)->origin() != Program::Origin::kSource)
      return fail(CL_INVALID_OPERATION, "input_headers[" + std::to_string(i) + "] has no source");
    headers.push_back({names[i], (*header)->source()});
  }
  return headers;
}

/// The inputs of clLinkProgram: for each participating device, one object or library of every input program.
struct LinkInputs {
  std::vector<Ref<Device>> devices;
  std::vector<std::vector<Bytes>> binaries;
};

Result<std::vector<Ref<Program>>> check_programs(const Context &context, cl_uint count, const cl_program *programs) {
  if (count == 0 || !programs) return fail(CL_INVALID_VALUE, "num_input_programs is 0 or input_programs is null");
  std::vector<Ref<Program>> checked;
  for (cl_uint i = 0; i < count; ++i) {
    auto program = Program::from(programs[i]);
    if (!program || &(*program)->context() != &context)
      return fail(CL_INVALID_PROGRAM, "input_programs[" + std::to_string(i) + "] is not a program of the context");
    checked.emplace_back(*program);
  }
  return checked;
}

Result<std::vector<Ref<Device>>> check_link_devices(const Context &context, cl_uint count, const cl_device_id *devices) {
  if ((devices == nullptr) != (count == 0)) return fail(CL_INVALID_VALUE, "device_list and num_devices do not agree");
  if (!devices) return std::vector(context.devices().begin(), context.devices().end());
  return devices_of_context(context, count, devices);
}

/// A device participates if all programs have an object or library for it; it is an error if only some do.
Result<LinkInputs> collect_inputs(const std::vector<Ref<Device>> &devices, const std::vector<Ref<Program>> &programs) {
  LinkInputs inputs;
  for (const Ref<Device> &device : devices) {
    std::vector<Bytes> binaries;
    for (const Ref<Program> &program : programs) {
      const auto index = program->index_of(*device);
      if (!index) continue;
      DeviceBuild build = program->build_of(*index);
      if (build.status == CL_BUILD_IN_PROGRESS) return fail(CL_INVALID_OPERATION, "an input program is still being built");
      if (build.type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || build.type == CL_PROGRAM_BINARY_TYPE_LIBRARY)
        binaries.push_back(std::move(build.binary));
    }
    if (binaries.empty()) continue;
    if (binaries.size() != programs.size())
      return fail(CL_INVALID_OPERATION, "only some of the input programs have a compiled object or library for a device");
    inputs.devices.push_back(device);
    inputs.binaries.push_back(std::move(binaries));
  }
  if (inputs.devices.empty())
    return fail(CL_INVALID_OPERATION, "the input programs have no compiled object or library for any device");
  return inputs;
}

const char *text_or_empty(const char *text) { return text ? text : ""; }

}  // namespace

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list, const char *options,
                                  Program::Notify pfn_notify, void *user_data) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Program::from(program);
    if (!object) return fail(object);
    if (auto checked = check_callback({pfn_notify, user_data}); !checked) return checked;
    auto indices = check_devices(**object, num_devices, device_list);
    if (!indices) return fail(indices);
    if ((*object)->origin() == Program::Origin::kLink)
      return fail(CL_INVALID_OPERATION, "the program was created by clLinkProgram");
    if ((*object)->origin() == Program::Origin::kBinary)
      for (size_t index : *indices)
        if ((*object)->build_of(index).type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
          return fail(CL_INVALID_BINARY, "the program's binary is not an executable");
    const std::string text = text_or_empty(options);
    BuildStep build = [object = Ref(*object), text](std::span<const size_t> positions) {
      return build_program(*object, positions, text);
    };
    if (auto begun = (*object)->begin_build(*indices, text); !begun) return begun;
    return run(**object, *std::move(indices), kBuildErrors, {pfn_notify, user_data}, std::move(build));
  });
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                                    const char *options, cl_uint num_input_headers, const cl_program *input_headers,
                                    const char **header_include_names, Program::Notify pfn_notify, void *user_data) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Program::from(program);
    if (!object) return fail(object);
    auto indices = check_devices(**object, num_devices, device_list);
    if (!indices) return fail(indices);
    auto headers = check_headers(num_input_headers, input_headers, header_include_names);
    if (!headers) return fail(headers);
    if (auto checked = check_callback({pfn_notify, user_data}); !checked) return checked;
    const bool is_spirv = (*object)->origin() == Program::Origin::kIntermediate;
    if (!is_spirv && (*object)->origin() != Program::Origin::kSource)
      return fail(CL_INVALID_OPERATION, "the program has neither source nor SPIR-V");
    compiler::SourceRequest request{(*object)->source(), *std::move(headers), text_or_empty(options)};
    request.is_spirv = is_spirv;
    request.specialisations = (*object)->specialisations();
    const std::string text = request.options;
    BuildStep build = [object = Ref(*object), request = std::move(request)](std::span<const size_t> positions) {
      return compile_program(*object, positions, request);
    };
    if (auto begun = (*object)->begin_build(*indices, text); !begun) return begun;
    return run(**object, *std::move(indices), kCompileErrors, {pfn_notify, user_data}, std::move(build));
  });
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
                                     const char *options, cl_uint num_input_programs, const cl_program *input_programs,
                                     Program::Notify pfn_notify, void *user_data, cl_int *errcode_ret) {
  cl_int link_error = CL_SUCCESS;
  cl_int error = CL_SUCCESS;
  cl_program linked = entry(__func__, &error, [&]() -> Result<cl_program> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    auto devices = check_link_devices(**owner, num_devices, device_list);
    if (!devices) return fail(devices);
    auto programs = check_programs(**owner, num_input_programs, input_programs);
    if (!programs) return fail(programs);
    if (auto checked = check_callback({pfn_notify, user_data}); !checked) return fail(checked);
    auto inputs = collect_inputs(*devices, *programs);
    if (!inputs) return fail(inputs);
    const std::string text = text_or_empty(options);
    auto program = make_ref<Program>(**owner, std::move(inputs->devices), Program::Origin::kLink);
    auto indices = check_devices(*program, 0, nullptr);
    BuildStep build = [program, binaries = std::move(inputs->binaries), text](std::span<const size_t> positions) {
      return link_program(*program, positions, binaries, text);
    };
    if (auto begun = program->begin_build(*indices, text); !begun) return fail(begun);
    cl_program handle = hand_out(program);
    auto outcome = run(*program, *std::move(indices), kLinkErrors, {pfn_notify, user_data}, std::move(build));
    if (outcome || outcome.error().code == CL_LINK_PROGRAM_FAILURE) {
      // A failed link still returns the program, whose log has the reason.
      link_error = outcome ? CL_SUCCESS : outcome.error().code;
      return handle;
    }
    (void)program->release();
    return fail(outcome);
  });
  if (errcode_ret) *errcode_ret = error == CL_SUCCESS ? link_error : error;
  return linked;
}
