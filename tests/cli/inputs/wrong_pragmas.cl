#pragma upsweep check off races
#pragma upsweep check
kernel void f(global int *out) { out[get_global_id(0)] = 1; }
