#!/usr/bin/env bash
# Builds libsetrograde and installs it: the shared and the static library, its two headers,
# setrograde.pc for pkg-config and a package for CMake. LIBRARY=ask does the same for
# libsetrograde_ask, which has all questions of the command, and a header.
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
case ${LIBRARY:-} in
'') name=setrograde crate=setrograde-probe headers="setrograde.h setrograde_load.h"
    about="Endgame databases for double-dummy bridge" ;;
ask) name=setrograde_ask crate=setrograde-ask headers=setrograde_ask.h
    about="Questions about bridge deals, also with hidden cards" ;;
*) echo "LIBRARY: expected nothing or ask, found $LIBRARY" >&2; exit 2 ;;
esac
if [ -z "${BUILT:-}" ]; then
    cargo build --profile c-library --locked -p $crate
    BUILT=${CARGO_TARGET_DIR:-target}/c-library
fi
put() { mkdir -p "$(dirname "${DESTDIR:-}$3")" && install -m "$1" "$2" "${DESTDIR:-}$3"; }

# The name that programs load, and the name that linkers use.
import=
if [ -e "$BUILT/$name.dll" ]; then
    library=../bin/$name.dll
    put 755 "$BUILT/$name.dll" "$prefix/bin/$name.dll"
    put 644 "$BUILT/lib$name.dll.a" "$libdir/lib$name.dll.a"
    import="
    IMPORTED_IMPLIB \"$libdir/lib$name.dll.a\""
else
    library=lib$name.so.1 link=lib$name.so
    [ ! -e "$BUILT/lib$name.dylib" ] || library=lib$name.1.dylib link=lib$name.dylib
    put 755 "$BUILT/$link" "$libdir/$library"
    ln -sf "$library" "${DESTDIR:-}$libdir/$link"
fi
put 644 "$BUILT/lib$name.a" "$libdir/lib$name.a"
for header in $headers; do
    put 644 "crates/${crate#setrograde-}/include/$header" "$prefix/include/$header"
done
for licence in LICENSE-APACHE LICENSE-MIT; do
    put 644 "$licence" "$prefix/share/doc/lib$name/$licence"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/$name.pc" <<END
prefix=$prefix
libdir=$libdir
includedir=\${prefix}/include

Name: $name
Description: $about
Version: $version
Libs: -L\${libdir} -l$name
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
END
put 644 "$work/$name.pc" "$libdir/pkgconfig/$name.pc"
cat >"$work/$name-config.cmake" <<END
# find_package($name) defines the targets $name::$name (shared) and $name::static.
if(NOT TARGET $name::$name)
  find_package(Threads REQUIRED)
  add_library($name::$name SHARED IMPORTED)
  set_target_properties($name::$name PROPERTIES
    IMPORTED_LOCATION "$libdir/$library"$import
    INTERFACE_INCLUDE_DIRECTORIES "$prefix/include")
  add_library($name::static STATIC IMPORTED)
  set_target_properties($name::static PROPERTIES
    IMPORTED_LOCATION "$libdir/lib$name.a"
    INTERFACE_INCLUDE_DIRECTORIES "$prefix/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;\${CMAKE_DL_LIBS};m")
endif()
END
cat >"$work/$name-config-version.cmake" <<END
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
for file in $name-config.cmake $name-config-version.cmake; do
    put 644 "$work/$file" "$libdir/cmake/$name/$file"
done
echo "installed in ${DESTDIR:-}$libdir; programs find it there if ldconfig or -Wl,-rpath says so"
