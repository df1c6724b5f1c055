//! Addresses of pages: which belong to the site under test, and the names that do not change with
//! the port it is served on.

/// The longest name of a page, in characters.
const LONGEST: usize = 200;

/// An address taken apart.
struct Address<'a> {
    scheme: &'a str,
    /// Host and port.
    authority: &'a str,
    /// From the first slash to the query.
    path: &'a str,
    /// Behind the hash sign.
    fragment: &'a str,
}

impl<'a> Address<'a> {
    fn parse(url: &'a str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let rest = rest.split('?').next().unwrap_or_default();
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, "/"),
        };
        Self {
            scheme,
            authority: authority.rsplit('@').next().unwrap_or_default(),
            path,
            fragment,
        }
    }

    fn host(&self) -> &'a str {
        let authority = self.authority;
        if let Some(end) = authority.find(']') {
            return &authority[..=end];
        }
        authority.split(':').next().unwrap_or_default()
    }
}

/// The host that a page is on, without its port.
pub(crate) fn host(url: &str) -> &str {
    Address::parse(url).host()
}

/// Host and port that a page is on.
pub(super) fn authority(url: &str) -> &str {
    Address::parse(url).authority
}

/// The name of a file of the site: its path, with the host in front where that is another one.
pub(super) fn place(url: &str, home: &str) -> String {
    let address = Address::parse(url);
    let path = address.path.trim_start_matches('/');
    let path = if path.is_empty() { "(index)" } else { path };
    // A colon would end the name of the file within the name of an element.
    let path = path.replace(':', "%3A");
    if address.host() == home {
        path
    } else {
        format!("{}/{path}", address.host())
    }
}

/// The name of a page: its path, and the route within it where it has one.
pub(crate) fn page(url: &str) -> String {
    let address = Address::parse(url);
    if !matches!(address.scheme, "http" | "https" | "file") {
        let name = url.split(['?', '#']).next().unwrap_or_default();
        return name.chars().take(LONGEST).collect();
    }
    let mut name = address.path.to_owned();
    if address.fragment.starts_with(['/', '!']) {
        name.push('#');
        name.push_str(address.fragment.split('?').next().unwrap_or_default());
    }
    name.chars().take(LONGEST).collect()
}

/// A link on a page, as a whole address.
pub(crate) fn join(base: &str, link: &str) -> String {
    if link.contains("://") {
        return link.to_owned();
    }
    let address = Address::parse(base);
    let origin = format!("{}://{}", address.scheme, address.authority);
    if link.starts_with('/') {
        return format!("{origin}{link}");
    }
    let folder = address
        .path
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    format!("{origin}{folder}/{link}")
}

#[cfg(test)]
mod tests {
    use super::{authority, host, join, page, place};

    #[test]
    fn the_port_is_no_part_of_a_name() {
        assert_eq!(
            place("http://127.0.0.1:8080/js/app.js?v=1#x", "127.0.0.1"),
            "js/app.js"
        );
        assert_eq!(place("http://127.0.0.1:1/", "127.0.0.1"), "(index)");
        assert_eq!(
            place("https://cdn.test/a:b.js", "127.0.0.1"),
            "cdn.test/a%3Ab.js"
        );
    }

    #[test]
    fn a_page_is_named_by_its_path_and_its_route() {
        assert_eq!(page("http://h:1/a/b.html?x=1"), "/a/b.html");
        assert_eq!(page("http://h:1/a/#/done?x=1"), "/a/#/done");
        assert_eq!(page("http://h:1/a/#top"), "/a/");
        assert_eq!(page("http://h"), "/");
        assert_eq!(
            page("chrome-error://chromewebdata/"),
            "chrome-error://chromewebdata/"
        );
    }

    #[test]
    fn hosts_are_found_behind_names_of_users_and_in_brackets() {
        assert_eq!(host("http://user:pw@evil.test:80/x"), "evil.test");
        assert_eq!(host("http://[::1]:80/x"), "[::1]");
        assert_eq!(authority("http://[::1]:80/x"), "[::1]:80");
    }

    #[test]
    fn links_are_relative_to_their_page() {
        assert_eq!(join("http://h:1/a/b.html", "c.html"), "http://h:1/a/c.html");
        assert_eq!(join("http://h:1/a/b.html", "/c"), "http://h:1/c");
        assert_eq!(join("http://h:1", "http://x/"), "http://x/");
    }
}
