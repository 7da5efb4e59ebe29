#!/usr/bin/env python3
"""Builds DDS 2.9 and DDS 3 as shared libraries, without and with a hook for libsetrograde.

    lab/comparisons/hooked/build.py OUT

The sources are those of the crates ddss-sys and dds-bridge-sys, which `cargo fetch` brings. The
hooks are dds2.txt and dds3.txt: lines to insert, each block after the first line that begins with
the text of `after` (if there is one), before the next line that begins with the text of `before`.
OUT gets libdds2.so, libdds2-hooked.so, libdds3.so and libdds3-hooked.so. Needs a C++ compiler.
"""
import json, os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
OPTIONS = ['-O3', '-flto', '-fPIC', '-w', '-DDDS_THREADS_STL', '-DDDS_NO_DUMP_ON_ERROR']
SOLVERS = {
    'dds2': ('ddss-sys', 'vendor/src', ['vendor/include', 'vendor/src'], ['-std=c++17']),
    'dds3': ('dds-bridge-sys', 'vendor/library/src', ['vendor/library/src'],
             ['-std=c++20', '-include', 'sstream', '-include', 'iomanip']),
}


def crates():
    """Returns the folder of each crate that the comparisons need."""
    asked = ['cargo', 'metadata', '--format-version', '1', '--locked', '--manifest-path',
             str(HERE.parent / 'Cargo.toml')]
    found = json.loads(subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout)
    return {crate['name']: Path(crate['manifest_path']).parent for crate in found['packages']}


def hooked(text, hook):
    """Returns a source with the blocks of a hook inserted."""
    lines, inserted, at, block = text.split('\n'), 0, 0, None

    def find(start, what):
        for number in range(start, len(lines)):
            if lines[number].startswith(what):
                return number
        sys.exit(f'the source has no line that begins with {what!r} from line {start + 1} on')

    for line in hook.split('\n'):
        word, _, rest = line.partition(' ')
        if word == 'file' or line.startswith('# '):
            continue
        if word == 'after':
            at, block = find(0, rest), None
        elif word == 'before':
            at = block = find(at, rest)
            inserted += 1
        elif block is not None:
            lines.insert(block, line)
            block += 1
    return '\n'.join(lines)


def build(name, folders, out):
    crate, sources, includes, options = SOLVERS[name]
    folder = folders[crate]
    hook = (HERE / f'{name}.txt').read_text()
    changed = next(line.split()[1] for line in hook.split('\n') if line.startswith('file '))
    work = out / name
    work.mkdir(parents=True, exist_ok=True)
    files = sorted((folder / sources).rglob('*.cpp'))
    base = ['c++', *OPTIONS, *options] + [f'-I{folder / include}' for include in includes]

    def compiled(file):
        # Two folders may have files of one name.
        name = os.path.relpath(file, folder / sources).replace('..', 'up').replace('/', '-')
        target = work / f'{name.removesuffix(".cpp")}.o'
        if not target.exists():
            subprocess.run([*base, f'-I{file.parent}', f'-I{ROOT / "crates/probe/include"}', f'-I{HERE}', '-c',
                            str(file), '-o', str(target)], check=True)
        return str(target)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, files))
    (original,) = [file for file in files if file.name == changed]
    new = work / f'hooked-{changed}'
    new.write_text(hooked(original.read_text(), hook))
    command = [*base, f'-I{original.parent}', f'-I{ROOT / "crates/probe/include"}', f'-I{HERE}', '-c',
               str(new), '-o', str(work / 'hooked.o')]
    subprocess.run(command, check=True)
    for tag, parts in [('', objects), ('-hooked', [
            str(work / 'hooked.o') if Path(part).stem == original.stem else part
            for part in objects])]:
        subprocess.run(['c++', *OPTIONS, '-shared', *parts, '-o', str(out / f'lib{name}{tag}.so'),
                        '-pthread', '-ldl'], check=True)
        print(out / f'lib{name}{tag}.so')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = Path(sys.argv[1]).resolve()
    folders = crates()
    for name in SOLVERS:
        build(name, folders, out)


main()
