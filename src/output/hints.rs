//! What to do about an error, in terms of the command line. The libraries say
//! what is wrong; only the command knows its own options.

use setrograde_builder::BuildError;

/// A hint for an error, if there is something to do about it that the error
/// does not say.
pub fn hint(error: &anyhow::Error) -> Option<String> {
    let error = error.downcast_ref::<BuildError>()?;
    match error {
        BuildError::NoLevelBelow { cards, .. } => {
            Some(format!("`setrograde build --cards {cards}` builds it"))
        }
        BuildError::Unfinished { cards, chunks, .. } => {
            let chunk = chunks.first()?;
            Some(format!(
                "build each with `setrograde build --cards {cards} --chunk {chunk}`"
            ))
        }
        BuildError::Memory { free: true, .. } => {
            Some("use a machine with more, or pass --memory to override".to_owned())
        }
        BuildError::Memory { free: false, .. } => {
            Some("use a machine with more, or pass a greater --memory".to_owned())
        }
        _ => None,
    }
}
