// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sharing with OpenGL and EGL (cl_khr_gl_sharing, cl_khr_gl_event, cl_khr_egl_image, cl_khr_egl_event), which the driver does
// not support: contexts and objects never come from OpenGL or EGL.
#include "api/absent.h"
#include "base/handle.h"
#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

using namespace upsweep;

namespace {

// "CL_INVALID_CONTEXT if context is not a valid context or was not created from a GL context"
template <typename Handle>
Handle not_from_gl(const char *name, cl_context context, cl_int *errcode_ret) {
  return refuse_creation<Handle>(name, context, CL_INVALID_CONTEXT, "the context was not created from a GL context",
                                 errcode_ret);
}

// "CL_INVALID_CONTEXT if context associated with command_queue was not created from an OpenGL context"
cl_int no_gl_queue(const char *name, cl_command_queue command_queue) {
  return entry(
      name, [&] { return refuse_command(command_queue, CL_INVALID_CONTEXT, "the context was not created from a GL context"); });
}

// "CL_INVALID_GL_OBJECT if there is no GL object associated with memobj"
cl_int no_gl_object(const char *name, cl_mem memory) {
  return entry(name, [&]() -> Result<void> {
    if (!is_live_handle(memory, CL_INVALID_MEM_OBJECT)) return fail(CL_INVALID_MEM_OBJECT, "memobj is not a memory object");
    return fail(CL_INVALID_GL_OBJECT, "memobj is not shared with GL");
  });
}

cl_int no_egl_objects(const char *name, cl_command_queue command_queue) {
  return entry(name, [&] { return refuse_command(command_queue, CL_INVALID_OPERATION, "sharing with EGL is not supported"); });
}

}  // namespace

cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags, cl_GLuint, cl_int *errcode_ret) {
  return not_from_gl<cl_mem>(__func__, context, errcode_ret);
}

cl_mem CL_API_CALL clCreateFromGLTexture(cl_context context, cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint,
                                         cl_int *errcode_ret) {
  return not_from_gl<cl_mem>(__func__, context, errcode_ret);
}

cl_mem CL_API_CALL clCreateFromGLTexture2D(cl_context context, cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint,
                                           cl_int *errcode_ret) {
  return not_from_gl<cl_mem>(__func__, context, errcode_ret);
}

cl_mem CL_API_CALL clCreateFromGLTexture3D(cl_context context, cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint,
                                           cl_int *errcode_ret) {
  return not_from_gl<cl_mem>(__func__, context, errcode_ret);
}

cl_mem CL_API_CALL clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags, cl_GLuint, cl_int *errcode_ret) {
  return not_from_gl<cl_mem>(__func__, context, errcode_ret);
}

cl_int CL_API_CALL clGetGLObjectInfo(cl_mem memobj, cl_gl_object_type *, cl_GLuint *) { return no_gl_object(__func__, memobj); }

cl_int CL_API_CALL clGetGLTextureInfo(cl_mem memobj, cl_gl_texture_info, size_t, void *, size_t *) {
  return no_gl_object(__func__, memobj);
}

cl_int CL_API_CALL clEnqueueAcquireGLObjects(cl_command_queue command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *,
                                             cl_event *) {
  return no_gl_queue(__func__, command_queue);
}

cl_int CL_API_CALL clEnqueueReleaseGLObjects(cl_command_queue command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *,
                                             cl_event *) {
  return no_gl_queue(__func__, command_queue);
}

cl_int CL_API_CALL clGetGLContextInfoKHR(const cl_context_properties *, cl_gl_context_info, size_t, void *, size_t *) {
  return entry(__func__, []() -> Result<void> {
    return fail(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "sharing with GL is not supported");
  });
}

cl_event CL_API_CALL clCreateEventFromGLsyncKHR(cl_context context, cl_GLsync, cl_int *errcode_ret) {
  return not_from_gl<cl_event>(__func__, context, errcode_ret);
}

cl_mem CL_API_CALL clCreateFromEGLImageKHR(cl_context context, CLeglDisplayKHR, CLeglImageKHR, cl_mem_flags,
                                           const cl_egl_image_properties_khr *, cl_int *errcode_ret) {
  return refuse_creation<cl_mem>(__func__, context, CL_INVALID_OPERATION, "sharing with EGL is not supported", errcode_ret);
}

cl_int CL_API_CALL clEnqueueAcquireEGLObjectsKHR(cl_command_queue command_queue, cl_uint, const cl_mem *, cl_uint,
                                                 const cl_event *, cl_event *) {
  return no_egl_objects(__func__, command_queue);
}

cl_int CL_API_CALL clEnqueueReleaseEGLObjectsKHR(cl_command_queue command_queue, cl_uint, const cl_mem *, cl_uint,
                                                 const cl_event *, cl_event *) {
  return no_egl_objects(__func__, command_queue);
}

cl_event CL_API_CALL clCreateEventFromEGLSyncKHR(cl_context context, CLeglSyncKHR, CLeglDisplayKHR, cl_int *errcode_ret) {
  return refuse_creation<cl_event>(__func__, context, CL_INVALID_OPERATION, "sharing with EGL is not supported", errcode_ret);
}
