// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels: looks up the function, and fills the argument block that generated code reads.
#include "runtime/objects/kernel.h"
#include "base/checks.h"
#include "runtime/check/addressed_buffers.h"
#include "runtime/check/command_order.h"
#include "runtime/check/freed_memory.h"
#include "runtime/memory/address_table.h"
#include "runtime/objects/buffer.h"
#include "runtime/objects/image_argument.h"
#include "runtime/objects/pipe.h"
#include "runtime/objects/queue.h"
#include "runtime/objects/sampler.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

namespace upsweep {
namespace {

/// A local argument is aligned to at least 16 bytes: kernels that access a char array as vectors then work as on other devices.
uint64_t local_alignment(const ArgumentDescription &argument) { return std::max<uint64_t>(argument.align, 16); }

/// Start and end of a local argument of `bytes` bytes after `taken` bytes of local memory; empty if the end exceeds 2^64, since
/// the application may pass any size.
struct LocalPlace {
  uint64_t begin;
  uint64_t end;
};
std::optional<LocalPlace> place_local(const ArgumentDescription &argument, uint64_t taken, uint64_t bytes) {
  const uint64_t alignment = local_alignment(argument);
  LocalPlace place{};
  if (__builtin_add_overflow(taken, alignment - 1, &place.begin)) return std::nullopt;
  place.begin -= place.begin % alignment;
  if (__builtin_add_overflow(place.begin, bytes, &place.end)) return std::nullopt;
  return place;
}

bool is_pointer(const ArgumentDescription &argument) {
  return argument.kind == ArgumentKind::kGlobal || argument.kind == ArgumentKind::kConstant;
}

/// The address of the memory for kernels on the target.
Result<uint64_t> address_on(Target &target, MemoryObject &memory) {
  if (target.memory()) return memory.address_on(target);
  return memory.host().map([](char *host) { return reinterpret_cast<uint64_t>(host); });
}

/// The kernel argument for a memory object on the device.
Result<uint64_t> value_on(const Device &device, MemoryObject &memory, const ArgumentDescription &argument) {
  if (argument.kind != ArgumentKind::kImage) return address_on(device.target(), memory);
  auto &image = static_cast<Image &>(memory);  // checked by set_object()
  const ImageUse use = use_of(argument);
  if (auto checked = check_image_on(device, image, use); !checked) return fail(checked);
  return image.argument_on(device.target(), use);
}

/// Never Access::kWrite: a kernel that may write need not write all bytes.
Access access_of(const ArgumentDescription &argument, const MemoryObject &memory) {
  if (argument.kind == ArgumentKind::kImage) return use_of(argument) == ImageUse::kRead ? Access::kRead : Access::kReadWrite;
  const bool only_reads = argument.kind == ArgumentKind::kConstant || (argument.type_qualifier & CL_KERNEL_ARG_TYPE_CONST) ||
                          (memory.flags() & CL_MEM_READ_ONLY);
  return only_reads ? Access::kRead : Access::kReadWrite;
}

bool same_definition(const KernelDescription &a, const KernelDescription &b) {
  return std::ranges::equal(a.arguments, b.arguments, [](const ArgumentDescription &x, const ArgumentDescription &y) {
    return x.kind == y.kind && x.size == y.size && x.offset == y.offset && x.type_name == y.type_name;
  });
}

/// Whether a 64-bit number is a value of a 32-bit parameter. oneMKL's products of matrices pass 64-bit offsets to 32-bit
/// parameters of their SPIR-V kernels, since Intel's runtime ignores the rest.
bool fits(size_t parameter_bytes, size_t size, const void *value) {
  constexpr std::array<char, sizeof(cl_uint)> kZeros{};
  return parameter_bytes == sizeof(cl_uint) && size == sizeof(cl_ulong) &&
         std::memcmp(static_cast<const char *>(value) + sizeof(cl_uint), kZeros.data(), kZeros.size()) == 0;
}

}  // namespace

Kernel::Kernel(Program &program, std::vector<Function> functions)
    : program_(&program), functions_(std::move(functions)), arguments_(description().arguments.size()),
      block_(description().argument_block_bytes) {
  program_->attach_kernel();
}

Kernel::~Kernel() { program_->detach_kernel(); }

Result<Ref<Kernel>> Kernel::create(Program &program, const std::string &name) {
  std::vector<Function> functions;
  bool is_executable = false;
  for (size_t i = 0; i < program.devices().size(); ++i) {
    const Ref<CodeObject> code = program.code_of(i);
    if (!code) continue;
    is_executable = true;
    if (const KernelDescription *kernel = code->find(name)) functions.push_back({program.devices()[i], code, kernel});
  }
  if (!is_executable) return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for any device");
  if (functions.empty()) return fail(CL_INVALID_KERNEL_NAME, "the program has no kernel \"" + name + "\"");
  for (const Function &function : functions)
    if (!same_definition(*function.kernel, *functions.front().kernel))
      return fail(CL_INVALID_KERNEL_DEFINITION, "kernel \"" + name + "\" has other arguments on another device");
  return Ref<Kernel>::adopt(new Kernel(program, std::move(functions)));
}

Result<std::vector<Ref<Kernel>>> Kernel::create_all(Program &program) {
  for (size_t i = 0; i < program.devices().size(); ++i) {
    const Ref<CodeObject> code = program.code_of(i);
    if (!code) continue;
    std::vector<Ref<Kernel>> kernels;
    for (const KernelDescription &description : code->kernels()) {
      // "No kernel objects are created for functions that do not have the same definition on all devices."
      if (auto kernel = create(program, description.name)) kernels.push_back(*std::move(kernel));
    }
    return kernels;
  }
  return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for any device");
}

Ref<Kernel> Kernel::clone() const {
  auto copy = Ref<Kernel>::adopt(new Kernel(*program_, functions_));
  copy->arguments_ = arguments_;
  copy->block_ = block_;
  return copy;
}

const Kernel::Function *Kernel::find(const Device &device) const {
  for (const Device *candidate = &device; candidate; candidate = candidate->parent())
    for (const Function &function : functions_)
      if (function.device.get() == candidate) return &function;
  return nullptr;
}

const KernelDescription *Kernel::function(const Device &device) const {
  const Function *found = find(device);
  return found ? found->kernel : nullptr;
}

template <typename T>
void Kernel::store(const ArgumentDescription &argument, T value) {
  std::memcpy(block_.data() + argument.offset, &value, sizeof value);
}

Result<void> Kernel::set_memory(const ArgumentDescription &argument, Argument &state, size_t size, const void *value) {
  cl_mem handle = nullptr;
  if (size != sizeof handle) return fail(CL_INVALID_ARG_SIZE, "arg_size is " + std::to_string(size) + " for a memory object");
  if (value) std::memcpy(&handle, value, sizeof handle);
  if (handle) {
    auto buffer = Buffer::from(handle);
    if (!buffer || &(*buffer)->context() != &context())
      return fail(CL_INVALID_MEM_OBJECT, "the argument is not a buffer of the kernel's context");
  }
  put_memory(argument, state, handle);
  return {};
}

void Kernel::put_memory(const ArgumentDescription &argument, Argument &state, cl_mem handle) {
  store<uint64_t>(argument, 0);  // addresses differ between devices: capture() writes them
  state = {.is_set = true, .memory = handle, .queue = {}, .local_bytes = 0, .host_bytes = 0};
}

/// Calls put(object) for the object of the kernel's context whose handle is at `value`. `what`: the object's name with its
/// article.
template <typename Handle, typename T, typename Put>
Result<void> Kernel::set_object(size_t size, const void *value, Result<T *> (*find)(Handle), const char *what, cl_int invalid,
                                Put put) {
  Handle handle = nullptr;
  if (value && size != sizeof handle) return fail(CL_INVALID_ARG_SIZE, "arg_size is " + std::to_string(size) + " for " + what);
  if (value) std::memcpy(&handle, value, sizeof handle);
  auto object = find(handle);
  if (!object || &(*object)->context() != &context())
    return fail(invalid, std::string("the argument is not ") + what + " of the kernel's context");
  return put(**object);
}

/// The argument is an image, a pipe, a sampler or a queue.
Result<void> Kernel::set_object(const ArgumentDescription &argument, Argument &state, size_t size, const void *value) {
  switch (argument.kind) {
  case ArgumentKind::kImage:
    return set_object(size, value, &Image::from, "an image", CL_INVALID_MEM_OBJECT, [&](Image &image) {
      return check_image_argument(argument, image).map([&] { put_memory(argument, state, &image); });
    });
  case ArgumentKind::kPipe:
    return set_object(size, value, &Pipe::from, "a pipe", CL_INVALID_MEM_OBJECT, [&](Pipe &pipe) -> Result<void> {
      put_memory(argument, state, &pipe);
      return {};
    });
  case ArgumentKind::kSampler:
    return set_object(size, value, &Sampler::from, "a sampler", CL_INVALID_SAMPLER, [&](Sampler &sampler) -> Result<void> {
      store(argument, sampler.bits());  // the sampler itself is not needed any more
      state.is_set = true;
      return {};
    });
  default:  // "CL_INVALID_DEVICE_QUEUE for an argument declared to be of type queue_t when the specified arg_value is not a
            // valid device queue object"
    return set_object(
        size, value, &Queue::on_device_from, "a device queue", CL_INVALID_DEVICE_QUEUE, [&](Queue &queue) -> Result<void> {
          store<uint64_t>(argument, queue.on_device()->address());
          state = {.is_set = true, .memory = nullptr, .queue = queue.on_device(), .local_bytes = 0, .host_bytes = 0};
          return {};
        });
  }
}

Result<void> Kernel::set_argument(cl_uint index, size_t size, const void *value) {
  if (index >= arguments_.size())
    return fail(CL_INVALID_ARG_INDEX, "arg_index is " + std::to_string(index) + ", the kernel has " +
                                          std::to_string(arguments_.size()) + " arguments");
  const ArgumentDescription &argument = description().arguments[index];
  Argument &state = arguments_[index];
  switch (argument.kind) {
  case ArgumentKind::kGlobal:
  case ArgumentKind::kConstant: return set_memory(argument, state, size, value);
  case ArgumentKind::kLocal:
    if (value) return fail(CL_INVALID_ARG_VALUE, "arg_value of a local argument must be null");
    // "For OpenCL 3.1 and newer, arg_size may be zero, indicating that no local memory is required for the kernel argument."
    // The pointer's value is then implementation-defined: the start of the work-group's local memory.
    state = {.is_set = true, .memory = nullptr, .queue = {}, .local_bytes = size, .host_bytes = 0};
    return {};
  case ArgumentKind::kValue:
    if (!value) return fail(CL_INVALID_ARG_VALUE, "arg_value is null");
    if (size != argument.size && !(program_->origin() == Program::Origin::kIntermediate && fits(argument.size, size, value)))
      return fail(CL_INVALID_ARG_SIZE,
                  "arg_size is " + std::to_string(size) + ", the argument has " + std::to_string(argument.size) + " bytes");
    std::memcpy(block_.data() + argument.offset, value, argument.size);
    state.is_set = true;
    return {};
  case ArgumentKind::kImage:
  case ArgumentKind::kSampler:
  case ArgumentKind::kQueue:
  case ArgumentKind::kPipe: return set_object(argument, state, size, value);
  }
}

Result<void> Kernel::set_pointer(cl_uint index, const void *pointer) {
  if (index >= arguments_.size())
    return fail(CL_INVALID_ARG_INDEX, "arg_index is " + std::to_string(index) + ", the kernel has " +
                                          std::to_string(arguments_.size()) + " arguments");
  const ArgumentDescription &argument = description().arguments[index];
  // "any pointer value is valid": cl_intel_unified_shared_memory since 1.1, and fine-grain system SVM.
  if (!is_pointer(argument)) return fail(CL_INVALID_ARG_VALUE, "the argument is not a pointer to global or constant memory");
  store(argument, pointer);
  const bool is_of_host = pointer && !address_table().find(pointer);
  arguments_[index] = {.is_set = true,
                       .memory = nullptr,
                       .queue = {},
                       .local_bytes = 0,
                       .host_bytes = is_of_host ? most_bytes_around(pointer) : 0};
  return {};
}

uint64_t Kernel::local_bytes(const KernelDescription &function) const {
  uint64_t bytes = function.local_bytes;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (!arguments_[i].local_bytes) continue;
    const auto place = place_local(function.arguments[i], bytes, arguments_[i].local_bytes);
    if (!place) return UINT64_MAX;
    bytes = place->end;
  }
  return bytes;
}

