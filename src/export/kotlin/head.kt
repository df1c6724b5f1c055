// Put it into a test module of its own, with androidx.test.uiautomator:uiautomator 2.2 or later: the data of
// the app is cleared first, which would end a test that runs inside of it.
import android.content.Context
import android.content.Intent
import android.net.Uri
import androidx.test.ext.junit.runners.AndroidJUnit4
import androidx.test.platform.app.InstrumentationRegistry
import androidx.test.uiautomator.By
import androidx.test.uiautomator.BySelector
import androidx.test.uiautomator.Direction
import androidx.test.uiautomator.UiDevice
import androidx.test.uiautomator.UiObject2
import androidx.test.uiautomator.Until
import java.util.regex.Pattern
import org.junit.Test
import org.junit.runner.RunWith

@RunWith(AndroidJUnit4::class)
