// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that calls access by index. UPS_IN_INDEX and similar macros define the type of indices: element i of the input is
// in[in_indices[i]]. UPS_IN_PLACE(i) is its place behind `in`.

#ifdef UPS_IN_INDEX
#define UPS_IN_PARAMETERS global const UPS_IN *in, ulong in_at, global const UPS_IN_INDEX *in_indices, ulong in_indices_at
#define UPS_IN_ARGUMENTS in, in_at, in_indices, in_indices_at
#define UPS_IN_PLACE(i) (in_at + (ulong)in_indices[in_indices_at + (i)])
#else
#define UPS_IN_PARAMETERS global const UPS_IN *in, ulong in_at
#define UPS_IN_ARGUMENTS in, in_at
#define UPS_IN_PLACE(i) (in_at + (i))
#endif

#ifdef UPS_OUT_INDEX
#define UPS_OUT_PARAMETERS global UPS_OUT *out, ulong out_at, global const UPS_OUT_INDEX *out_indices, ulong out_indices_at
#define UPS_OUT_ARGUMENTS out, out_at, out_indices, out_indices_at
#define UPS_OUT_PLACE(i) (out_at + (ulong)out_indices[out_indices_at + (i)])
#else
#define UPS_OUT_PARAMETERS global UPS_OUT *out, ulong out_at
#define UPS_OUT_ARGUMENTS out, out_at
#define UPS_OUT_PLACE(i) (out_at + (i))
#endif

#ifdef UPS_STENCIL_INDEX
#define UPS_STENCIL_PARAMETERS                                                                                                 \
  global const UPS_STENCIL *stencil, ulong stencil_at, global const UPS_STENCIL_INDEX *stencil_indices, ulong stencil_indices_at
#define UPS_STENCIL_ARGUMENTS stencil, stencil_at, stencil_indices, stencil_indices_at
#define UPS_STENCIL_PLACE(i) (stencil_at + (ulong)stencil_indices[stencil_indices_at + (i)])
#else
#define UPS_STENCIL_PARAMETERS global const UPS_STENCIL *stencil, ulong stencil_at
#define UPS_STENCIL_ARGUMENTS stencil, stencil_at
#define UPS_STENCIL_PLACE(i) (stencil_at + (i))
#endif

#ifdef UPS_KEY_INDEX
#define UPS_KEY_PARAMETERS                                                                                                     \
  global const UPS_KEY *keys, ulong keys_at, global const UPS_KEY_INDEX *keys_indices, ulong keys_indices_at
#define UPS_KEY_ARGUMENTS keys, keys_at, keys_indices, keys_indices_at
#define UPS_KEY_PLACE(i) (keys_at + (ulong)keys_indices[keys_indices_at + (i)])
#else
#define UPS_KEY_PARAMETERS global const UPS_KEY *keys, ulong keys_at
#define UPS_KEY_ARGUMENTS keys, keys_at
#define UPS_KEY_PLACE(i) (keys_at + (i))
#endif
