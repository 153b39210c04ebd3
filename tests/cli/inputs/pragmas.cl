#define QUIET_STORE(place, value)                                                                                              \
  _Pragma("upsweep check off out-of-bounds") place = value;                                                                    \
  _Pragma("upsweep check on")
kernel void parts(global int *out, int which) {
  const int i = get_global_id(0);
#pragma upsweep check off
  if (which == 0) out[i] = 1;
#pragma upsweep check on
  if (which == 1) out[i] = 1;
#pragma upsweep check off race uninitialised
  if (which == 2) out[i] = 1;
#pragma upsweep check off memory
  if (which == 3) out[i] = 1;
#pragma upsweep check on out - of - bounds
  if (which == 4) out[i] = 1;
#pragma upsweep check on
  if (which == 5) {
    QUIET_STORE(out[i], 1);
  }
  if (which == 6) out[i] = 1;
#pragma upsweep check off race - of - equal - values
  if (which == 7) out[0] = 1;
  if (which == 8) out[0] = i;
}
