#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs in a bare Debian as root: installs the packages of /packages/1 by apt, uses them, upgrades them to /packages/2, and
# purges them. Its notes are in /packages, and are not compared.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /var -o -path /packages -o -path ~root \) -prune -o -print | sort; }
works() {
  /packages/scan_icd > /packages/names
  grep -q Upsweep /packages/names
  upsweep info --device cpu | grep -q Upsweep
  upsweepc --help > /dev/null
}
install() { apt-get install -qq -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" > /packages/log 2>&1 || { cat /packages/log; exit 1; }; }
install ocl-icd-libopencl1 libgcc-s1
files > /packages/before
install /packages/1/*.deb
dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' '*upsweep*'
works
echo '# a change of the administrator' >> /etc/OpenCL/vendors/upsweep.icd
install /packages/2/*.deb
dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' '*upsweep*'
grep -q administrator /etc/OpenCL/vendors/upsweep.icd
works
apt-get purge -qq -y 'upsweep-*' libupsweep-opencl1 > /packages/log 2>&1
files > /packages/after
diff /packages/before /packages/after
echo done
