// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel argument on the device: its buffer, image or sampler, and transfers of its bytes.
#ifndef UPSWEEP_CLI_DEVICE_ARGUMENT_H
#define UPSWEEP_CLI_DEVICE_ARGUMENT_H

#include "cli/argument.h"
#include "cli/opencl.h"
#include "cli/parameter.h"

namespace upsweep::cli {

// Memory and sampler are null if the argument's kind has none.
struct DeviceArgument {
  cl::Memory parent;  // the buffer of a 1D image buffer
  cl::Memory memory;
  cl::Sampler sampler;
  cl::array<cl::size_type, 3> region{1, 1, 1};  // of an image: the whole image
};

// Creates it and sets it as argument `index`. An image of zeros gets its bytes here, once the device has accepted its size.
Result<DeviceArgument> make_device_argument(const Device &device, const cl::Kernel &kernel, cl_uint index,
                                            const Parameter &parameter, HostArgument &argument);

// Does not wait; does nothing for kinds without memory.
Result<void> write_to_device(const Device &device, const DeviceArgument &on_device, const HostArgument &argument);
Result<void> read_from_device(const Device &device, const DeviceArgument &on_device, HostArgument &argument);

}  // namespace upsweep::cli
#endif
