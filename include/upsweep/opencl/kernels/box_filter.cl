// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means over boxes, from the four corners of each box in an exclusive summed-area table. A work-group has a strip of a row.
//
// UPS_SUM        type of the table's sums. UPS_TOTAL is that of a box: differences of sums that wrap are right if the box's
//                sum fits.
// UPS_MEAN       double.
// UPS_TO_OUT(m)  a mean as an element of the output.
// UPS_HALVES     not 0 for integers of 64 bits, whose box sums have more bits: there are two tables, for the lower and the
//                upper halves of the bits. 1: the output is floating-point; 2: it is integer, and means are exact.
// UPS_RADIUS_IS  0: `most`; 1: radii[pixel], or 0 if that is negative; 2: UPS_RADIUS(pixel), the caller's; 3: a thin lens's
//                radius for the depth radii[pixel].
// UPS_RADII      type of radii or depths.
#pragma OPENCL FP_CONTRACT OFF

ulong ups_radius_of(ulong pixel, global const UPS_RADII *radii, ulong most, float focus, float strength) {
#if UPS_RADIUS_IS == 0
  return most;
#elif UPS_RADIUS_IS == 1
  const UPS_RADII radius = radii[pixel];
  return radius > 0 ? (ulong)radius : 0;
#elif UPS_RADIUS_IS == 2
  return (ulong)UPS_RADIUS(pixel);
#else
  // Divisions of floats may be inexact in OpenCL; a quotient of doubles, rounded to float, is exact.
  const float quotient = (float)((UPS_MEAN)focus / (UPS_MEAN)(float)radii[pixel]);
  const float radius = strength * fabs(1.0f - quotient);
  if (!(radius > 0)) return 0;
  return radius < (float)most ? (ulong)round(radius) : most;
#endif
}

#if UPS_HALVES
// high * 2^32 + low as a double, rounded once.
UPS_MEAN ups_double_of(UPS_TOTAL high, ulong low) {
  high += (UPS_TOTAL)(low >> 32);
  low &= 0xffffffff;
  const bool is_negative = high < 0;
  ulong upper = (ulong)high;
  if (is_negative) {
    upper = -upper - (low != 0 ? 1 : 0);
    low = -low & 0xffffffff;
  }
  // The highest 64 bits; the last bit is set if there are lower bits.
  const int more = upper >> 32 == 0 ? 0 : 64 - (int)clz(upper) - 32;
  ulong bits = upper << (32 - more) | low >> more;
  bits |= (low & ((1ul << more) - 1)) != 0 ? 1 : 0;
  const UPS_MEAN size = ldexp((UPS_MEAN)bits, more);
  return is_negative ? -size : size;
}

UPS_OUT ups_mean_of(UPS_TOTAL high, ulong low, ulong count, UPS_MEAN share) {
  const UPS_MEAN mean = ups_double_of(high, low) * share;
#if UPS_HALVES == 1
  return UPS_TO_OUT(mean);
#else
  // The double differs from the mean by some units; the rest of the sum, which fits 64 bits, gives the difference.
  const UPS_TOTAL near = UPS_JOIN(UPS_JOIN(convert_, UPS_TOTAL), _sat)(floor(mean));
  const long rest = (long)(((ulong)high << 32) + low - (ulong)near * count), twice = 2 * rest + (long)count;
  const long divisor = 2 * (long)count, more = twice / divisor - (twice % divisor < 0 ? 1 : 0);
  return (UPS_OUT)((ulong)near + (ulong)more);
#endif
}
#endif

UPS_KERNEL ups_box_filter(global const UPS_SUM *table, global const UPS_RADII *radii, ulong radii_at, ulong most, float focus,
                          float strength, global UPS_OUT *out, ulong out_at, ulong height, ulong width, ulong strips,
                          ulong table_pitch, ulong table_stride, ulong out_pitch, ulong out_stride, ulong upper_at) {
  const ulong row = get_group_id(0) / strips, image = row / height, y = row % height;
  const ulong begin = get_group_id(0) % strips * UPS_TILE, end = min(begin + UPS_TILE, width);
  table += image * table_stride;
  out += out_at + image * out_stride + y * out_pitch;
  for (ulong x = begin + get_local_id(0); x < end; x += UPS_GROUP) {
    const ulong radius = ups_radius_of(row * width + x, radii + radii_at, most, focus, strength);
    const ulong top = y > radius ? y - radius : 0, bottom = height - y > radius ? y + radius + 1 : height;
    const ulong left = x > radius ? x - radius : 0, right = width - x > radius ? x + radius + 1 : width;
    const UPS_MEAN share = 1 / (UPS_MEAN)((bottom - top) * (right - left));
    global const UPS_SUM *above = table + top * table_pitch, *below = table + bottom * table_pitch;
    for (uint k = 0; k < UPS_CHANNELS; ++k) {
      const ulong l = left * UPS_CHANNELS + k, r = right * UPS_CHANNELS + k;
#if UPS_HALVES
      global const UPS_SUM *over = above + upper_at, *under = below + upper_at;
      const UPS_TOTAL high = (UPS_TOTAL)((under[r] - under[l]) - (over[r] - over[l]));
      const ulong low = (below[r] - below[l]) - (above[r] - above[l]);
      out[x * UPS_CHANNELS + k] = ups_mean_of(high, low, (bottom - top) * (right - left), share);
#else
      const UPS_TOTAL sum = (UPS_TOTAL)((below[r] - below[l]) - (above[r] - above[l]));
      const UPS_MEAN mean = (UPS_MEAN)sum * share;
      out[x * UPS_CHANNELS + k] = UPS_TO_OUT(mean);
#endif
    }
  }
}
