kernel void over(global int *out) {
  int i = get_global_id(0);
  out[i] = i + 1;
}
