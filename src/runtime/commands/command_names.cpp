// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of commands' enqueue functions.
#include "runtime/commands/command_names.h"
#include <CL/cl_ext.h>
#include <algorithm>
#include <iterator>

namespace upsweep {
namespace {

struct CommandName {
  cl_command_type type;
  const char *text;
};

constexpr CommandName kCommandNames[] = {
    {CL_COMMAND_NDRANGE_KERNEL, "clEnqueueNDRangeKernel"},
    {CL_COMMAND_TASK, "clEnqueueTask"},
    {CL_COMMAND_NATIVE_KERNEL, "clEnqueueNativeKernel"},
    {CL_COMMAND_READ_BUFFER, "clEnqueueReadBuffer"},
    {CL_COMMAND_WRITE_BUFFER, "clEnqueueWriteBuffer"},
    {CL_COMMAND_COPY_BUFFER, "clEnqueueCopyBuffer"},
    {CL_COMMAND_READ_IMAGE, "clEnqueueReadImage"},
    {CL_COMMAND_WRITE_IMAGE, "clEnqueueWriteImage"},
    {CL_COMMAND_COPY_IMAGE, "clEnqueueCopyImage"},
    {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "clEnqueueCopyImageToBuffer"},
    {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "clEnqueueCopyBufferToImage"},
    {CL_COMMAND_MAP_BUFFER, "clEnqueueMapBuffer"},
    {CL_COMMAND_MAP_IMAGE, "clEnqueueMapImage"},
    {CL_COMMAND_UNMAP_MEM_OBJECT, "clEnqueueUnmapMemObject"},
    {CL_COMMAND_MARKER, "clEnqueueMarker"},
    {CL_COMMAND_BARRIER, "clEnqueueBarrier"},
    {CL_COMMAND_READ_BUFFER_RECT, "clEnqueueReadBufferRect"},
    {CL_COMMAND_WRITE_BUFFER_RECT, "clEnqueueWriteBufferRect"},
    {CL_COMMAND_COPY_BUFFER_RECT, "clEnqueueCopyBufferRect"},
    {CL_COMMAND_MIGRATE_MEM_OBJECTS, "clEnqueueMigrateMemObjects"},
    {CL_COMMAND_FILL_BUFFER, "clEnqueueFillBuffer"},
    {CL_COMMAND_FILL_IMAGE, "clEnqueueFillImage"},
    {CL_COMMAND_SVM_FREE, "clEnqueueSVMFree"},
    {CL_COMMAND_SVM_MEMCPY, "clEnqueueSVMMemcpy"},
    {CL_COMMAND_SVM_MEMFILL, "clEnqueueSVMMemFill"},
    {CL_COMMAND_SVM_MAP, "clEnqueueSVMMap"},
    {CL_COMMAND_SVM_UNMAP, "clEnqueueSVMUnmap"},
    {CL_COMMAND_SVM_MIGRATE_MEM, "clEnqueueSVMMigrateMem"},
    {CL_COMMAND_COMMAND_BUFFER_KHR, "clEnqueueCommandBufferKHR"},
    {CL_COMMAND_MEMFILL_INTEL, "clEnqueueMemFillINTEL"},
    {CL_COMMAND_MEMCPY_INTEL, "clEnqueueMemcpyINTEL"},
    {CL_COMMAND_MIGRATEMEM_INTEL, "clEnqueueMigrateMemINTEL"},
    {CL_COMMAND_MEMADVISE_INTEL, "clEnqueueMemAdviseINTEL"},
    // cl_intel_global_variable_access, which Debian 12's headers lack
    {0x418E, "clEnqueueReadGlobalVariableINTEL"},
    {0x418F, "clEnqueueWriteGlobalVariableINTEL"},
};

}  // namespace

const char *name_of_command(cl_command_type type) {
  const auto *found = std::ranges::find(kCommandNames, type, &CommandName::type);
  return found == std::end(kCommandNames) ? "command" : found->text;
}

}  // namespace upsweep
