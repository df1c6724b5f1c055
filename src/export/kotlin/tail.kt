
    private val device = UiDevice.getInstance(InstrumentationRegistry.getInstrumentation())
    private val context = InstrumentationRegistry.getInstrumentation().targetContext

    private fun start(app: String) {
        device.executeShellCommand("pm clear $app")
        open(app)
    }

    private fun open(app: String) {
        send(context.packageManager.getLaunchIntentForPackage(app)!!)
        device.wait(Until.hasObject(By.pkg(app).depth(0)), 10_000)
    }

    private fun send(intent: Intent) {
        context.startActivity(intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK))
        device.waitForIdle()
    }

    private fun find(selector: BySelector): UiObject2 {
        device.waitForIdle()
        return checkNotNull(device.wait(Until.findObject(selector), 10_000)) { "no $selector" }
    }

    private fun focused(): UiObject2 = find(By.focused(true))

    private fun named(id: String): Pattern = Pattern.compile("(.*:id/)?" + Pattern.quote(id))

    private fun classed(name: String): Pattern = Pattern.compile("(.*\\.)?" + Pattern.quote(name))

    private fun scroll(side: Direction) {
        find(By.scrollable(true)).scroll(side, 0.8f)
    }
