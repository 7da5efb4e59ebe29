#!/usr/bin/env bash
# Makes the files of a release, as far as this machine can, from a clean checkout.
#
#   scripts/release.sh VERSION OUT
#
#   setrograde-VERSION-TARGET.tar.gz or .zip   the command, the server, the checker of certificates, the
#                                              C libraries, 16 cards, manuals
#   setrograde-VERSION-*.whl                   the Python package, with libdds and 16 cards
#   setrograde-VERSION.tgz                     the engine for Node and browsers
#   level-NN.sdb, manifest                     compressed levels, for db unpack
#   setrograde_VERSION_amd64.deb               for Debian and Ubuntu
#   setrograde.rb, setrograde.json, *.yaml     for Homebrew, Scoop and winget
#   Containerfile                              an image of the server
#   setrograde.cdx.json                        all packages inside, in CycloneDX
#   SHA256SUMS                                 the checksums of all
#
# TARGETS names the targets instead of those below; PARTS the parts (archives wheel npm deb
# levels texts); LEVELS a database of 16 cards, which is
# built otherwise; DB one whose levels of more cards go with it; PROFILE=dev tries
# this script with programs that compile sooner. cargo-zigbuild and
# ziglang, both on PyPI, link for glibc 2.17, for other processors and for macOS. No file is written that
# does not fit its name: auditwheel must agree with the tag of a wheel, lintian with the Debian package, whose
# dependencies come from its symbols. What cannot be made
# is said at the end, and makes this exit with 1. Two runs give the same bytes: times are
# those of the last commit, and the paths of this machine are left out.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
[ $# = 2 ] || { echo "usage: scripts/release.sh VERSION OUT" >&2; exit 2; }
version=$1
mkdir -p "$2" && out=$(cd "$2" && pwd)
[ "$version" = "$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)" ] ||
    { echo "Cargo.toml has another version than $version" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || echo "warning: the checkout has changes" >&2

export CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never TZ=UTC LC_ALL=C
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
profile=${PROFILE:-dist} folder=${PROFILE:-dist}
# libsetrograde and libsetrograde_ask, which are to be small, have their own profile.
library_profile=c-library library_folder=c-library
if [ "$profile" = dev ]; then
    folder=debug library_profile=dev library_folder=debug
else
    # Programs must not contain the paths of this machine.
    export RUSTFLAGS="--remap-path-prefix=$root=setrograde --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
fi
build=${BUILD:-$root/target/release-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missing=()
miss() { missing+=("$*"); echo "missing: $*" >&2; }
zig() { command -v cargo-zigbuild >/dev/null; }
parts=${PARTS:-archives wheel npm deb levels texts}
part() { case " $parts " in *" $1 "*) ;; *) return 1 ;; esac; }

# The first target is this machine's own: its command makes manuals and the database.
if [ -z "${TARGETS:-}" ]; then
    if zig; then
        TARGETS="x86_64-unknown-linux-gnu x86_64-pc-windows-gnu aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-apple-darwin"
    else
        TARGETS="x86_64-unknown-linux-gnu x86_64-pc-windows-gnu"
    fi
fi
read -ra targets <<<"$TARGETS"
# Without zig programs for this machine's own system need its libraries, and no target.
host=$(rustc -vV | sed -n 's/^host: //p')
is_plain() { [ "$1" = "$host" ] && ! zig; }
# The build directory of a target: FOLDER names another profile's.
built() { if is_plain "$1"; then echo "$build/${2:-$folder}"; else echo "$build/$1/${2:-$folder}"; fi; }
own=$(built "${targets[0]}")/setrograde

# The page goes into the programs if it was built: node page/build.mjs.
features=()
if [ -e page/setrograde.html ]; then features=(--features setrograde-cli/page,setrograde-serve/page)
else miss "the page inside the command (docs/page.md#build)"; fi

# Compiles for a target, with a profile and the remaining arguments of cargo.
compile() {
    local target=$1 where=$1 profile=$2 tool=build
    shift 2
    if is_plain "$target"; then
        cargo build --profile "$profile" --locked --target-dir "$build" "$@"
        return
    fi
    rustup target list --installed | grep -qx "$target" || { echo "rustup target add $target" >&2; return 1; }
    case $target in
    *-linux-gnu) zig && tool=zigbuild where=$target.2.17 ;;
    *-windows-gnu) command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "no mingw-w64" >&2; return 1; } ;;
    *-apple-darwin) zig && tool=zigbuild || { echo "no cargo-zigbuild" >&2; return 1; } ;;
    *) zig && tool=zigbuild ;;
    esac
    cargo $tool --profile "$profile" --locked --target "$where" --target-dir "$build" "$@"
}

