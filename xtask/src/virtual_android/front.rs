//! What is on the phone's screen at the moment: the app, a dialog over it, the lock or the launcher.

use super::phone::Phone;
use super::screen::{Does, HEIGHT, Screen, View, WIDTH};

/// The app that is there when no other is.
const LAUNCHER: (&str, &str) = ("com.android.launcher3", "com.android.launcher3.Launcher");

impl Phone {
    /// The app and the activity at the front.
    pub(super) fn front(&self) -> (&str, String) {
        let of_app =
            |screen: &String| (self.package.as_str(), format!("{}.{screen}", self.package));
        let shown = self.process.as_ref().map(|process| &process.screen);
        let shown = shown.or(self.crashed.as_ref()).map(of_app);
        shown.unwrap_or((LAUNCHER.0, LAUNCHER.1.to_owned()))
    }

    /// The window that gets the input, as the window manager names it.
    pub(super) fn focus(&self) -> String {
        if self.is_locked {
            return "NotificationShade".to_owned();
        }
        if self.has_anr {
            return format!("Application Not Responding: {}", self.package);
        }
        if self.crashed.is_some() {
            return format!("Application Error: {}", self.package);
        }
        let (package, activity) = self.front();
        format!("{package}/{activity}")
    }

    /// The app whose window is on top, and that window.
    pub(super) fn window(&self) -> (String, Screen) {
        if self.is_locked {
            let text = [(
                "com.android.systemui:id/lock_icon",
                "Swipe up to open",
                None,
            )];
            return ("com.android.systemui".to_owned(), dialog(&text));
        }
        let close = |stops_app| Some(Does::Closes { stops_app });
        if self.has_anr {
            let buttons = [
                ("android:id/alertTitle", "The app isn't responding", None),
                ("android:id/aerr_close", "Close app", close(true)),
                ("android:id/aerr_wait", "Wait", close(false)),
            ];
            return ("android".to_owned(), dialog(&buttons));
        }
        if self.crashed.is_some() {
            let buttons = [
                ("android:id/alertTitle", "The app has stopped", None),
                ("android:id/aerr_close", "Close app", close(true)),
            ];
            return ("android".to_owned(), dialog(&buttons));
        }
        let shown = self.process.as_ref().zip(self.app.as_ref());
        let screen = shown.and_then(|(process, app)| app.screens.get(&process.screen));
        let Some(screen) = screen else {
            let icons = [("com.android.launcher3:id/icon", "Phone", None)];
            return (LAUNCHER.0.to_owned(), dialog(&icons));
        };
        let mut screen = screen.clone();
        for view in &mut screen.views {
            view.focused = self.is_focused && view.on_tap == Some(Does::Focuses);
        }
        (self.package.clone(), screen)
    }

    /// Whether the keyboard on the screen is shown.
    pub(super) fn has_keyboard(&self) -> bool {
        self.is_focused
            && self
                .properties
                .get("debug.virtual.keyboard")
                .is_some_and(|on| on == "1")
    }
}

fn dialog(parts: &[(&str, &str, Option<Does>)]) -> Screen {
    let frame = View {
        class: "android.widget.FrameLayout",
        bounds: [0, 0, WIDTH, HEIGHT],
        ..View::default()
    };
    let part = |(row, (id, text, does)): (i32, &(&str, &str, Option<Does>))| View {
        class: if does.is_some() {
            "android.widget.Button"
        } else {
            "android.widget.TextView"
        },
        id: (*id).to_owned(),
        text: (*text).to_owned(),
        bounds: [40, 300 + 60 * row, WIDTH - 40, 350 + 60 * row],
        on_tap: does.clone(),
        depth: 1,
        ..View::default()
    };
    Screen {
        views: std::iter::once(frame)
            .chain((0..).zip(parts).map(part))
            .collect(),
        ..Screen::default()
    }
}
