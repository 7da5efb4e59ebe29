//! The requests that a server takes: those for it, and not from the pages of other sites.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HOST, HeaderMap, HeaderName,
    HeaderValue, ORIGIN, REFERER, USER_AGENT, VARY,
};
use hyper::{Method, StatusCode, Version};

/// Any site.
const ANY: &str = "*";

/// The site that a request comes from, in the words of browsers.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
/// Asked before a page on the net reaches this machine.
const PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// A refused request: the status and the reason.
pub type OriginRefusal = (StatusCode, &'static str);

const OTHER_HOST: OriginRefusal = (
    StatusCode::FORBIDDEN,
    "the server does not answer to this host; it answers to localhost and to the address at which \
     it listens; --host of the server names others",
);

const OTHER_SITE: OriginRefusal = (
    StatusCode::FORBIDDEN,
    "requests from pages of other sites are refused; --allow-origin of the server permits them",
);

const NO_SITE: OriginRefusal = (
    StatusCode::FORBIDDEN,
    "this browser does not say which page asks; use POST, or reach the server as localhost or by \
     https",
);

/// The exposure of a path to the pages of other sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// The start page or the health of the server: links to it are followed from anywhere.
    Open,
    /// Data of the server that costs nothing.
    Own,
    /// Answers to questions.
    Questions,
}

/// The hosts that the server answers to, and the sites whose pages may ask.
pub struct Origins {
    /// Names of the server in lower case.
    names: Vec<String>,
    /// Addresses of the server.
    addresses: Vec<IpAddr>,
    /// True if the server listens at all addresses of the machine, so any address may be its own.
    /// A name may still be that of another site and resolve to this machine.
    any_address: bool,
    allowed: Vec<String>,
}

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
        is_host(name) && port.is_none_or(|port| port.parse::<u16>().is_ok())
    };
    if text == ANY || text == "null" || host.is_some_and(is_plain) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("expected a site as https://example.org or http://localhost:8000, without a path, or *")
    }
}

/// Reads a name of `--host`.
pub fn read_host(text: &str) -> Result<String, &'static str> {
    if is_host(text) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("expected the name of a host, as bridge.example.org, without https:// and port")
    }
}

/// Returns true for a name or an address of a host.
fn is_host(text: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
    !text.is_empty() && (text.bytes().all(is_plain) || address(text).is_some())
}

/// Reads an address as a URL has it.
fn address(text: &str) -> Option<IpAddr> {
    match text.strip_prefix('[') {
        Some(rest) => Some(IpAddr::V6(
            rest.strip_suffix(']')?.parse::<Ipv6Addr>().ok()?,
        )),
        None => Some(IpAddr::V4(text.parse::<Ipv4Addr>().ok()?)),
    }
}

/// Returns the name of a host without its port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

impl Origins {
    /// Returns the origins of a server that listens at `address` and answers to the names `hosts`,
    /// too. The pages of the sites `allowed` may ask.
    pub fn new(allowed: Vec<String>, hosts: &[String], listens_at: IpAddr) -> Origins {
        let named = hosts.iter().filter_map(|host| address(host));
        let local = [
            Ipv4Addr::LOCALHOST.into(),
            Ipv6Addr::LOCALHOST.into(),
            listens_at,
        ];
        Origins {
            names: hosts.to_vec(),
            addresses: local.into_iter().chain(named).collect(),
            any_address: listens_at.is_unspecified(),
            allowed,
        }
    }

    /// Returns the origin to be named in the answer if another site's page asks and may; an
    /// error if the request is not taken. An `authority` in its target comes before its Host.
    pub fn check(
        &self,
        version: Version,
        authority: Option<&str>,
        headers: &HeaderMap,
        exposure: Exposure,
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
        // A page from elsewhere cannot ask by its own name that leads to this server.
        if host.is_some_and(|host| !self.is_ours(without_port(host))) {
            return Err(OTHER_HOST);
        }
        let once = |name: &HeaderName| {
            let mut values = headers.get_all(name).iter();
            match (values.next(), values.next()) {
                (value, None) => Ok(value.map(|value| value.to_str().unwrap_or_default())),
                _ => Err(OTHER_SITE),
            }
        };
        let (origin, site, referer) = (once(&ORIGIN)?, once(&SEC_FETCH_SITE)?, once(&REFERER)?);
        let any = self.allowed.iter().any(|allowed| allowed == ANY);
        if let Some(origin) = origin {
            let is_allowed = any || self.is_allowed(origin);
            return if is_allowed {
                Ok(headers.get(ORIGIN).cloned())
            } else if self.is_own(origin, host) {
                Ok(None)
            } else {
                Err(OTHER_SITE)
            };
        }
        if any {
            return Ok(None);
        }
        match site {
            None | Some("same-origin" | "none") => {}
            // A link to the page.
            Some(_)
                if exposure == Exposure::Open
                    && once(&SEC_FETCH_MODE)?.is_some_and(|mode| mode == "navigate") =>
            {
                return Ok(None);
            }
            Some(_) => return Err(OTHER_SITE),
        }
        // Browsers send Sec-Fetch-Site to https and to this machine alone.
        if let Some(referer) = referer
            && exposure != Exposure::Open
        {
            let site = site_of(referer);
            if !self.is_own(site, host) && !self.is_allowed(site) {
                return Err(OTHER_SITE);
            }
        }
        // A page may have its browser leave the Referer out, but not the browser's name.
        let browser = headers.get(USER_AGENT).map(HeaderValue::as_bytes);
        let is_browser = browser.is_some_and(|name| name.starts_with(b"Mozilla/"));
        if exposure == Exposure::Questions && is_browser && site.is_none() && referer.is_none() {
            return Err(NO_SITE);
        }
        Ok(None)
    }