/// The bytes that a kernel may access through the argument, which has this address.
std::optional<ByteRange> Kernel::range_of(const Argument &argument, uint64_t address) {
  if (argument.memory) {
    auto memory = MemoryObject::from(argument.memory);
    return memory ? std::optional(ByteRange{address, address + (*memory)->size()}) : std::nullopt;
  }
  const auto found = address_table().find(reinterpret_cast<const void *>(address));
  if (!found) return std::nullopt;
  const auto base = reinterpret_cast<uint64_t>(found->base);
  return ByteRange{base, base + found->bytes};
}

/// A pointer stands for its whole allocation. For other memory of the host, the range that the kernel accesses is unknown.
bool Kernel::are_apart(const KernelCall &call) const {
  SmallVector<ByteRange, 8> ranges;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const ArgumentDescription &argument = call.kernel->arguments[i];
    if (!is_pointer(argument)) continue;
    uint64_t address = 0;
    std::memcpy(&address, call.arguments.data() + argument.offset, sizeof address);
    if (address == 0) continue;
    const std::optional<ByteRange> range = range_of(arguments_[i], address);
    if (!range) return false;
    for (const ByteRange &other : ranges)
      if (range->begin < other.end && other.begin < range->end) return false;
    ranges.emplace_back(*range);
  }
  return true;
}

