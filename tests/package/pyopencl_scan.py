# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a scan on Upsweep by PyOpenCL, as its users do, and checks it; prints the platform's name, then all names."""

import numpy as np
import pyopencl as cl

platforms = cl.get_platforms()
ours = [platform for platform in platforms if platform.name == "Upsweep"]
assert len(ours) == 1, platforms
context = cl.Context(ours[0].get_devices(cl.device_type.CPU)[:1])
queue = cl.CommandQueue(context)
source = "kernel void scan(global int *data) { int i = get_global_id(0); data[i] = work_group_scan_inclusive_add(data[i]); }"
program = cl.Program(context, source).build("-cl-std=CL3.0")
data = np.random.default_rng(7).integers(-1000, 1000, 256, dtype=np.int32)
out = np.empty_like(data)
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=data)
program.scan(queue, (256,), (256,), buffer)
cl.enqueue_copy(queue, out, buffer)
np.testing.assert_array_equal(out, np.cumsum(data, dtype=np.int32))
print(ours[0].name)
print(*sorted(platform.name for platform in platforms), sep=", ")
