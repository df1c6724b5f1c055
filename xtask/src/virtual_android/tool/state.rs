//! What the system's services tell of themselves.

use crate::virtual_android::phone::Phone;
use crate::virtual_android::shell::{Call, Done};

pub(super) fn dumpsys(call: &Call) -> Done {
    let phone = call.shared.phone();
    let text = match call.word(0) {
        "activity" => activity(&phone),
        "window" => window(&phone),
        "input_method" => format!(
            "  mInputShown={} mShowRequested={}\n",
            phone.has_keyboard(),
            phone.has_keyboard()
        ),
        "power" => format!(
            "  mWakefulness={}\n  mHoldingDisplaySuspendBlocker={}\n",
            if phone.is_awake { "Awake" } else { "Asleep" },
            phone.is_awake
        ),
        "package" => package(&phone),
        "battery" => "  level: 100\n  status: 2\n".to_owned(),
        other => return Done::fails(1, format!("Can't find service: {other}")),
    };
    Done::says(text)
}

pub(super) fn reboot(call: &Call) -> Done {
    call.shared.phone().reboot();
    Done::default()
}

fn activity(phone: &Phone) -> String {
    let (package, activity) = phone.front();
    let component = short(package, &activity);
    format!(
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n\
         Display #0 (activities from top to bottom):\n\
         \x20   mResumedActivity: ActivityRecord{{5e1f3a7 u0 {component} t12}}\n"
    )
}

fn window(phone: &Phone) -> String {
    let focus = phone.focus();
    format!(
        "WINDOW MANAGER WINDOWS (dumpsys window windows)\n  mCurrentFocus=Window{{3c5d1e9 u0 {focus}}}\n  \
         mDreamingLockscreen={}\n  isStatusBarKeyguard={}\n  mAnimating=false\n",
        phone.is_locked, phone.is_locked
    )
}

fn package(phone: &Phone) -> String {
    let granted = phone
        .granted
        .iter()
        .map(|name| format!("        {name}: granted=true\n"));
    format!(
        "  Package [{}]:\n    versionCode=1 minSdk=21 targetSdk=29\n    versionName=1.0\n{}",
        phone.package,
        granted.collect::<String>()
    )
}

/// A component as Android shortens it.
fn short(package: &str, activity: &str) -> String {
    reduce_suite::model::gesture::component(package, activity)
}
