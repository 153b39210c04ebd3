// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of a call: in their given order, on queues of both kinds, behind the caller's events.
#pragma once

#include <upsweep/opencl/count.h>
#include <upsweep/opencl/detail/progress.h>

namespace upsweep::opencl::detail {

// A kernel's argument: memory, an SVM pointer, or bytes.
struct Argument {
  enum class Kind { kMemory, kPointer, kBytes };
  Kind kind;
  cl_mem memory = nullptr;
  const void *pointer = nullptr;
  std::size_t bytes = 0;
  std::array<unsigned char, value::kMaxBytes> data{};

  static Argument of(cl_mem memory) { return {Kind::kMemory, memory, nullptr, 0, {}}; }
  static Argument of(const value &v) { return {Kind::kBytes, nullptr, nullptr, v.type.bytes, v.bytes}; }
  template <class T>
  static Argument number(T x) {
    Argument argument{Kind::kBytes, nullptr, nullptr, sizeof(T), {}};
    std::memcpy(argument.data.data(), &x, sizeof(T));
    return argument;
  }
  cl_int set(cl_kernel kernel, cl_uint place) const {
    switch (kind) {
    case Kind::kMemory: return clSetKernelArg(kernel, place, sizeof memory, &memory);
    case Kind::kPointer: return clSetKernelArgSVMPointer(kernel, place, pointer);
    default: return clSetKernelArg(kernel, place, bytes, data.data());
    }
  }
};

class Arguments {
public:
  // A pointer and the first element's index, the kernels' form of arrays; the same for indices (kernels/indexed.cl).
  Arguments &add(const array &a) {
    all_.push_back(a.is_pointer ? Argument{Argument::Kind::kPointer, nullptr, a.pointer, 0, {}} : Argument::of(a.memory));
    number(cl_ulong(a.is_pointer ? 0 : a.offset));
    return a.indices ? add(*a.indices) : *this;
  }
  // The number of elements, in the form of UPS_N_PARAMETERS (kernels/types.cl).
  Arguments &add(const element_count &n) {
    number(cl_ulong(n.most));
    return n.at ? add(*n.at) : *this;
  }
  Arguments &none() {
    all_.push_back(Argument::of(cl_mem(nullptr)));
    return number(cl_ulong(0));
  }
  Arguments &add(const Argument &argument) {
    all_.push_back(argument);
    return *this;
  }
  Arguments &memory(cl_mem memory) {
    all_.push_back(Argument::of(memory));
    return *this;
  }
  Arguments &add(const initial_value &v) {
    if (v.at) return add(*v.at);
    all_.push_back(Argument::of(v));
    return *this;
  }
  template <class T>
  Arguments &number(T x) {
    all_.push_back(Argument::number(x));
    return *this;
  }
  const std::vector<Argument> &all() const { return all_; }

private:
  std::vector<Argument> all_;
};

class Call {
public:
  // Queries the queue; the first call for a device and a context also tests the device.
  cl_int begin(const queue &given, const Options &options) {
    queue_ = given.handle;
    options_ = &options;
    if (queue_ == nullptr) return fail(CL_INVALID_COMMAND_QUEUE, "upsweep: the queue is null");
    if (options.wait_error != CL_SUCCESS)
      return fail(options.wait_error, "upsweep: wait_for has a list and no number of events, or a number and no list");
    cl_device_id device = nullptr;
    cl_command_queue_properties properties = 0;
    cl_int code = clGetCommandQueueInfo(queue_, CL_QUEUE_CONTEXT, sizeof context_, &context_, nullptr);
    if (code == CL_SUCCESS) code = clGetCommandQueueInfo(queue_, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    if (code == CL_SUCCESS) {
      code = clGetCommandQueueInfo(queue_, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
    }
    if (code != CL_SUCCESS) return check(code, "clGetCommandQueueInfo");
    if ((properties & CL_QUEUE_ON_DEVICE) != 0) {
      return fail(CL_INVALID_COMMAND_QUEUE, "upsweep: the queue is an on-device queue; the call needs a host queue");
    }
    is_out_of_order_ = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    entry_ = known_entry(context_, device);
    if (!is_out_of_order_) scratch_.keep(entry_->kept.of(queue_));
    return CL_SUCCESS;
  }

  const Device &device() const { return entry_->device; }
  const Options &options() const { return *options_; }
  const plan &how() const { return options_->how; }
  cl_context context() const { return context_; }
  int language() const { return how().language != 0 ? how().language : device().language(); }

  cl_int program(const Source &source, std::shared_ptr<Program> *found) {
    if ((source.has_double() && !device().has_double) || (source.has_half() && !device().has_half)) {
      return fail(CL_INVALID_OPERATION, "upsweep: the device does not support the type double or half of this call");
    }
    if (!device().has_language(language())) {
      return fail(CL_INVALID_OPERATION,
                  "upsweep: the device does not support this version of OpenCL C; calls need 1.2 at least");
    }
    return program_of(*entry_, source, language(), found);
  }

  // Work-items of a sub-group of the kernel in work-groups of `group`; 0 if the driver does not report it.
  std::size_t sub_group_of(Program &program, const char *name, std::size_t group) {
    const std::lock_guard lock(program.mutex);
    return program.sub_group_of(name, device().id, group);
  }

  // Uninitialised memory for this call.
  cl_int scratch(std::size_t bytes, cl_mem *memory) { return scratch_.take(context_, bytes, memory); }

  cl_int fill_zeros(cl_mem memory, std::size_t offset, std::size_t bytes) {
    const cl_uint zero = 0;
    return command("clEnqueueFillBuffer", [&](cl_uint waits, const cl_event *list, cl_event *event) {
      return clEnqueueFillBuffer(queue_, memory, &zero, sizeof zero, offset, bytes, waits, list, event);
    });
  }

  // The first n elements.
  cl_int copy(const array &from, cl_mem to, std::uint64_t n) {
    if (from.is_pointer) return copy_from_svm(from, to, n);
    const std::size_t bytes = n * from.type.bytes;
    return command("a copy", [&](cl_uint waits, const cl_event *list, cl_event *event) {
      return clEnqueueCopyBuffer(queue_, from.memory, to, from.offset * from.type.bytes, 0, bytes, waits, list, event);
    });
  }

  // `groups` work-groups of `group` work-items.
  cl_int launch(Program &program, const char *name, const Arguments &arguments, std::size_t groups, std::size_t group) {
    const std::lock_guard lock(program.mutex);
    cl_kernel kernel = nullptr;
    std::string kinds(1, ' ');
    for (const Argument &argument : arguments.all()) kinds += argument.kind == Argument::Kind::kPointer ? 'p' : '-';
    cl_int code = program.kernel(name, kinds, &kernel);
    if (code != CL_SUCCESS) return code;
    cl_uint place = 0;
    for (const Argument &argument : arguments.all()) {
      code = argument.set(kernel, place++);
      if (code != CL_SUCCESS) return fail(code, "clSetKernelArg of " + std::string(name) + ", " + std::to_string(place - 1));
    }
    const std::size_t items = groups * group;
    return command("clEnqueueNDRangeKernel", [&](cl_uint waits, const cl_event *list, cl_event *event) {
      return clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &group, waits, list, event);
    });
  }

  // Gives the caller the event. A call without commands still waits for its wait list.
  cl_int end() {
    if (!has_commands_ && (options_->event != nullptr || !options_->waits.empty())) {
      const cl_int code = command("clEnqueueMarkerWithWaitList", [&](cl_uint waits, const cl_event *list, cl_event *event) {
        return clEnqueueMarkerWithWaitList(queue_, waits, list, event);
      });
      if (code != CL_SUCCESS) return code;
    }
    if (options_->event != nullptr) *options_->event = last_.leave();
    return CL_SUCCESS;
  }

private:
  // A kernel copies words of the elements' alignment.
  cl_int copy_from_svm(const array &from, cl_mem to, std::uint64_t n) {
    std::size_t word = 1;
    while (word < 8 && from.type.bytes % (word * 2) == 0 && from.type.alignment % (word * 2) == 0) word *= 2;
    const array words = array::at(integer_type(word, false), from.pointer);
    const std::uint64_t count = n * (from.type.bytes / word);
    const std::size_t group = std::min<std::size_t>(64, device().max_group);
    Source source;
    source.define("UPS_GROUP", group);
    source.define("UPS_ITEMS", 1);
    source.define_type("UPS_IN", words.type);
    source.add_kernels(kernels::copy);
    std::shared_ptr<Program> built;
    const cl_int code = program(source, &built);
    if (code != CL_SUCCESS) return code;
    Arguments arguments;
    arguments.add(words).memory(to).number(cl_ulong(count));
    return launch(*built, "ups_copy", arguments, (count + group - 1) / group, group);
  }

  template <class Enqueue>
  cl_int command(const char *name, const Enqueue &enqueue) {
    cl_event last = last_.get();
    cl_event event = nullptr;
    // An in-order queue starts a command even if the previous command has failed, for example because of its wait list. With a
    // wait list each command waits for the previous command's event, so that the call's event fails as well.
    const bool is_chain = is_out_of_order_ || !options_->waits.empty();
    cl_event *const wanted = is_chain || options_->event != nullptr ? &event : nullptr;
    cl_int code = CL_SUCCESS;
    if (!has_commands_) {
      const auto &waits = options_->waits;
      code = enqueue(static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), wanted);
    } else {
      code = enqueue(is_chain ? 1 : 0, is_chain ? &last : nullptr, wanted);
    }
    if (code != CL_SUCCESS) return check(code, name);
    last_.reset(event);
    has_commands_ = true;
    return CL_SUCCESS;
  }

  cl_command_queue queue_ = nullptr;
  cl_context context_ = nullptr;
  const Options *options_ = nullptr;
  std::shared_ptr<Entry> entry_;
  Scratch scratch_;
  unique_handle<cl_event> last_;
  bool is_out_of_order_ = false, has_commands_ = false;
};

// Runs a call; an exception for lack of host memory becomes an error code.
template <class Body>
cl_int run_call(const queue &queue, const Options &options, const Body &body) noexcept {
  return guarded([&] {
    Call call;
    cl_int code = call.begin(queue, options);
    if (code == CL_SUCCESS) code = body(call);
    return code == CL_SUCCESS ? call.end() : code;
  });
}

}  // namespace upsweep::opencl::detail
