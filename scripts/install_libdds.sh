#!/usr/bin/env bash
# Builds libdds and installs it: the shared and the static library, the headers
# <dds/dll.h>, <api/dll.h> and <api/dds_c_api.h>, and dds.pc for pkg-config.
#
#   sudo scripts/install_libdds.sh                  below /usr/local
#   PREFIX=$HOME/.local scripts/install_libdds.sh   below another directory
#
# DESTDIR goes before all places, for those who make packages; LIBDIR is the libraries'
# place (PREFIX/lib). BUILT names a directory that has the libraries; without it they are
# built.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
if [ -z "${BUILT:-}" ]; then
    cargo build --release --locked -p setrograde-dds
    BUILT=${CARGO_TARGET_DIR:-target}/release
fi
put() { mkdir -p "$(dirname "${DESTDIR:-}$3")" && install -m "$1" "$2" "${DESTDIR:-}$3"; }

if [ -e "$BUILT/libdds.dylib" ]; then
    put 755 "$BUILT/libdds.dylib" "$libdir/libdds.dylib"
else
    # The name that programs load, and the name that linkers use.
    put 755 "$BUILT/libdds.so" "$libdir/libdds.so.0"
    ln -sf libdds.so.0 "${DESTDIR:-}$libdir/libdds.so"
fi
put 644 "$BUILT/libdds.a" "$libdir/libdds.a"
for header in dds/dll.h api/dll.h api/dds_c_api.h; do
    put 644 crates/dds/include/$header "$prefix/include/$header"
done
for licence in LICENSE-APACHE LICENSE-MIT; do
    put 644 $licence "$prefix/share/doc/libdds-setrograde/$licence"
done
pc=$(mktemp)
trap 'rm -f "$pc"' EXIT
cat >"$pc" <<END
prefix=$prefix
libdir=$libdir
includedir=\${prefix}/include

Name: dds
Description: Double-dummy bridge with the interface of DDS, by setrograde
Version: 2.9.0
Libs: -L\${libdir} -ldds
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
END
put 644 "$pc" "$libdir/pkgconfig/dds.pc"
echo "installed in ${DESTDIR:-}$libdir; programs find it there if ldconfig or -Wl,-rpath says so"