# Makes an import library for MSVC beside a DLL and its definition file.
import_library() {
    {
        echo "LIBRARY $2.dll"
        echo EXPORTS
        x86_64-w64-mingw32-objdump -p "$1/$2.dll" | awk '/^\[Ordinal\/Name Pointer\] Table/ { on = 1; next }
            on && NF == 0 { exit } on { print "    " $NF }'
    } >"$1/$2.def"
    x86_64-w64-mingw32-dlltool -m i386:x86-64 -d "$1/$2.def" -l "$1/$2.lib"
}

# Packs a directory: the same bytes from the same files.
pack() {
    local directory=$1 file=$2 parent name
    parent=$(dirname "$directory") name=$(basename "$directory")
    find "$directory" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    rm -f "$file"
    case $file in
    *.zip) (cd "$parent" && find "$name" -type f | sort | zip -X -9 -q "$file" -@) ;;
    *) tar --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -C "$parent" -cf - "$name" |
        gzip -n -9 >"$file" ;;
    esac
    echo "$file: $(wc -c <"$file") bytes"
}

# The README of an archive, which lists exactly its contents.
readme() {
    local target=$1 tree=$2 program=$3 files="" path about
    while IFS='|' read -r path about; do
        [ -e "$tree/$path" ] && files+="| \`$path\` | $about |"$'\n'
    done <<'END'
bin/setrograde|the command; `bin/setrograde help` explains it
setrograde.exe|the command; `setrograde.exe help` explains it
bin/setrograde-serve|the server, for programs in any language: `share/doc/setrograde/serve.md`
setrograde-serve.exe|the server, for programs in any language: `share/doc/setrograde/serve.md`
bin/setrograde-check|the checker of certificates: `share/doc/setrograde/certificate.md`
setrograde-check.exe|the checker of certificates: `share/doc/setrograde/certificate.md`
share/setrograde|the endings of 4 to 16 cards
samples|files of boards to try the command with
lib|libdds, for programs that use DDS: `share/doc/setrograde/libdds.md`; libsetrograde and libsetrograde_ask, for solvers and programs in C: `share/doc/setrograde/probe.md`
lib32|libdds for 32-bit programs
include|the headers of all three
share/man/man1|manuals, as for `man -l share/man/man1/setrograde.1`
share/completions|completions for bash, zsh, fish, PowerShell and elvish
share/doc/setrograde|documents, and the licences of all that is inside
END
    awk -v version="$version" -v program="$program" -v files="${files%$'\n'}" '
        $0 == "FILES" { print files; next }
        { gsub("VERSION", version); gsub("PROGRAM", program); print }' .ci/archive.md >"$tree/README.md"
    case $target in
    *-windows-*)
        # Notepad opens a text file, and old ones read CRLF alone.
        cat - <<'END' >>"$tree/README.md"

In this folder these read the samples, in PowerShell and in `cmd`:

    .\setrograde.exe table samples\evening.pbn --board 1
    .\setrograde.exe analyse samples\match.lin --board 2
    .\setrograde.exe lesson samples\evening.pbn --board 1

To start the command from any folder, add this folder to PATH: Settings, *Edit environment variables for
your account*, Path, New. PowerShell completes its words after `. share\completions\setrograde.ps1`.

