//! Device URLs: `SCHEME:REST?key=value&…`.

use super::OpenError;

/// How many devices one URL may open.
const MAX_COUNT: usize = 1024;

/// A device URL taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceUrl {
    /// As given.
    pub text: String,
    /// What stands before the first colon.
    pub scheme: String,
    /// What stands between the colon and the question mark.
    pub rest: String,
    /// What stands behind the question mark.
    pub options: Vec<(String, String)>,
}

impl DeviceUrl {
    /// Takes a URL apart.
    pub fn parse(text: &str) -> Result<Self, OpenError> {
        let Some((scheme, rest)) = text.split_once(':') else {
            return Err(OpenError::Url {
                url: text.to_owned(),
                reason: "a device URL looks like sim:app.json".to_owned(),
            });
        };
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let options = query.split('&').filter(|option| !option.is_empty());
        let options = options.map(|option| option.split_once('=').unwrap_or((option, "")));
        Ok(Self {
            text: text.to_owned(),
            scheme: scheme.to_owned(),
            rest: rest.to_owned(),
            options: options
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .collect(),
        })
    }

    /// Refuses options other than these.
    pub fn allow(&self, known: &[&str]) -> Result<(), OpenError> {
        let unknown = self
            .options
            .iter()
            .find(|(key, _)| !known.contains(&key.as_str()));
        unknown.map_or(Ok(()), |(key, _)| {
            Err(self.wrong(format!(
                "unknown option `{key}`; known are {}",
                known.join(", ")
            )))
        })
    }

    /// The number of devices, 1 when not given.
    pub fn count(&self) -> Result<usize, OpenError> {
        Ok(self.given_count()?.unwrap_or(1))
    }

    /// The number of devices, where it is given.
    pub fn given_count(&self) -> Result<Option<usize>, OpenError> {
        let Some(value) = self.option("count") else {
            return Ok(None);
        };
        let count = value
            .parse()
            .ok()
            .filter(|count| (1..=MAX_COUNT).contains(count));
        count.map(Some).ok_or_else(|| {
            self.wrong(format!(
                "count={value} is not a number from 1 to {MAX_COUNT}"
            ))
        })
    }

    /// A share from 0 to 1, 0 when not given.
    pub fn share(&self, key: &str) -> Result<f64, OpenError> {
        let Some(value) = self.option(key) else {
            return Ok(0.0);
        };
        let share = value
            .parse()
            .ok()
            .filter(|share| (0.0..=1.0).contains(share));
        share.ok_or_else(|| self.wrong(format!("{key}={value} is not a number from 0 to 1")))
    }

    /// What an option is set to.
    pub(super) fn option(&self, key: &str) -> Option<&str> {
        let found = self.options.iter().rev().find(|(known, _)| known == key);
        found.map(|(_, value)| value.as_str())
    }

    /// An error about this URL.
    pub(super) fn wrong(&self, reason: String) -> OpenError {
        OpenError::Url {
            url: self.text.clone(),
            reason,
        }
    }
}
