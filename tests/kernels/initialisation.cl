// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with and without uninitialised values, a case each: work-groups of 64. `in` is written and has numbers from 0 to 63,
// `fresh` is a new buffer, and the host reads `out`.
#define HERE get_global_id(0)
#define LID ((int)get_local_id(0))
#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)

typedef struct {
  char a;
  int b;
  short c;
} Padded;
typedef union {
  float whole;
  uchar4 bytes;
} Parts;

int helper(const int *value) { return *value > 3 ? 1 : 2; }

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void NAME(global int *out, global const int *in, global int *fresh,
                                                                 int n) {
  local int l[128];
#if defined(BRANCHES)  // correct
  int value;
  if (in[HERE] & 1)
    value = 3;
  else
    value = in[HERE];
  if (value > 2) out[HERE] = value;
#elif defined(GUARDED)            // correct: read only where it is written
  int value;
  bool is_known = in[HERE] > 20;
  if (is_known) value = in[HERE];
  if (is_known && value > 30) out[HERE] = value;
#elif defined(LOOP)               // correct
  int last, sum = 0;
  for (int i = 0; i < in[HERE]; ++i) {
    last = i;
    sum += last;
  }
  if (sum > 10) out[HERE] = sum;
#elif defined(VECTORS)            // correct: three components of four
  float3 three = vload3(HERE % 16, (global const float *)in);
  float4 four;
  four.xyz = three * 2;
  if (four.x + four.z > 1) out[HERE] = any(four.xyz > three) ? 1 : 0;
  vstore3(convert_int3(four.xyz), HERE / 3, out);
#elif defined(SHUFFLES)           // correct
  int4 four;
  four.even = (int2)(in[HERE], 1);
  int4 other = four.xxzz;
  if (other.y > 3) out[HERE] = other.w;
#elif defined(PADDING)            // correct
  Padded one;
  one.a = in[HERE];
  one.b = 2;
  one.c = LID;
  Padded all[4];
  all[LID & 3] = one;
  Padded copy = all[LID & 3];
  if (copy.a + copy.b + copy.c > 10) out[HERE] = copy.b;
  if (HERE < 16) ((global Padded *)out)[HERE + 40] = copy;
#elif defined(BIT_FIELDS)         // correct
  uint bits;
  bits = (bits & ~31u) | (uint)(in[HERE] & 31);
  bits = (bits & 0xffffu) | 3u << 16;
  if ((bits & 31) > 4) out[HERE] = bits >> 16;
#elif defined(UNIONS)             // correct
  Parts parts;
  parts.bytes = as_uchar4(in[HERE]);
  if (parts.whole < 1) out[HERE] = as_int(parts.whole);
  parts.bytes.xy = (uchar2)(1, 2);
  if (parts.bytes.x == 1) out[HERE] += parts.bytes.z;
#elif defined(MASKS)              // correct: the unwritten bits are masked, or multiplied by 0
  uint word = (uint)fresh[HERE];
  word = (word & 0xffff0000u) | (uint)in[HERE];
  if ((word & 0xff) > 5) out[HERE] = word & 63;
  if ((word << 16) == 0) out[HERE] = 1;
#elif defined(SELECTS)            // correct
  int value = select(fresh[HERE], in[HERE], 1);
  int4 chosen = select((int4)(fresh[HERE], 1, 2, fresh[HERE]), (int4)(1), (int4)(-1, 0, 0, -1));
  if (value + chosen.x + chosen.w > 3) out[HERE] = value;
#elif defined(LOCALS)             // correct
  l[LID] = in[HERE];
  for (int half_size = 32; half_size > 0; half_size /= 2) {
    LOCAL_BARRIER;
    if (LID < half_size) l[LID] += l[LID + half_size];
  }
  if (LID == 0 && l[0] > 3) out[HERE] = l[0];
#elif defined(ARRAYS)             // correct
  int few[8], many[100];
  for (int i = 0; i < 8; ++i) few[i] = i;
  for (int i = 0; i < n; ++i) many[(i * 3) & 63] = in[i & 63];
  if (few[in[HERE] & 7] + many[0] > 2) out[HERE] = many[in[HERE] & 63];
#elif defined(INACTIVE)           // correct: lanes that do not reach the branch
  int value;
  if (LID % 3 == 0) {
    value = in[HERE];
    if (value > 9) out[value] = 1;
  }
#elif defined(WRITTEN_BUFFER)     // correct: each work-item writes its element of a new buffer
  fresh[HERE] = in[HERE];
  if (fresh[HERE] > 3) out[fresh[HERE]] = 1;
#elif defined(PART_COPIED)        // correct: unwritten elements are copied, and decide nothing
  fresh[HERE + n] = fresh[HERE];
#elif defined(ATOMICS)            // correct
  local int count;
  if (LID == 0) count = 0;
  LOCAL_BARRIER;
  int place = atomic_inc(&count);
  if (atomic_cmpxchg(&out[HERE], 0, 5) == 0) out[place] = 1;
#elif defined(COPIES)             // correct
  event_t event = async_work_group_copy(l, in + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &event);
  if (l[LID] > 3) out[HERE] = l[63 - LID];
#elif defined(COLLECTIVES)        // correct
  int sum = work_group_reduce_add(in[HERE]), before = work_group_scan_exclusive_add(in[HERE]);
  if (sum > before) out[HERE] = sub_group_reduce_max(in[HERE]);
  if (sub_group_broadcast(in[HERE], 0) > 2) out[HERE] += 1;
#elif defined(GROUP_COLLECTIVES)  // correct
  int value;
  if (LID != 5) value = in[HERE];
  if (work_group_broadcast(value, 7) > 3) out[HERE] = 1;
  if (work_group_any(in[HERE] > 3) && work_group_scan_inclusive_max(in[HERE]) > 5) out[HERE] = work_group_reduce_min(LID);
#elif defined(MATHS)              // correct: results by pointer, and tables of the library
  float x = in[HERE] * 0.37f, fraction, cosine;
  int exponent, quotient;
  float sum = fract(x, &fraction) + sincos(x, &cosine) + frexp(x, &exponent) + remquo(x, 3.0f, &quotient);
  sum += fraction + cosine + exponent + quotient + pow(x, 1.5f) + exp(x) + log(x + 1) + tan(x) + lgamma(x + 1);
  if (sum > 3) out[HERE] = (int)sum;
#elif defined(POINTERS)           // correct: the variables' addresses are in memory
  int a, b;
  int *both[2] = {&a, &b};
  *both[n & 1] = in[HERE];
  *both[(n & 1) ^ 1] = 4;
  if (a + b > 6) out[HERE] = *both[in[HERE] & 1];
#elif defined(SWITCHES)           // correct
  int value;
  switch (in[HERE] & 3) {
  case 0: value = 1; break;
  case 1: value = 7; break;
  default: value = in[HERE];
  }
  if (value > 2) out[HERE] = value;
#elif defined(BRANCH_PRIVATE)
  int value;
  if (in[HERE] > 100) value = 3;
  if (value > 2) out[HERE] = 1;
#elif defined(BRANCH_BUFFER)
  if (fresh[HERE] > 2) out[HERE] = 1;
#elif defined(BRANCH_OF_ONE)
  if (HERE == 37) l[LID] = 3;
  LOCAL_BARRIER;
  if (HERE == 37 && l[36] > 2) out[HERE] = 1;
#elif defined(BRANCH_ELEMENT)
  int few[8];
  for (int i = 0; i < 7; ++i) few[i] = i;
  if (few[in[HERE] & 7] > 2) out[HERE] = 1;
#elif defined(BRANCH_OF_MANY)
  int many[100];
  for (int i = 0; i < 99; ++i) many[i] = i;
  if (many[in[HERE] + n - 220] > 2) out[HERE] = 1;
#elif defined(BRANCH_COMPONENT)
  int4 four;
  four.xyz = (int3)(in[HERE]);
  if (four.w > 2) out[HERE] = 1;
#elif defined(BRANCH_MEMBER)
  Padded one;
  one.a = in[HERE];
  one.b = 2;
  if (one.a + one.c > 2) out[HERE] = 1;
#elif defined(BRANCH_BIT_FIELD)
  uint bits;
  bits = (bits & ~31u) | (uint)(in[HERE] & 31);
  if ((bits >> 5 & 2047) > 2) out[HERE] = 1;
#elif defined(BRANCH_UNION)
  Parts parts;
  parts.bytes.x = 1;
  if (parts.whole > 2) out[HERE] = 1;
#elif defined(BRANCH_LOOP)
  for (int i = 0; i < (fresh[HERE] & 7); ++i) out[HERE] += 1;
#elif defined(BRANCH_SWITCH)
  switch (fresh[HERE]) {
  case 1: out[HERE] = 3; break;
  case 2: out[HERE] = 8; break;
  case 5: out[HERE] = in[LID]; break;
  }
#elif defined(BRANCH_HELPER)
  int value;
  if (helper(&value) == 1) out[HERE] = 1;
#elif defined(BRANCH_ATOMIC)
  local int count;
  if (atomic_inc(&count) > 3) out[HERE] = 1;
#elif defined(BRANCH_COPIED)
  event_t event = async_work_group_copy(l, (global const int *)fresh, 64, 0);
  wait_group_events(1, &event);
  if (l[LID] > 3) out[HERE] = 1;
#elif defined(BRANCH_SUB_GROUP)
  int value = in[HERE];
  if (HERE == 37) value = fresh[HERE];
  if (sub_group_reduce_add(value) > 3) out[HERE] = 1;
#elif defined(BRANCH_BROADCAST)
  float value;
  if (get_sub_group_local_id() != 3) value = in[HERE];
  if (sub_group_broadcast(value, 3) > 3) out[HERE] = 1;
#elif defined(BRANCH_GROUP_SUM)
  int value;
  if (LID != 5) value = in[HERE];
  if (work_group_reduce_add(value) > 3) out[HERE] = 1;
#elif defined(BRANCH_GROUP_SCAN)
  int value = 1;
  if (LID == 20) value = fresh[HERE];
  if (work_group_scan_inclusive_add(value) > 30) out[HERE] = 1;
#elif defined(BRANCH_GROUP_ITEM)
  int value;
  if (LID != 5) value = in[HERE];
  if (work_group_broadcast(value, 5) > 3) out[HERE] = 1;
#elif defined(BRANCH_GROUP_ANY)
  if (work_group_any(fresh[HERE] > 3)) out[HERE] = 1;
#elif defined(BRANCH_POINTER)
  int a, b;
  int *both[2] = {&a, &b};
  *both[n & 1] = in[HERE];
  if (*both[(n & 1) ^ 1] > 3) out[HERE] = 1;
#elif defined(ADDRESS_BUFFER)
  out[fresh[HERE] & 127] = 1;
#elif defined(ADDRESS_LOCAL)
  l[LID] = 5;
  LOCAL_BARRIER;
  out[in[l[LID + 1] & 63]] = 1;
#elif defined(OUTPUT_PRIVATE)
  int value;
  out[HERE] = value;
#elif defined(OUTPUT_SUM)
  int sum;
  for (int i = 0; i < n; ++i) sum += in[i & 63];
  out[HERE] = sum;
#elif defined(OUTPUT_SELECTED)
  out[HERE] = in[HERE] > 3 ? fresh[HERE] : in[HERE];
#elif defined(OUTPUT_CONVERTED)
  float value = (float)fresh[HERE];
  out[HERE] = convert_int_sat(sqrt(value) * 2 + 1);
#elif defined(OUTPUT_ATOMIC)
  atomic_add(&fresh[HERE], 1);
  out[HERE] = fresh[HERE];
#elif defined(OUTPUT_PRINTED)
  if (HERE == 5) printf("%d\n", fresh[HERE]);
#endif
}
