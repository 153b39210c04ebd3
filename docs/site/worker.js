// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search box of a site that is opened as a file: browsers start no worker there, so that a hidden frame runs the worker's script.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.addEventListener("load", () => this.start(url), {once: true});
      this.frame.srcdoc = "<!doctype html><title>search</title>";
      document.body.appendChild(this.frame);
    }

    start(url) {
      const inside = this.frame.contentWindow;
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}));
      const script = inside.document.createElement("script");
      script.src = url;
      script.addEventListener("load", () => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach(data => this.postMessage(data));
      });
      inside.document.body.appendChild(script);
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data}));
    }

    terminate() { this.frame.remove(); }
  };
}