The programs are not signed. If SmartScreen holds one back, compare the checksum of the archive with
SHA256SUMS (`certutil -hashfile ARCHIVE.zip SHA256`), then choose *More info*, *Run anyway*.
END
        sed 's/$/\r/' "$tree/README.md" >"$tree/README.txt" && rm "$tree/README.md" ;;
    *-apple-*) cat >>"$tree/README.md" <<'END' ;;

These programs were never run: they were linked for macOS on Linux. `scripts/try_release.sh` of the
sources, given the folder with this archive, tries them on a Mac; please send its output.
END
    esac
}

# The 32-bit library for Windows, with its import libraries for MSVC and for mingw.
library32() {
    local tree=$1 target=i686-pc-windows-gnu
    if ! command -v i686-w64-mingw32-gcc >/dev/null || ! rustup target list --installed | grep -qx $target; then
        miss "the 32-bit dds.dll: no mingw-w64 for i686, or rustup target add $target"
        return
    fi
    cargo build --profile "$profile" --locked --target $target --target-dir "$build" -p setrograde-dds || { miss "the 32-bit dds.dll"; return; }
    mkdir -p "$tree"
    cp "$(built $target)/dds.dll" "$(built $target)/libdds.dll.a" crates/dds/dds32.def "$tree"
    i686-w64-mingw32-dlltool -m i386 -d crates/dds/dds32.def -l "$tree/dds.lib" || miss "the 32-bit dds.lib"
}

archive() {
    local target=$1 name=setrograde-$version-$1 tree built libraries library shell
    tree=$work/$name built=$(built "$target") libraries=$(built "$target" $library_folder)
    # In one call, so shared dependencies are compiled once.
    compile "$target" "$profile" -p setrograde-cli -p setrograde-serve -p setrograde-check -p setrograde-dds \
        ${features[@]+"${features[@]}"} || { miss "$target"; return; }
    # Separately: they share dependencies, and one needs fewer of their features.
    compile "$target" $library_profile -p setrograde-probe && compile "$target" $library_profile -p setrograde-ask ||
        { miss "libsetrograde for $target"; return; }
    if [ ! -d "$work/db" ]; then
        if [ -n "${LEVELS:-}" ]; then cp -r "$LEVELS" "$work/db"
        else "$own" --quiet build --cards 16 --db "$work/db" >/dev/null; fi || { miss "16 cards"; return; }
        mkdir "$work/man" && "$own" generate man --directory "$work/man" || miss "man pages"
        "$own-serve" --generate man >"$work/man/setrograde-serve.1" || miss "the man page of the server"
        .ci/licences.py setrograde-cli setrograde-serve setrograde-check setrograde-dds setrograde-probe setrograde-ask >"$work/licences" || miss "licences of dependencies"
    fi
    mkdir -p "$tree"/share/{setrograde,doc/setrograde}
    cp "$work"/db/level-*.map "$work/db/manifest" "$tree/share/setrograde"
    cp LICENSE-* CHANGELOG.md SECURITY.md docs/certificate.md docs/libdds.md docs/probe.md docs/serve.md "$tree/share/doc/setrograde"
    cp "$work/licences" "$tree/share/doc/setrograde/LICENSES-of-dependencies"
    mkdir -p "$tree/share/completions"
    for shell in bash zsh fish powershell elvish; do
        "$own" generate $shell >"$tree/share/completions/setrograde.${shell/powershell/ps1}"
        "$own-serve" --generate $shell >"$tree/share/completions/setrograde-serve.${shell/powershell/ps1}"
    done
    case $target in
    *-windows-*)
        mkdir -p "$tree/lib" "$tree/include"
        cp "$built"/setrograde{,-serve,-check}.exe "$tree"
        cp "$built/dds.dll" "$built/libdds.dll.a" crates/dds/dds.def "$tree/lib"
        x86_64-w64-mingw32-dlltool -m i386:x86-64 -d crates/dds/dds.def -l "$tree/lib/dds.lib" || miss "dds.lib"
        library32 "$tree/lib32"
        for library in setrograde setrograde_ask; do
            cp "$libraries/$library.dll" "$libraries/lib$library.dll.a" "$tree/lib"
            import_library "$tree/lib" $library || miss "$library.lib"
        done
        mkdir "$tree/samples" && cp data/samples/evening.pbn data/samples/match.lin "$tree/samples"
        cp -r crates/{dds,probe,ask}/include/* "$tree/include"
        readme "$target" "$tree" '.\\setrograde.exe'
        pack "$tree" "$out/$name.zip" ;;
    *)
        mkdir -p "$tree/bin" "$tree/share/man/man1"
        cp "$work"/man/*.1 "$tree/share/man/man1"
        cp "$built"/setrograde{,-serve,-check} "$tree/bin"
        export PREFIX=/usr DESTDIR=$work/$target
        BUILT=$built scripts/install_libdds.sh >/dev/null || miss "libdds for $target"
        BUILT=$libraries scripts/install_libsetrograde.sh >/dev/null || miss "libsetrograde for $target"
        LIBRARY=ask BUILT=$libraries scripts/install_libsetrograde.sh >/dev/null || miss "libsetrograde_ask for $target"
        export -n PREFIX DESTDIR
        cp -r "$work/$target/usr/." "$tree"
        # Static libraries are as large as everything else together; users who need them build them.
        rm -f "$tree"/lib/*.a
        # pkg-config and CMake know where they have found the file.
        sed -i "s|^prefix=.*|prefix=\${pcfiledir}/../..|; s|^libdir=.*|libdir=\${prefix}/lib|" "$tree"/lib/pkgconfig/*.pc
        sed -i '/add_library(.*::static/,/INTERFACE_LINK/d; s| (shared) and .*::static||; s|"/usr/lib/|"${CMAKE_CURRENT_LIST_DIR}/../../|
            s|"/usr/include"|"${CMAKE_CURRENT_LIST_DIR}/../../../include"|' "$tree"/lib/cmake/*/*-config.cmake
        readme "$target" "$tree" 'bin/setrograde'
        pack "$tree" "$out/$name.tar.gz" ;;
    esac
}

