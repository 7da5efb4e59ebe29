//! C and C++ programs that use the shared library, and the library's symbols and name.
//!
//! Tests that need a compiler, `nm` or `readelf` are skipped with a message if it is missing.

#![cfg(target_os = "linux")]

mod library;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use library::{assert_exports, assert_name, compile, link_to, tool};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
/// The directory of the mapped levels inside the programs.
const MAPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../lookup/data");
const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");

/// The functions of the header.
const NAMES: [&str; 9] = [
    "sg_abi",
    "sg_cards",
    "sg_close",
    "sg_decide",
    "sg_decide52",
    "sg_matter",
    "sg_open",
    "sg_open_memory",
    "sg_values",
];

/// Builds the library as a user does, once, and returns its directory. Cargo does not build it for
/// the tests, because a Rust library of its name is the facade.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test = std::env::current_exe().expect("the path of this program");
        let folder = test.ancestors().nth(2).expect("target/debug");
        let mut command = Command::new(env!("CARGO"));
        let arguments = "build --locked -p setrograde-probe --lib --target-dir";
        command.args(arguments.split(' '));
        command.arg(folder.parent().expect("target"));
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        if folder.ends_with("release") {
            command.arg("--release");
        }
        let output = command.output().expect("Cargo runs this test");
        let problem = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{problem}");
        link_to(folder, "libsetrograde.so", "libsetrograde.so.1");
        folder.to_owned()
    })
}

fn source(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/c", "../../docs"].map(|folder| here.join(folder).join(name));
    folders
        .into_iter()
        .find(|path| path.exists())
        .expect("a source")
}

/// Compiles a program; `None` if there is no such compiler.
fn program(compiler: &str, options: &[&str], name: &str, folder: &Path) -> Option<PathBuf> {
    let program = folder.join(name).with_extension("");
    let language = if compiler.ends_with("++") { "c++" } else { "c" };
    let mut command = Command::new(compiler);
    command.args(options);
    command.args(["-O1", "-I", INCLUDE, "-x", language]);
    command.arg(source(name)).args(["-x", "none", "-o"]);
    compile(command.arg(&program))?;
    Some(program)
}

/// Compiles a C program that is linked with the library.
fn linked(standard: &str, options: &[&str], name: &str, folder: &Path) -> Option<PathBuf> {
    let built = built().to_str().expect("a path of text");
    let mut all = vec![standard, "-Wall", "-Wextra", "-Werror"];
    all.extend(options);
    all.extend(["-Xlinker", "--no-as-needed", "-L", built, "-lsetrograde"]);
    program("cc", &all, name, folder)
}

/// Runs a compiled program, which finds the library by its name.
fn run(program: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
    let mut command = Command::new(program);
    command.args(arguments).env("LD_LIBRARY_PATH", built());
    command
        .env_remove("SETROGRADE_DB")
        .envs(variables.iter().copied());
    let output = command.output().expect("it was compiled");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn the_program_of_the_documentation_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = linked("-std=c99", &[], "probe.c", folder.path()) else {
        return;
    };
    let (status, text) = run(&program, &[], &[("SETROGRADE_DB", GOLDEN)]);
    assert_eq!(
        (status, text.as_str()),
        (0, "two tricks: yes, by the top 3 spades\n")
    );
    let (status, text) = run(&program, &[], &[("SETROGRADE_DB", "/nonexistent")]);
    assert_eq!(status, 1);
    assert!(text.starts_with("/nonexistent: no database here"), "{text}");
}

#[test]
fn threads_share_a_database() {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(program) = linked("-std=c11", &["-pthread"], "threads.c", folder.path()) {
        assert_eq!(
            run(&program, &[GOLDEN], &[]),
            (0, "0 wrong, abi 1\n".to_owned())
        );
    }
}

