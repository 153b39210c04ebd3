// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Primes in two steps with a pipe between them, since the number of candidates of the first step is not known.

// Writes the odd numbers from `first` on without a small prime factor into the pipe.
kernel void sift(uint first, uint end, write_only pipe uint out) {
  const uint primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
  const uint number = first + 2 * (uint)get_global_id(0);
  bool stays = number < end;
  for (int i = 0; i < 10; ++i) stays &= number == primes[i] || number % primes[i] != 0;
  if (stays) write_pipe(out, &number);
}

// Counts the primes in the pipe, which is empty afterwards. `counts[1]` counts packets that the first step cannot have
// written.
kernel void count_primes(read_only pipe uint in, global uint *counts) {
  uint number, found = 0;
  while (read_pipe(in, &number) == 0) {
    bool is_prime = true;
    for (uint divisor = 37; is_prime && divisor * divisor <= number; divisor += 2) is_prime = number % divisor != 0;
    found += is_prime;
    if (number % 2 == 0) atomic_inc(counts + 1);
  }
  if (found) atomic_add(counts, found);
}
