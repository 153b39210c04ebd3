# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A headless Chromium for tests, by its DevTools protocol over two pipes: no package of Python is needed, and no port is opened."""
import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def program():
    """The path of a Chromium, or None: UPSWEEP_CHROMIUM, or one of its usual names."""
    named = os.environ.get("UPSWEEP_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. Requests that it sends are collected in `requests`, errors of its scripts in `errors`."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.write_end = os.pipe()
        self.read_end, answers = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                 f"--user-data-dir={self.profile.name}", "about:blank"]
        # The browser reads commands from descriptor 3 and writes answers to 4. The shell's high numbers keep the two apart.
        shell = f'exec 8<&{commands} 9>&{answers}; exec 3<&8 4>&9 8<&- 9>&-; exec "$0" "$@"'
        self.process = subprocess.Popen(["bash", "-c", shell, program(), *flags], pass_fds=(commands, answers), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.numbers, self.unread, self.events = itertools.count(1), b"", []
        self.requests, self.errors, self.session = [], [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write_end)  # the browser ends when its pipe does
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        self.profile.cleanup()

    def message(self):
        while b"\0" not in self.unread:
            part = os.read(self.read_end, 1 << 16)
            if not part:
                raise RuntimeError("the browser ended")
            self.unread += part
        text, _, self.unread = self.unread.partition(b"\0")
        found = json.loads(text)
        method, data = found.get("method"), found.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(data["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = data["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method:
            self.events.append(method)
        return found

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": self.session} if self.session else {})
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            found = self.message()
            if found.get("id") == number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']['message']}")
                return found["result"]

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self.message()

    def window(self, width, height, dark=False, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def run(self, script):
        """The value of an expression; a promise is waited for."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description", "error"))
        return found["result"].get("value")

    def key(self, key, code=0, text=None, modifiers=0):
        more = {"text": text} if text else {}
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
