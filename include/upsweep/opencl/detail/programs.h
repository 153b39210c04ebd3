// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs, built once for a context, a device and a source, and shared by all threads.
#pragma once

#include <upsweep/opencl/detail/scratch.h>
#include <upsweep/opencl/detail/source.h>
#include <upsweep/opencl/device.h>

#include <map>
#include <memory>
#include <mutex>

namespace upsweep::opencl::detail {

// A program and its kernels. OpenCL permits only one thread at a time to set a kernel's arguments, so a launch holds the
// mutex.
struct Program {
  std::mutex mutex;
  unique_handle<cl_program> handle;
  std::map<std::string, unique_handle<cl_kernel>, std::less<>> kernels;

  cl_int build(cl_context context, cl_device_id device, const std::string &text, const std::string &options) {
    const char *source = text.c_str();
    cl_int code = CL_SUCCESS;
    unique_handle<cl_program> program(clCreateProgramWithSource(context, 1, &source, nullptr, &code));
    if (code != CL_SUCCESS) return check(code, "clCreateProgramWithSource");
    code = clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
    if (code != CL_SUCCESS) return fail(code, build_log(program.get(), device));
    handle = std::move(program);
    return CL_SUCCESS;
  }

  // `kinds` states which arguments are SVM pointers: an argument of a kernel object is always memory or always a pointer,
  // since some drivers do not allow a change.
  cl_int kernel(const char *name, const std::string &kinds, cl_kernel *found) {
    unique_handle<cl_kernel> &kernel = kernels[name + kinds];
    cl_int code = CL_SUCCESS;
    if (!kernel) kernel.reset(clCreateKernel(handle.get(), name, &code));
    *found = kernel.get();
    return check(code, "clCreateKernel");
  }

  // Work-items of a sub-group in work-groups of `group`; 0 if the driver does not report it.
  std::size_t sub_group_of(const char *name, cl_device_id device, std::size_t group) {
    cl_kernel found = nullptr;
    std::size_t size = 0;
    if (kernel(name, "", &found) != CL_SUCCESS) return 0;
    const cl_int code = clGetKernelSubGroupInfo(found, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof group, &group,
                                                sizeof size, &size, nullptr);
    return code == CL_SUCCESS ? size : 0;
  }

  static std::string build_log(cl_program program, cl_device_id device) {
    std::size_t bytes = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    log.resize(std::min(log.find('\0'), log.size()));
    return log;
  }
};

// The known properties of a device in a context. Programs hold the context, so that its handle cannot be reused for another
// context.
struct Entry {
  std::mutex mutex;  // of `is_known` and `device`
  bool is_known = false;
  Device device;
  std::mutex programs_mutex;
  std::map<std::string, std::shared_ptr<Program>, std::less<>> programs;
  KeptOfQueues kept;
  unique_handle<cl_context> context;
};

class Programs {
public:
  std::shared_ptr<Entry> entry(cl_context context, cl_device_id device) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry> &entry = entries_[{context, device}];
    if (!entry) {
      entry = std::make_shared<Entry>();
      if (clRetainContext(context) == CL_SUCCESS) entry->context.reset(context);
    }
    return entry;
  }

  void release(cl_context context) {
    std::vector<std::shared_ptr<Entry>> released;  // outside of the lock
    const std::lock_guard lock(mutex_);
    for (auto i = entries_.lower_bound({context, nullptr}); i != entries_.end() && i->first.first == context;) {
      released.push_back(std::move(i->second));
      i = entries_.erase(i);
    }
  }

  // The object of the process. It is never destroyed: at exit the OpenCL driver may already be unloaded.
  static Programs &of_process() {
    static Programs *const all = std::make_unique<Programs>().release();
    return *all;
  }

private:
  std::mutex mutex_;
  std::map<std::pair<cl_context, cl_device_id>, std::shared_ptr<Entry>> entries_;
};

// Additional build options; tests turn warnings into errors.
inline std::string &more_build_options() {
  static std::string options;
  return options;
}

inline std::string build_options(int language) {
  const char *standard = language >= 300 ? "-cl-std=CL3.0" : language >= 200 ? "-cl-std=CL2.0" : "-cl-std=CL1.2";
  return standard + more_build_options();
}

// The built program of a source.
inline cl_int program_of(Entry &entry, const Source &source, int language, std::shared_ptr<Program> *found) {
  const std::string options = build_options(language);
  std::shared_ptr<Program> program;
  {
    const std::lock_guard lock(entry.programs_mutex);
    std::shared_ptr<Program> &place = entry.programs[options + "\n" + source.key()];
    if (!place) place = std::make_shared<Program>();
    program = place;
  }
  const std::lock_guard lock(program->mutex);
  if (!program->handle) {
    const cl_int code = program->build(entry.context.get(), entry.device.id, source.text(), options);
    if (code != CL_SUCCESS) return code;
  }
  *found = std::move(program);
  return CL_SUCCESS;
}

}  // namespace upsweep::opencl::detail

namespace upsweep::opencl {

// Releases the programs and the memory that the library keeps for a context, and its reference to the context. Without this
// call they last as long as the process. Concurrent calls in other threads still succeed. Complexity: linear in the number of
// programs.
template <class Context>
  requires detail::handle_or_owner<cl_context, Context>
void release_programs(const Context &context) {
  detail::Programs::of_process().release(detail::handle_of<cl_context>(context));
}

}  // namespace upsweep::opencl