std::vector<UpsweepBounds> Kernel::bounds_of(const KernelCall &call) const {
  std::vector<UpsweepBounds> all;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const ArgumentDescription &argument = call.kernel->arguments[i];
    UpsweepBounds &bounds = all.emplace_back();
    if (argument.kind == ArgumentKind::kLocal) bounds.read_bytes = bounds.write_bytes = arguments_[i].local_bytes;
    if (!is_pointer(argument)) continue;
    uint64_t address = 0;
    std::memcpy(&address, call.arguments.data() + argument.offset, sizeof address);
    if (cl_mem handle = arguments_[i].memory) {
      const auto memory = MemoryObject::from(handle);
      bounds = {address, 0, (*memory)->size(), (*memory)->size()};  // capture() has found it
      if ((*memory)->flags() & CL_MEM_READ_ONLY || argument.kind == ArgumentKind::kConstant) bounds.write_bytes = 0;
      if ((*memory)->flags() & CL_MEM_WRITE_ONLY) bounds.read_bytes = 0;
    } else if (const auto found = addressed_at(reinterpret_cast<const void *>(address))) {
      bounds = *found;
    } else {
      const UpsweepExtent extent = extent_of(reinterpret_cast<const void *>(address));
      bounds = {address ? address - extent.start : 0, extent.start, extent.bytes, extent.bytes};
      if (extent.bytes == 0) bounds.base = address;
    }
  }
  all.push_back({UINT64_MAX, 0, 0, 0});
  return all;
}

