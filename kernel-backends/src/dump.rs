//! `GRIDFN_DUMP=folder`: every compiled kernel, written to a folder for people to read.

use gridfn_codegen::{Code, Target};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs, io};

/// Writes the code that a back end is about to hand to a driver, if `GRIDFN_DUMP` names a folder. A program must
/// not fail for that: what goes wrong is one line on standard error.
pub fn dump(kernel: &str, target: Target, code: &Code) {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        env::var_os("GRIDFN_DUMP")
            .filter(|f| !f.is_empty())
            .map(PathBuf::from)
    });
    if let Some(folder) = folder
        && let Err(error) = write(folder, kernel, target, code)
    {
        eprintln!(
            "gridfn: GRIDFN_DUMP: kernel `{kernel}` could not be written to {}: {error}",
            folder.display()
        );
    }
}

/// Writes `<kernel>-<hash>.<extension>`. The hash tells instances of a generic kernel apart, and gives the same
/// code the same name in every run.
fn write(folder: &Path, kernel: &str, target: Target, code: &Code) -> io::Result<PathBuf> {
    let mut hash = DefaultHasher::new();
    code.hash(&mut hash);
    let name = format!("{kernel}-{:016x}.{}", hash.finish(), target.extension());
    let path = folder.join(name);
    fs::create_dir_all(folder)?;
    fs::write(&path, code.to_string())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_kernel_code_and_form() -> io::Result<()> {
        let folder = env::temp_dir().join(format!("gridfn-dump-{}", std::process::id()));
        let [one, two] = ["one", "two"].map(|text| Code::Text(text.into()));
        let first = write(&folder, "k", Target::OpenClC, &one)?;
        let again = write(&folder, "k", Target::OpenClC, &one)?;
        let other = write(&folder, "k", Target::OpenClC, &two)?;
        let ptx = write(&folder, "k", Target::Ptx { sm: 80 }, &one)?;
        assert_eq!(first, again);
        assert_ne!(first, other);
        assert_eq!(first.extension().and_then(|e| e.to_str()), Some("cl"));
        assert_eq!(ptx.extension().and_then(|e| e.to_str()), Some("ptx"));
        assert_eq!(fs::read_to_string(&first)?, "one");
        fs::remove_dir_all(&folder)
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error_and_no_panic() {
        let file = env::temp_dir().join(format!("gridfn-dump-file-{}", std::process::id()));
        assert!(fs::write(&file, "").is_ok());
        assert!(
            write(
                &file.join("below"),
                "k",
                Target::OpenClC,
                &Code::Text(String::new())
            )
            .is_err()
        );
        assert!(fs::remove_file(&file).is_ok());
    }
}
