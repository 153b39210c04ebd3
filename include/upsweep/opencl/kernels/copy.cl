// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy from SVM memory to a buffer, a command that OpenCL lacks.
UPS_KERNEL ups_copy(global const UPS_IN *from, ulong from_at, global UPS_IN *to, ulong n) {
  const ulong i = get_global_id(0);
  if (i < n) to[i] = from[from_at + i];
}
