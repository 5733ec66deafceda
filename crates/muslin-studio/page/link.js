// The socket to the solver.

/** Talks to the server next to this page; `heard` has text, geometry, frame, opened and closed. */
export class Link {
  constructor(heard) {
    this.heard = heard;
    this.connect();
  }

  connect() {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.addEventListener("open", () => this.heard.opened());
    this.socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.heard.text(JSON.parse(data));
      else if (new Uint8Array(data, 0, 1)[0] === 2) this.heard.geometry(data);
      else this.heard.frame(data);
    });
    this.socket.addEventListener("close", () => {
      this.heard.closed();
      setTimeout(() => this.connect(), 1500);
    });
  }

  say(what, more = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ do: what, ...more }));
  }
}