Result<void> Kernel::capture(const Device &device, KernelCall &call) const {
  const Function *wanted = find(device);
  if (!wanted) return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for the queue's device");
  call.kernel = wanted->kernel;
  if (auto checked = check_image_counts(*call.kernel, device); !checked) return checked;
  call.code = wanted->code;
  call.arguments.assign(block_);
  call.local_bytes = call.kernel->local_bytes;
  call.largest_object = address_table().largest();
  if (call.kernel->enqueues)
    if (const Ref<Queue> queue = context().default_queue(device)) call.default_queue = queue->on_device();
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const ArgumentDescription &argument = call.kernel->arguments[i];
    if (!arguments_[i].is_set)
      return fail(CL_INVALID_KERNEL_ARGS, "argument " + std::to_string(i) + " (" + argument.name + ") is not set");
    call.largest_object = std::max(call.largest_object, arguments_[i].host_bytes);
    if (arguments_[i].queue) call.queues.emplace_back(arguments_[i].queue);
    if (arguments_[i].local_bytes) {
      const auto place = place_local(argument, call.local_bytes, arguments_[i].local_bytes);
      // "CL_OUT_OF_RESOURCES if there is a failure to queue the execution instance of kernel on the command-queue because of
      // insufficient resources needed to execute the kernel"
      if (!place) return fail(CL_OUT_OF_RESOURCES, "the local arguments have more than 2^64 bytes");
      std::memcpy(call.arguments.data() + argument.offset, &place->begin, sizeof place->begin);
      call.local_bytes = place->end;
    }
    if (cl_mem handle = arguments_[i].memory) {
      auto memory = MemoryObject::from(handle);
      if (!memory) return fail(CL_INVALID_KERNEL_ARGS, "the memory object of argument " + std::to_string(i) + " was released");
      auto of_device = value_on(device, **memory, argument);
      if (!of_device) return fail(of_device);
      std::memcpy(call.arguments.data() + argument.offset, &*of_device, sizeof *of_device);
      call.largest_object = std::max<uint64_t>(call.largest_object, (*memory)->root().size());
      call.memory.emplace_back(Ref(*memory), access_of(argument, **memory));
      if (follows_commands()) call.memory_arguments.push_back(static_cast<uint32_t>(i));
    }
  }
  if (!enabled_checks().is_empty()) call.bounds = bounds_of(call);
  if (call.kernel->tells_overlap) call.arguments_apart = are_apart(call);
  return {};
}

}  // namespace upsweep