/// `damaged /path/to/db 10000000 100000 level-04.map level-08.map` takes five seconds of processor
/// time.
#[test]
fn damaged_positions_and_maps_get_a_code_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = linked("-std=c99", &["-pedantic"], "damaged.c", folder.path()) else {
        return;
    };
    let mut command = Command::new(program);
    command.args([GOLDEN, "100000", "1000"]);
    command.args(["04", "08", "12"].map(|cards| format!("{MAPS}/level-{cards}.map")));
    let output = command
        .env("LD_LIBRARY_PATH", built())
        .output()
        .expect("it was compiled");
    assert!(output.status.success(), "{output:?}");
    assert!(
        output.stdout.is_empty() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn headers_compile_in_every_language_and_load_the_library() {
    let library = built().join("libsetrograde.so");
    let library = library.to_str().expect("a path of text");
    let folder = tempfile::tempdir().expect("a folder");
    let warnings = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-ldl"];
    for (compilers, standards) in [
        (["gcc", "clang"], ["-std=c99", "-std=c11"]),
        (["g++", "clang++"], ["-std=c++11", "-std=c++20"]),
    ] {
        for compiler in compilers {
            for standard in standards {
                let mut options = vec![standard];
                options.extend(warnings);
                let Some(program) = program(compiler, &options, "load.c", folder.path()) else {
                    continue;
                };
                let there = run(&program, &[library, GOLDEN], &[]);
                assert_eq!(
                    there,
                    (0, "1 8  1 1 1 1\n".to_owned()),
                    "{compiler} {standard}"
                );
                let absent = run(&program, &["/nonexistent.so", GOLDEN], &[]);
                let text = "0 0 libsetrograde is not installed -1 -1 0 -1\n";
                assert_eq!(absent, (0, text.to_owned()), "{compiler} {standard}");
            }
        }
    }
}

#[test]
fn the_library_exports_the_functions_of_the_header_under_its_name() {
    let library = built().join("libsetrograde.so");
    assert_exports(&library, &NAMES);
    assert_name(&library, "libsetrograde.so.1");
    let header = std::fs::read_to_string(format!("{INCLUDE}/setrograde.h")).expect("the header");
    for name in NAMES {
        assert!(header.contains(&format!("{name}(")), "{name}");
    }
}

/// Installs the library below a directory.
fn install(prefix: &Path) -> Option<()> {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scripts/install_libsetrograde.sh"
    );
    let mut command = Command::new("bash");
    command
        .arg(script)
        .env("PREFIX", prefix)
        .env("BUILT", built());
    let output = tool(&mut command)?;
    assert!(output.status.success(), "{output:?}");
    Some(())
}

#[test]
fn an_installed_library_is_found_by_pkg_config_and_by_cmake() {
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = folder.path().join("usr");
    if install(&prefix).is_none() {
        return;
    }
    let lib = prefix.join("lib");
    let variables = [
        ("SETROGRADE_DB", GOLDEN),
        ("LD_LIBRARY_PATH", lib.to_str().expect("a path of text")),
    ];
    let answer = (0, "two tricks: yes, by the top 3 spades\n".to_owned());

    let mut command = Command::new("pkg-config");
    command.args(["--cflags", "--libs", "setrograde"]);
    command.env("PKG_CONFIG_PATH", lib.join("pkgconfig"));
    if let Some(output) = tool(&mut command) {
        assert!(output.status.success(), "{output:?}");
        let options = String::from_utf8(output.stdout).expect("text");
        let program = folder.path().join("by-pkg-config");
        let mut command = Command::new("cc");
        command.arg(source("probe.c")).arg("-o").arg(&program);
        command.args(options.split_whitespace());
        if compile(&mut command).is_some() {
            assert_eq!(run(&program, &[], &variables), answer);
        }
    }

    let project = folder.path().join("project");
    std::fs::create_dir(&project).expect("a folder");
    let text = format!(
        "cmake_minimum_required(VERSION 3.10)\nproject(ask C)\nfind_package(setrograde 0.1 REQUIRED)\n\
         add_executable(ask \"{0}\")\ntarget_link_libraries(ask setrograde::setrograde)\n\
         add_executable(ask-static \"{0}\")\ntarget_link_libraries(ask-static setrograde::static)\n",
        source("probe.c").display()
    );
    std::fs::write(project.join("CMakeLists.txt"), text).expect("written");
    let build = project.join("build");
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    let mut command = Command::new("cmake");
    command
        .arg("-S")
        .arg(&project)
        .arg("-B")
        .arg(&build)
        .arg(prefix);
    if let Some(output) = tool(&mut command) {
        assert!(output.status.success(), "{output:?}");
        let output = tool(Command::new("cmake").arg("--build").arg(&build)).expect("it ran");
        assert!(output.status.success(), "{output:?}");
        for program in ["ask", "ask-static"] {
            assert_eq!(
                run(&build.join(program), &[], &variables),
                answer,
                "{program}"
            );
        }
    }
}
