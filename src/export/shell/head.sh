# Needs adb, or what ADB says: ADB='adb -s SERIAL' sh FILE
# Waits PAUSE seconds after each step (1). Where the app is not known, APP says its package.
set -eu
adb=${ADB:-adb}
pause=${PAUSE:-1}

# Runs one command on the phone.
phone() {
    $adb shell "$1" </dev/null
    sleep "$pause"
}

start_app() {
    case ${APP:-} in
    '' | *[!A-Za-z0-9._]*) echo 'say which app: APP=PACKAGE' >&2; exit 2 ;;
    esac
    phone "pm clear $APP"
    phone "monkey -p $APP 1"
}

# Finds the widget with this id, text, description and class, or falls back to a place: sets x and y
# to its middle, and left, top, right and bottom.
find() {
    if [ -n "$1$2$3" ]; then
        $adb shell 'uiautomator dump /sdcard/window_dump.xml' </dev/null >/dev/null
        found=$($adb shell 'cat /sdcard/window_dump.xml' </dev/null |
            WANT_ID=$1 WANT_TEXT=$2 WANT_DESCRIPTION=$3 WANT_CLASS=$4 awk '
            function has(name, want, end,   at) {
                if (want == "") return 1
                if (end == "") return index($0, " " name "=\"" want "\"")
                at = index($0, " " name "=\"")
                if (!at) return 0
                at = substr($0, at + length(name) + 3)
                at = substr(at, 1, index(at, "\"") - 1)
                return at == want || substr(at, length(at) - length(end want) + 1) == end want
            }
            BEGIN { RS = ">" }
            has("resource-id", ENVIRON["WANT_ID"], "/") && has("text", ENVIRON["WANT_TEXT"], "") &&
            has("content-desc", ENVIRON["WANT_DESCRIPTION"], "") && has("class", ENVIRON["WANT_CLASS"], ".") &&
            match($0, /bounds="\[-?[0-9]+,-?[0-9]+\]\[-?[0-9]+,-?[0-9]+\]"/) && !done {
                numbers = substr($0, RSTART + 8, RLENGTH - 9)
                gsub(/[^-0-9]+/, " ", numbers)
                print numbers
                done = 1
            }')
        if [ -n "$found" ]; then
            # shellcheck disable=SC2086 # four numbers
            set_place $found
            return
        fi
    fi
    if [ -z "$5" ]; then
        printf 'no widget with id %s, text %s, description %s\n' "$1" "$2" "$3" >&2
        exit 1
    fi
    # shellcheck disable=SC2086 # two numbers
    set -- $5
    set_place "$(($1 - 100))" "$(($2 - 200))" "$(($1 + 100))" "$(($2 + 200))"
}

# The whole screen.
find_screen() {
    size=$($adb shell 'wm size' </dev/null | sed -n 's/.*: *\([0-9]*\)x\([0-9]*\).*/\1 \2/p' | tail -n 1)
    # shellcheck disable=SC2086 # two numbers
    set -- ${size:-1080 1920}
    set_place 0 0 "$1" "$2"
}

set_place() {
    left=$1 top=$2 right=$3 bottom=$4
    x=$(((left + right) / 2)) y=$(((top + bottom) / 2))
}

tap() { phone "input tap $x $y"; }
hold() { phone "input swipe $x $y $x $y 1000"; }

# Empties the field that has the focus.
erase() {
    phone 'input keyevent 123'
    keys=$(printf '67 %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
    phone "input keyevent $keys"
}

# Shows more of that side of what was found.
scroll() {
    h=$(((bottom - top) / 4)) w=$(((right - left) / 4))
    case $1 in
    down) phone "input swipe $x $((y + h)) $x $((y - h)) 300" ;;
    up) phone "input swipe $x $((y - h)) $x $((y + h)) 300" ;;
    right) phone "input swipe $((x + w)) $y $((x - w)) $y 300" ;;
    left) phone "input swipe $((x - w)) $y $((x + w)) $y 300" ;;
    esac
}