    /// Returns true for a host, without its port, that the server answers to.
    fn is_ours(&self, host: &str) -> bool {
        match address(host) {
            Some(address) => self.any_address || self.addresses.contains(&address),
            None => {
                let mut names = self.names.iter().map(String::as_str).chain(["localhost"]);
                names.any(|name| name.eq_ignore_ascii_case(host))
            }
        }
    }

    fn is_allowed(&self, site: &str) -> bool {
        let mut allowed = self.allowed.iter();
        allowed.any(|allowed| allowed.eq_ignore_ascii_case(site))
    }

    /// Returns true for the site of the server: that of the request's host, or of a name of
    /// `--host`, if a proxy has changed the host.
    fn is_own(&self, site: &str, host: Option<&str>) -> bool {
        let own = |scheme: &str| {
            let (start, own) = site.split_at_checked(scheme.len())?;
            start.eq_ignore_ascii_case(scheme).then_some(own)
        };
        own("https://").or(own("http://")).is_some_and(|own| {
            let mut ours = self.names.iter().map(String::as_str).chain(host);
            ours.any(|ours| ours.eq_ignore_ascii_case(own))
        })
    }
}

/// Returns the site of a URL: its scheme and host.
fn site_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let host = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    &url[..url.len() - rest.len() + host]
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
        for text in "* null https://example.org http://localhost:8000 http://[::1]:80".split(' ') {
            assert_eq!(read(text).as_deref(), Ok(text));
        }
        for host in "bridge.example.org nas 10.0.0.7 [::1] a_b".split(' ') {
            assert_eq!(read_host(host).as_deref(), Ok(host));
        }
        for host in "|https://a|a:80|[::1|::1|a/b|*|a b|*.example".split('|') {
            assert!(read_host(host).is_err(), "{host}");
        }
        let wrong = "|example.org|https://|https://a/|https://a/b|ftp://a|https://*.example|https://a:x|\
            https://a, https://b|https://[::1|https://bücher.example";
        for text in wrong.split('|') {
            assert!(read(text).is_err(), "{text}");
        }
    }

    /// Asks a server that listens at an address, and answers to `bridge.example`, too, with a header
    /// a line. Returns whether the origin is named in the answer, or the status of the refusal.
    fn check(
        listens_at: &str,
        allowed: &[&str],
        headers: &str,
        exposure: Exposure,
    ) -> Result<bool, u16> {
        let mut map = HeaderMap::new();
        for line in headers.lines() {
            let (name, value) = line.split_once(": ").expect(line);
            let name: HeaderName = name.parse().expect(line);
            map.append(name, value.parse().expect(line));
        }
        let allowed = allowed.iter().map(|&origin| origin.to_owned()).collect();
        let hosts = ["bridge.example".to_owned(), "[2001:db8::7]".to_owned()];
        let listens_at = listens_at.parse().expect("an address");
        let found =
            Origins::new(allowed, &hosts, listens_at).check(Version::HTTP_11, None, &map, exposure);
        found
            .map_err(|(status, _)| status.as_u16())
            .map(|origin| origin.is_some())
    }

    #[test]
    fn requests_of_other_sites_are_refused() {
        use Exposure::{Open, Own, Questions};
        let check = |allowed: &[&str], headers: &str, exposure| {
            let headers = format!("host: 127.0.0.1:5213\n{headers}");
            check("127.0.0.1", allowed, &headers, exposure)
        };
        let evil = "origin: https://evil.example";
        let own = "origin: http://127.0.0.1:5213";
        let two = format!("{own}\n{evil}");
        for (allowed, headers, expected) in [
            (&[][..], "", Ok(false)),
            (&[], own, Ok(false)),
            (&[], &two, Err(403)),
            (&[], evil, Err(403)),
            (&["https://other.example"], evil, Err(403)),
            (&["https://evil.example"], evil, Ok(true)),
            (&["*"], evil, Ok(true)),
            // An image of another site has no origin.
            (&[], "sec-fetch-site: cross-site", Err(403)),
            (
                &[],
                "sec-fetch-site: same-origin\nsec-fetch-site: cross-site",
                Err(403),
            ),
            (&[], "sec-fetch-site: same-origin", Ok(false)),
            // A proxy that changes the host does not change the origin.
            (&[], "origin: https://bridge.example", Ok(false)),
            (&[], "origin: https://bridge.example:8443", Err(403)),
            (&[], "origin: http://localhost:5213", Err(403)),
        ] {
            assert_eq!(check(allowed, headers, Questions), expected, "{headers}");
        }
        let link = "sec-fetch-site: cross-site\nsec-fetch-mode: navigate";
        assert_eq!(check(&[], link, Questions), Err(403));
        assert_eq!(check(&[], link, Own), Err(403));
        assert_eq!(check(&[], link, Open), Ok(false));
    }

    /// A page from elsewhere whose own name leads to the server asks by that name.
    #[test]
    fn unknown_hosts_are_refused_at_any_address() {
        assert_eq!(check("::1", &[], "", Exposure::Questions), Err(400));
        let named = "localhost LOCALHOST:1 127.0.0.1 [::1]:80 Bridge.Example [2001:db8::7]";
        let literal = ["10.9.9.1:5213", "[fe80::1]:5213"];
        let wrong = "evil.example|127.0.0.1.evil.example|127.0.0.1@evil|localhost:evil|localhost.evil|127.1|\
            2130706433|0x7f.1|[::1|::1||10.9.9.1:x|10.9.9.1, evil|bridge.example.org";
        for (listens_at, literals) in [
            ("127.0.0.1", [false, false]),
            ("10.9.9.1", [true, false]),
            ("fe80::1", [false, true]),
            ("0.0.0.0", [true, true]),
            ("::", [true, true]),
        ] {
            let answers = |host| {
                let host = format!("host: {host}");
                let found = check(listens_at, &[], &host, Exposure::Questions);
                assert!(matches!(found, Ok(false) | Err(403)), "{found:?}");
                found.is_ok()
            };
            for host in named.split(' ') {
                assert!(answers(host), "{listens_at} {host}");
            }
            for host in wrong.split('|') {
                assert!(!answers(host), "{listens_at} {host}");
            }
            for (host, expected) in literal.into_iter().zip(literals) {
                assert_eq!(answers(host), expected, "{listens_at} {host}");
            }
        }
    }

    /// Browsers send neither Origin nor Sec-Fetch-Site when a page loads an image from an address
    /// without encryption.
    #[test]
    fn pages_of_other_sites_load_no_answers_from_a_network_address() {
        use Exposure::{Open, Own, Questions};
        let all = [true; 3];
        for (headers, [open, own, questions]) in [
            ("", all),
            ("referer: http://10.9.9.1:5213/", all),
            ("referer: https://bridge.example/?x", all),
            ("referer: https://friend.example/x", all),
            ("referer: http://10.9.9.2:5213/", [true, false, false]),
            ("referer: http://10.9.9.1/", [true, false, false]),
            (
                "referer: http://evil.example/http://10.9.9.1:5213/",
                [true, false, false],
            ),
            (
                "referer: http://10.9.9.1:5213@evil.example/",
                [true, false, false],
            ),
            ("referer: ", [true, false, false]),
            ("user-agent: Mozilla/5.0 (X11)", [true, true, false]),
            ("user-agent: Mozilla/5.0 (X11)\nsec-fetch-site: none", all),
            (
                "user-agent: Mozilla/5.0 (X11)\nreferer: http://10.9.9.1:5213/",
                all,
            ),
            (
                "user-agent: Mozilla/5.0 (X11)\norigin: http://10.9.9.1:5213",
                all,
            ),
            ("user-agent: curl/8.14.1", all),
        ] {
            let headers = format!("host: 10.9.9.1:5213\n{headers}");
            for (exposure, expected) in [(Open, open), (Own, own), (Questions, questions)] {
                let found = check("10.9.9.1", &["https://friend.example"], &headers, exposure);
                let expected = if expected { Ok(false) } else { Err(403) };
                assert_eq!(found, expected, "{headers:?} {exposure:?}");
            }
        }
    }
}