wheel() {
    local target=$1 library=libdds.so libdds
    case $target in *-windows-*) library=dds.dll ;; *-apple-*) library=libdds.dylib ;; esac
    libdds=$(built "$target")/$library
    # One that was linked without zig needs this machine's C library; the script links its own.
    case $target in *-linux-*) zig || libdds="" ;; esac
    # The tests of the wheel, and of its tag, are those of the script.
    TARGET=$target LIBDDS=$libdds LEVELS=$work/db scripts/wheel.sh &&
        cp target/wheels/setrograde-*.whl "$out" || miss "the wheel for $target"
}

npm_package() {
    .ci/licences.py --target wasm32-unknown-unknown setrograde-page >"$work/licences-of-page" ||
        miss "licences of dependencies of the npm package"
    LICENCES=$work/licences-of-page LEVELS=$work/db CARGO_TARGET_DIR=$build node page/npm/build.mjs "$out" || miss "the npm package"
}

# Makes a Debian package of the archive with this machine's tools: the same files below /usr. What
# it depends on
# comes from the symbols that its files need.
debian() {
    local target=x86_64-unknown-linux-gnu tree=$work/deb size file depends doc name
    file=$out/setrograde_${version}_amd64.deb doc=$tree/usr/share/doc/setrograde
    command -v dpkg-deb >/dev/null || { miss "the Debian package: no dpkg-deb"; return; }
    command -v dpkg-shlibdeps >/dev/null || { miss "the Debian package: no dpkg-shlibdeps, of dpkg-dev"; return; }
    mkdir -p "$tree/DEBIAN" "$tree/usr" "$work/shlibs/debian"
    cp -r "$work/setrograde-$version-$target/." "$tree/usr"
    rm "$tree/usr/README.md"
    mkdir -p "$tree"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
    for name in setrograde setrograde-serve; do
        mv "$tree/usr/share/completions/$name.bash" "$tree/usr/share/bash-completion/completions/$name"
        mv "$tree/usr/share/completions/$name.zsh" "$tree/usr/share/zsh/vendor-completions/_$name"
        mv "$tree/usr/share/completions/$name.fish" "$tree/usr/share/fish/vendor_completions.d"
    done
    rm -r "$tree/usr/share/completions" "$tree"/usr/share/doc/lib*
    gzip -n -9 "$tree"/usr/share/man/man1/*.1
    chmod 644 "$tree"/usr/lib/lib*.so.?
    {
        echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
        echo 'Upstream-Name: setrograde'
        printf '\nFiles: *\nCopyright: (c) The setrograde authors\nLicense: MIT or Apache-2.0\n'
        echo ' The texts are LICENSE-MIT and, on Debian, /usr/share/common-licenses/Apache-2.0;'
        echo ' LICENSES-of-dependencies has those of the crates inside.'
    } >"$doc/copyright"
    rm "$doc/LICENSE-APACHE"
    gzip -n -9 <CHANGELOG.md >"$doc/changelog.gz"
    rm "$doc/CHANGELOG.md"
    gzip -n -9 "$doc/LICENSES-of-dependencies"
    echo 'activate-noawait ldconfig' >"$tree/DEBIAN/triggers"
    for name in 'libdds 0' 'libsetrograde 1' 'libsetrograde_ask 1'; do
        echo "$name setrograde (>= $version)"
    done >"$tree/DEBIAN/shlibs"
    printf 'Source: setrograde\n\nPackage: setrograde\nArchitecture: amd64\n' >"$work/shlibs/debian/control"
    depends=$(cd "$work/shlibs" && dpkg-shlibdeps -O "$tree"/usr/bin/* "$tree"/usr/lib/lib*.so.? 2>"$work/shlibdeps") &&
        depends=${depends#shlibs:Depends=} && [ -n "$depends" ] ||
        { cat "$work/shlibdeps" >&2; miss "the Debian package: what it depends on is not known"; return; }
    size=$(du -sk --apparent-size "$tree/usr" | cut -f 1)
    cat >"$tree/DEBIAN/control" <<END
Package: setrograde
Version: $version
Architecture: amd64
Maintainer: The setrograde authors <maintainers@setrograde.invalid>
Installed-Size: $size
Depends: $depends
Conflicts: libdds0, libdds-dev
Replaces: libdds0, libdds-dev
Provides: libdds0, libdds-dev
Section: math
Priority: optional
Description: endgame databases for double-dummy bridge, and a fast solver
 The command setrograde solves deals of bridge with all cards known, judges
 claims and counts chances. With it come a server for other programs, libdds
 with the interface of DDS, C libraries that look up endings and answer all
 questions of the command, and all endings of 16 cards.
END
    (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    find "$tree" -type d -exec chmod 755 {} + -o -type f ! -perm -u+x -exec chmod 644 {} +
    find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group --build "$tree" "$file" >/dev/null || { miss "the Debian package"; return; }
    if ! command -v lintian >/dev/null; then miss "lintian, which judges the Debian package"
    elif ! lintian --fail-on error "$file" >"$work/lintian"; then
        cat "$work/lintian" >&2
        rm "$file"
        miss "the Debian package: lintian finds errors"
    fi
}

levels() {
    local level
    cp "$work/db/manifest" "$work"/db/level-*.sdb "$out"
    [ -n "${DB:-}" ] || return
    cp "$DB/manifest" "$out"
    for level in "$DB"/level-*.sdb; do
        # Forges take files below 2 GiB.
        if [ "$(wc -c <"$level")" -lt 2147483648 ]; then cp "$level" "$out"
        else split -b 1900M -d -a 3 --numeric-suffixes=1 "$level" "$out/$(basename "$level")."; fi
    done
}

sum() { sha256sum "$out/$1" 2>/dev/null | cut -d ' ' -f 1; }

texts() {
    local linux=setrograde-$version-x86_64-unknown-linux-gnu.tar.gz windows=setrograde-$version-x86_64-pc-windows-gnu.zip
    if [ -z "$(sum "$linux")" ]; then miss "setrograde.rb: no $linux"
    else cat >"$out/setrograde.rb" <<END
class Setrograde < Formula
  desc "Endgame databases for double-dummy bridge, and a fast double-dummy solver"
  version "$version"
  license any_of: ["MIT", "Apache-2.0"]
  url "ADDRESS/$linux"
  sha256 "$(sum "$linux")"

  def install
    prefix.install Dir["*"]
  end

  test do
    assert_match "16 cards", shell_output("#{bin}/setrograde db stats")
  end
end
END
    fi
    if [ -z "$(sum "$windows")" ]; then miss "setrograde.json, setrograde.yaml: no $windows"; return; fi
    cat >"$out/setrograde.json" <<END
{
  "version": "$version",
  "description": "Endgame databases for double-dummy bridge, and a fast double-dummy solver",
  "license": "MIT OR Apache-2.0",
  "architecture": {
    "64bit": { "url": "ADDRESS/$windows", "hash": "$(sum "$windows")", "extract_dir": "setrograde-$version-x86_64-pc-windows-gnu" }
  },
  "bin": "setrograde.exe"
}
END
    cat >"$out/setrograde.yaml" <<END
PackageIdentifier: setrograde.setrograde
PackageVersion: $version
PackageLocale: en-US
Publisher: The setrograde authors
PackageName: setrograde
License: MIT OR Apache-2.0
ShortDescription: Endgame databases for double-dummy bridge, and a fast double-dummy solver
InstallerType: zip
NestedInstallerType: portable
NestedInstallerFiles:
- RelativeFilePath: setrograde-$version-x86_64-pc-windows-gnu\\setrograde.exe
  PortableCommandAlias: setrograde
Installers:
- Architecture: x64
  InstallerUrl: ADDRESS/$windows
  InstallerSha256: $(sum "$windows" | tr a-f A-F)
ManifestType: singleton
ManifestVersion: 1.6.0
END
    echo "setrograde.rb, setrograde.json, setrograde.yaml: replace ADDRESS by the URL of the release"
}

# A list of all packages inside the programs and libdds, as CycloneDX has it.
packages() {
    cargo metadata --locked --format-version 1 --filter-platform x86_64-unknown-linux-gnu |
        python3 -c '
import json, sys
found = json.load(sys.stdin)
nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
names = {package["id"]: package for package in found["packages"]}
inside = [package["id"] for package in found["packages"] if package["name"] in
    ("setrograde-cli", "setrograde-serve", "setrograde-check", "setrograde-dds", "setrograde-probe", "setrograde-ask")]
for one in inside:
    for needed in nodes[one]["deps"]:
        normal = any(kind["kind"] is None for kind in needed["dep_kinds"])
        if normal and needed["pkg"] not in inside:
            inside.append(needed["pkg"])
def purl(package):
    return "pkg:cargo/%(name)s@%(version)s" % package
components, dependencies = [], []
for one in sorted(inside, key=lambda one: purl(names[one])):
    package = names[one]
    components.append({
        "type": "library", "bom-ref": purl(package), "name": package["name"], "version": package["version"],
        "purl": purl(package), "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    })
    needs = {purl(names[dep["pkg"]]) for dep in nodes[one]["deps"] if dep["pkg"] in inside}
    dependencies.append({"ref": purl(package), "dependsOn": sorted(needs)})
json.dump({
    "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
    "components": components, "dependencies": dependencies,
}, sys.stdout, indent=1)
' >"$out/setrograde.cdx.json" || miss "the list of packages"
}

if part archives || part wheel || part npm || part deb || part levels; then
    for target in "${targets[@]}"; do archive "$target"; done
fi
if part wheel; then
    for target in "${targets[@]}"; do wheel "$target"; done
fi
if part npm; then npm_package; fi
if part deb; then debian; fi
if part levels; then levels; fi
if part texts; then
    texts
    packages
    cp crates/serve/Containerfile "$out"
fi
(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
cat "$out/SHA256SUMS"
for what in "${missing[@]}"; do echo "missing: $what"; done
[ ${#missing[@]} = 0 ]
