// clang-format off
// A packet outside of its reservation and the end of a string are tested with UPSWEEP_CHECK=memory; a literal ends where it does.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=memory --llvm=-print-after=upsweep-mark-accesses -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=memory --llvm=-print-after=upsweep-check-memory -o /dev/null %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRING
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: define {{.*}}@packet(
// CHECK: %[[BITS:.*]] = call spir_func i64 @__ups_reserve_bits(
// CHECK: lshr i64 %[[BITS]], 32
// CHECK: call void @__ups_arithmetic(i1 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i32 13,
// CHECK: call {{.*}}@__write_pipe_4(
kernel void packet(write_only pipe int p, int n) {
  reserve_id_t id = reserve_write_pipe(p, 2);
  write_pipe(p, id, n, &n);
  commit_write_pipe(p, id);
}

// STRING-LABEL: define {{.*}}@chosen.item(
// STRING: call i64 @upsweep.string.bytes(
// STRING: @__ups_check_index(
kernel void chosen(constant char *text) { printf("%d %s", 7, text); }

// STRING-LABEL: define {{.*}}@literal.item(
// STRING-NOT: upsweep.string.bytes(
// STRING: printf
kernel void literal() { printf("%s", "text"); }

// OFF-NOT: string.bytes
// OFF-NOT: null_pointer_is_valid
