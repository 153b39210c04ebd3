// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses of variables of the widest types (specification: "Alignment of Types"): across a barrier, in by-value
// arguments and in local memory. A volatile copy of an address hides its last bits from the compiler.
typedef struct {
  char tag;
  double16 wide;
} Wide;

#define PLACE(pointer)                                                                                                         \
  do {                                                                                                                         \
    volatile ulong place = (ulong)(pointer);                                                                                   \
    misplaced |= (int)(place % 128);                                                                                           \
  } while (0)

kernel void addresses(global int *out, char before, Wide read, Wide written, double16 value, local long16 *tile) {
  local Wide shared[2];
  const int i = (int)get_global_id(0), l = (int)get_local_id(0);
  int misplaced = 0;
  char small = (char)i;
  long16 own[2] = {i, i + before};
  Wide other = read;
  tile[l] = own[i & 1];
  if (l < 2) shared[l] = read;
  barrier(CLK_LOCAL_MEM_FENCE);
  own[i & 1] += tile[l ^ 1];
  other.wide += (double)own[0].s3;
  written.wide += shared[l & 1].wide + value;
  PLACE(own);
  PLACE(&own[i & 1]);
  PLACE(&other.wide);
  PLACE(&read.wide);
  PLACE(&written.wide);
  PLACE(&shared[l & 1].wide);
  PLACE(&tile[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  PLACE(own);
  PLACE(&other);
  // Reads all variables, so that they live until here.
  const double sum = (double)own[i & 1].s7 + other.wide.s3 + written.wide.s5 + (double)small;
  out[i] = misplaced ? -misplaced : sum >= 0;
}

// An alignment of the variable, not of its type.
kernel void frames(global int *out, int n) {
  const int i = (int)get_global_id(0);
  int misplaced = 0;
  int own[37] __attribute__((aligned(128)));
  int other[24];
  for (int k = 0; k < 37; ++k) own[k] = n + k;
  for (int k = 0; k < 24; ++k) other[k] = i * k;
  PLACE(own);
  barrier(CLK_LOCAL_MEM_FENCE);
  own[n & 15] += other[i % 24];
  PLACE(own);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = misplaced ? -misplaced : own[(n + i) & 15] >= n;
}

// A larger alignment than any type of OpenCL C has.
typedef struct {
  char tag;
  int value __attribute__((aligned(256)));
} Apart;

#define PLACE_APART(pointer)                                                                                                   \
  do {                                                                                                                         \
    volatile ulong place = (ulong)(pointer);                                                                                   \
    misplaced |= (int)(place % 256);                                                                                           \
  } while (0)

__attribute__((noinline)) int misplaced_in_function(int n) {
  int misplaced = 0;
  volatile int own[3] __attribute__((aligned(256)));
  own[n & 1] = n;
  PLACE_APART(own);
  return misplaced;
}

kernel void apart(global int *out, char before, Apart read, Apart written, local char *bytes, local Apart *tile) {
  local char some[3];
  local int shared[5] __attribute__((aligned(256)));
  local Apart pair[2];
  const int i = (int)get_global_id(0), l = (int)get_local_id(0);
  int misplaced = misplaced_in_function(i);
  char small = (char)i;
  int own[5] __attribute__((aligned(256)));
  Apart other[2];
  for (int k = 0; k < 5; ++k) own[k] = i + k;
  other[i & 1].value = other[~i & 1].value = read.value;
  written.value += before;
  bytes[l] = small;
  if (l < 3) some[l] = small;
  if (l < 2) shared[l] = pair[l].value = tile[l].value = i;
  PLACE_APART(own);
  barrier(CLK_LOCAL_MEM_FENCE);
  PLACE_APART(own);
  PLACE_APART(&other[i & 1].value);
  PLACE_APART(&read.value);
  PLACE_APART(&written.value);
  PLACE_APART(shared);
  PLACE_APART(&pair[1].value);
  PLACE_APART(&tile[l & 1].value);
  const int sum = own[i % 5] + other[i & 1].value + written.value + small + bytes[l] + some[0] + shared[0] + pair[1].value;
  out[i] = misplaced ? -misplaced : (sum | 1) != 0;
}
