//! Clean starts: a new context of the browser, with the site in its first tab.

use std::time::{Duration, Instant};

use serde_json::json;

use super::browser::{ALIVE, Browser};
use super::plan::Plan;
use crate::replay::DriverError;

impl Browser {
    /// Leaves everything of the last start behind and opens the site in a new tab. An empty tab opens
    /// it, since only tabs that pages open wait for us before they set out: one that the browser is
    /// asked for is on its way at once, and what runs in it before we are there is not seen. Going on
    /// from an empty page makes some browsers crash.
    pub(super) fn renew(&mut self, seed: u64) -> Result<(), DriverError> {
        if let Some(old) = self.context.take() {
            let old = json!({"browserContextId": old});
            self.link.tell(None, "Target.disposeBrowserContext", old)?;
        }
        self.tabs.clear();
        self.faults.clear();
        (self.crash, self.dead) = (None, false);
        (self.seed, self.now) = (seed, Plan::morning());
        let context = self.root(
            "Target.createBrowserContext",
            json!({"disposeOnDetach": true}),
        )?;
        let context = context["browserContextId"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let refuse = json!({"behavior": "deny", "browserContextId": context});
        self.link
            .tell(None, "Browser.setDownloadBehavior", refuse)?;
        let none = json!({"permissions": [], "browserContextId": context});
        self.link.tell(None, "Browser.grantPermissions", none)?;
        let page = json!({
            "url": "about:blank", "browserContextId": context,
            "width": self.plan.setup.width, "height": self.plan.setup.height,
        });
        self.context = Some(context);
        let opener = self.root("Target.createTarget", page)?;
        let opener = opener["targetId"].as_str().unwrap_or_default();
        opener.clone_into(&mut self.opener);
        let since = Instant::now();
        while self.tabs.is_empty() {
            if since.elapsed() > ALIVE {
                return Err(DriverError::TimedOut(ALIVE));
            }
            self.hear(Duration::from_millis(100))?;
        }
        Ok(())
    }

    /// Lets the empty tab open the site.
    pub(super) fn open_first(&mut self, session: &str) -> Result<(), DriverError> {
        let go = json!({});
        self.link
            .tell(Some(session), "Runtime.runIfWaitingForDebugger", go)?;
        let open = format!("void open({}, '_blank', 'noopener')", json!(self.plan.url));
        let open = json!({"expression": open, "userGesture": true});
        self.link.tell(Some(session), "Runtime.evaluate", open)?;
        Ok(())
    }
}
