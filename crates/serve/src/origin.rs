//! The requests that a server takes: those for it, and not from the pages of other sites.

use std::net::Ipv6Addr;

use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HOST, HeaderMap, HeaderName,
    HeaderValue, ORIGIN, VARY,
};
use hyper::{Method, StatusCode, Version};

/// Any site.
const ANY: &str = "*";

/// The site that a request comes from, in the words of browsers.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
/// Asked before a page on the net reaches this machine.
const PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// The sites whose pages may ask.
pub struct Origins {
    allowed: Vec<String>,
    /// Only requests to this machine by its own name are answered.
    local: bool,
}

/// A refused request: the status and the reason.
pub type OriginRefusal = (StatusCode, &'static str);

/// Reads an origin of `--allow-origin`.
pub fn read(text: &str) -> Result<String, &'static str> {
    let host = text
        .strip_prefix("https://")
        .or(text.strip_prefix("http://"));
    if host.is_some_and(|host| host.contains('*')) {
        return Err("an origin names one site, without *; give the option once for each of them");
    }
    let is_plain = |host: &str| {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, Some(port)),
            _ => (host, None),
        };
        let name = name.strip_prefix('[').map_or(
            name.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
                .then_some(name),
            |inner| (inner.strip_suffix(']')).filter(|inner| inner.parse::<Ipv6Addr>().is_ok()),
        );
        name.is_some_and(|name| !name.is_empty())
            && port.is_none_or(|port| port.parse::<u16>().is_ok())
    };
    match text == ANY || text == "null" || host.is_some_and(is_plain) {
        true => Ok(text.to_ascii_lowercase()),
        false => Err(
            "expected a site as https://example.org or http://localhost:8000, without a path, or *",
        ),
    }
}

impl Origins {
    pub fn new(allowed: Vec<String>, local: bool) -> Origins {
        Origins { allowed, local }
    }

    /// Returns the origin to be named in the answer if another site's page asks and may; an
    /// error if the request is not taken. An `authority` in its target comes before its Host.
    /// `asks` is true of questions, not of pages to look at.
    pub fn check(
        &self,
        version: Version,
        authority: Option<&str>,
        headers: &HeaderMap,
        asks: bool,
    ) -> Result<Option<HeaderValue>, OriginRefusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => authority.or(Some(host.to_str().unwrap_or_default())),
            (None, _) if version < Version::HTTP_11 => None,
            _ => {
                let problem = "the request must have one Host";
                return Err((StatusCode::BAD_REQUEST, problem));
            }
        };
        // A page from elsewhere cannot ask by its own name that leads to this machine.
        let name = host.map(|host| {
            host.rsplit_once(':').map_or(host, |(name, port)| {
                if port.bytes().all(|byte| byte.is_ascii_digit()) {
                    name
                } else {
                    host
                }
            })
        });
        let is_ours = |name: &str| {
            let ours = ["localhost", "127.0.0.1", "[::1]"];
            ours.into_iter().any(|our| our.eq_ignore_ascii_case(name))
        };
        if self.local && !name.is_none_or(is_ours) {
            let problem = "the server answers only on this machine, to localhost or 127.0.0.1";
            return Err((StatusCode::FORBIDDEN, problem));
        }
        let refused = Err((
            StatusCode::FORBIDDEN,
            "requests from pages of other sites are refused; --allow-origin of the server permits them",
        ));
        let text = |name: HeaderName| {
            headers
                .get(name)
                .map(|value| value.to_str().unwrap_or_default())
        };
        let any = self.allowed.iter().any(|allowed| allowed == ANY);
        if headers.get_all(ORIGIN).iter().count() > 1 {
            return refused;
        }
        if let Some(origin) = headers.get(ORIGIN) {
            let origin_text = origin.to_str().unwrap_or_default().to_ascii_lowercase();
            let own = |scheme| {
                let own = origin_text.strip_prefix(scheme);
                host.is_some_and(|host| own.is_some_and(|own| own.eq_ignore_ascii_case(host)))
            };
            return match () {
                () if any || self.allowed.contains(&origin_text) => Ok(Some(origin.clone())),
                () if own("http://") || own("https://") => Ok(None),
                () => refused,
            };
        }
        match text(SEC_FETCH_SITE) {
            None | Some("same-origin" | "none") => Ok(None),
            // A link to the page.
            Some(_) if !asks && text(SEC_FETCH_MODE) == Some("navigate") => Ok(None),
            Some(_) if any => Ok(None),
            Some(_) => refused,
        }
    }
}

