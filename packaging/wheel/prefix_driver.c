// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver that a conda environment's $PREFIX/etc/OpenCL/vendors/upsweep.icd names. That file is the same for all versions
// of Python, and a loader finds a library without a path only in its own folder, $PREFIX/lib. So this small library is
// installed there, and forwards to the driver in $PREFIX/lib/python3.*/site-packages.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static void *driver(void) {
  static void *handle;
  if (handle) return handle;
  Dl_info info;
  char pattern[PATH_MAX];
  if (!dladdr((void *)&driver, &info) || !info.dli_fname) return NULL;
  const char *slash = strrchr(info.dli_fname, '/');
  int folder = slash ? (int)(slash - info.dli_fname) : 0;
  int length = snprintf(pattern, sizeof pattern, "%.*s/python3*/site-packages/upsweep_opencl/lib/libupsweep-opencl.so", folder,
                        info.dli_fname);
  if (!slash || length < 0 || (size_t)length >= sizeof pattern) return NULL;
  glob_t found;
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc && !handle; ++i) handle = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
  globfree(&found);
  return handle;
}

static void *symbol(const char *name) {
  void *library = driver();
  return library ? dlsym(library, name) : NULL;
}

EXPORT void *clGetExtensionFunctionAddress(const char *name) {
  void *(*function)(const char *) = (void *(*)(const char *))symbol("clGetExtensionFunctionAddress");
  return function ? function(name) : NULL;
}

// CL_PLATFORM_NOT_FOUND_KHR is -1001, CL_INVALID_PLATFORM -32.
EXPORT int clIcdGetPlatformIDsKHR(unsigned count, void **platforms, unsigned *found) {
  int (*function)(unsigned, void **, unsigned *) = (int (*)(unsigned, void **, unsigned *))symbol("clIcdGetPlatformIDsKHR");
  return function ? function(count, platforms, found) : -1001;
}

EXPORT int clGetPlatformInfo(void *platform, unsigned name, size_t bytes, void *value, size_t *needed) {
  int (*function)(void *, unsigned, size_t, void *, size_t *) =
      (int (*)(void *, unsigned, size_t, void *, size_t *))symbol("clGetPlatformInfo");
  return function ? function(platform, name, bytes, value, needed) : -32;
}
