#!/usr/bin/env bash
# Builds libsetrograde and installs it: the shared and the static library, its two headers,
# setrograde.pc for pkg-config and a package for CMake.
#
#   sudo scripts/install_libsetrograde.sh                  below /usr/local
#   PREFIX=$HOME/.local scripts/install_libsetrograde.sh   below another directory
#
# DESTDIR precedes every path, for packages; LIBDIR is the directory of the libraries (PREFIX/lib).
# BUILT names a directory that has the libraries; without it they are built.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
if [ -z "${BUILT:-}" ]; then
    cargo build --profile c-library --locked -p setrograde-probe
    BUILT=${CARGO_TARGET_DIR:-target}/c-library
fi
put() { mkdir -p "$(dirname "${DESTDIR:-}$3")" && install -m "$1" "$2" "${DESTDIR:-}$3"; }

if [ -e "$BUILT/libsetrograde.dylib" ]; then
    library=libsetrograde.1.dylib link=libsetrograde.dylib
else
    library=libsetrograde.so.1 link=libsetrograde.so
fi
# The name that programs look for, and the one that linkers do.
put 755 "$BUILT/$link" "$libdir/$library"
ln -sf "$library" "${DESTDIR:-}$libdir/$link"
put 644 "$BUILT/libsetrograde.a" "$libdir/libsetrograde.a"
for header in setrograde.h setrograde_load.h; do
    put 644 "include/$header" "$prefix/include/$header"
done
for licence in LICENSE-APACHE LICENSE-MIT; do
    put 644 "$licence" "$prefix/share/doc/libsetrograde/$licence"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/setrograde.pc" <<END
prefix=$prefix
libdir=$libdir
includedir=\${prefix}/include

Name: setrograde
Description: Endgame databases for double-dummy bridge
Version: $version
Libs: -L\${libdir} -lsetrograde
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
END
put 644 "$work/setrograde.pc" "$libdir/pkgconfig/setrograde.pc"
cat >"$work/setrograde-config.cmake" <<END
# find_package(setrograde) defines the targets setrograde::setrograde (shared) and
# setrograde::static.
if(NOT TARGET setrograde::setrograde)
  find_package(Threads REQUIRED)
  add_library(setrograde::setrograde SHARED IMPORTED)
  set_target_properties(setrograde::setrograde PROPERTIES
    IMPORTED_LOCATION "$libdir/$library"
    INTERFACE_INCLUDE_DIRECTORIES "$prefix/include")
  add_library(setrograde::static STATIC IMPORTED)
  set_target_properties(setrograde::static PROPERTIES
    IMPORTED_LOCATION "$libdir/libsetrograde.a"
    INTERFACE_INCLUDE_DIRECTORIES "$prefix/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;\${CMAKE_DL_LIBS};m")
endif()
END
cat >"$work/setrograde-config-version.cmake" <<END
set(PACKAGE_VERSION $version)
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
END
for file in setrograde-config.cmake setrograde-config-version.cmake; do
    put 644 "$work/$file" "$libdir/cmake/setrograde/$file"
done
echo "installed in ${DESTDIR:-}$libdir; programs find it there if ldconfig or -Wl,-rpath says so"