/// Adds the headers that the browser requires before it shows the answer to the page at `origin`.
pub fn allow(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(VARY, HeaderValue::from_static("Origin"));
}

/// Adds the headers that a browser requires of a preflight request, if it is one.
pub fn allow_before(
    headers: &mut HeaderMap,
    method: &Method,
    asked: &HeaderMap,
    methods: &'static str,
) {
    if method == Method::OPTIONS && asked.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
        for (name, value) in [
            (ACCESS_CONTROL_ALLOW_METHODS, methods),
            (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
            (ACCESS_CONTROL_MAX_AGE, "86400"),
            (PRIVATE_NETWORK, "true"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read() {
        for text in [
            "*",
            "null",
            "https://example.org",
            "http://localhost:8000",
            "http://[::1]:80",
        ] {
            assert_eq!(read(text).as_deref(), Ok(text));
        }
        for text in [
            "",
            "example.org",
            "https://",
            "https://a/",
            "https://a/b",
            "ftp://a",
            "https://*.example",
            "https://a:x",
            "https://a, https://b",
            "https://[::1",
            "https://bücher.example",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn requests_of_other_sites_are_refused() {
        let check = |allowed: &[&str], headers: &[(HeaderName, &'static str)], asks| {
            let allowed = allowed.iter().map(|&origin| origin.to_owned()).collect();
            let headers: HeaderMap = headers
                .iter()
                .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
                .collect();
            let found = Origins::new(allowed, true).check(Version::HTTP_11, None, &headers, asks);
            found
                .map_err(|(status, _)| status.as_u16())
                .map(|origin| origin.is_some())
        };
        let host = (HOST, "127.0.0.1:5213");
        let (evil, own) = (
            (ORIGIN, "https://evil.example"),
            (ORIGIN, "http://127.0.0.1:5213"),
        );
        let cross = (SEC_FETCH_SITE, "cross-site");
        assert_eq!(check(&[], &[], true), Err(400));
        assert_eq!(check(&[], std::slice::from_ref(&host), true), Ok(false));
        assert_eq!(check(&[], &[(HOST, "LOCALHOST:1")], true), Ok(false));
        assert_eq!(check(&[], &[(HOST, "[::1]")], true), Ok(false));
        for other in [
            "evil.example",
            "127.0.0.1.evil.example",
            "127.0.0.1@evil",
            "localhost:evil",
        ] {
            assert_eq!(check(&[], &[(HOST, other)], true), Err(403), "{other}");
        }
        assert_eq!(check(&[], &[host.clone(), own.clone()], true), Ok(false));
        let two = [host.clone(), own, evil.clone()];
        assert_eq!(check(&[], &two, true), Err(403));
        assert_eq!(check(&[], &[host.clone(), evil.clone()], true), Err(403));
        assert_eq!(
            check(
                &["https://other.example"],
                &[host.clone(), evil.clone()],
                true
            ),
            Err(403)
        );
        assert_eq!(
            check(
                &["https://evil.example"],
                &[host.clone(), evil.clone()],
                true
            ),
            Ok(true)
        );
        assert_eq!(check(&["*"], &[host.clone(), evil], true), Ok(true));
        // An image of another site has no origin.
        assert_eq!(check(&[], &[host.clone(), cross.clone()], true), Err(403));
        let link = [host, cross, (SEC_FETCH_MODE, "navigate")];
        assert_eq!(check(&[], &link, true), Err(403));
        assert_eq!(check(&[], &link, false), Ok(false));
    }
}
