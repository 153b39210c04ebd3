// Doubles its array.
kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }
