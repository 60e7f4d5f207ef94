// Drives the line of docs/how-to/embed-a-table.md through a socket of its own, without a service.
import assert from "node:assert/strict";

const sockets = [];
globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  said = [];
  constructor() { sockets.push(this); }
  send(text) { this.said.push(JSON.parse(text)); }
  close(code = 1000) { this.readyState = 3; this.onclose({ code }); }
  hear(message) { this.onmessage({ data: JSON.stringify(message) }); }
};
let watch; // what is to happen after a long silence
globalThis.setTimeout = (then, ms) => (ms === 20_000 ? (watch = then) : setImmediate(then));
globalThis.clearTimeout = (timer) => { if (timer === watch) watch = undefined; };

const { sitDown } = await import(new URL(process.argv[2], `file://${process.cwd()}/`));
const settled = async () => { for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done)); };

async function sit(renew = async () => "second") {
  sockets.length = 0;
  const told = { faults: [], again: 0, steps: 0 };
  const line = sitDown({ service: "http://doors", table: "nains-a", token: "first" }, {
    renew,
    fault: (code) => told.faults.push(code),
    again: () => { told.again += 1; },
    step: () => { told.steps += 1; },
    view: () => {},
  });
  await settled();
  sockets[0].onopen();
  return { told, line };
}

async function next() {
  await settled();
  sockets.at(-1).onopen();
  return sockets.at(-1).said;
}

for (const code of ["token_expired", "token_revoked", "wrong_token"]) { // the follow's token, while the socket is open
  const { told } = await sit();
  sockets[0].hear({ kind: "steps", last: 7, chapters: [{ steps: [{}] }] });
  sockets[0].hear({ kind: "unfollowed", re: null, table: "nains-a", seat: 0, code });
  assert.deepEqual(await next(), [{ token: "second" }, { follow: "nains-a", from: 7 }]);
  assert.deepEqual(told.faults, [code]);
}

{ // the first message's token: the service closes
  await sit();
  sockets[0].hear({ kind: "failed", re: 1, code: "token_expired" });
  if (sockets[0].readyState === 1) sockets[0].close(4001);
  assert.deepEqual((await next())[0], { token: "second" });
}

{ // a backend that is away for a moment is asked again
  let asked = 0;
  await sit(async () => { if (++asked < 3) throw new Error("away"); return "third"; });
  sockets[0].hear({ kind: "failed", re: 1, code: "wrong_token" });
  assert.deepEqual((await next())[0], { token: "third" });
}

{ // time helps: the same token on another socket
  const { told } = await sit();
  sockets[0].hear({ kind: "failed", re: 2, code: "store_away" });
  assert.deepEqual((await next())[0], { token: "first" });
  assert.deepEqual(told.faults, ["store_away"]);
}

for (const said of [{ kind: "unfollowed", code: "not_your_seat" }, { kind: "failed", re: 2, code: "unknown_table" }]) {
  const { told } = await sit(); // nothing helps: it is shown
  sockets[0].hear({ table: "nains-a", seat: 0, ...said });
  await settled();
  assert.equal(sockets.length, 1);
  assert.equal(sockets[0].readyState, 3);
  assert.deepEqual(told.faults, [said.code]);
}

{ // the store lost its last moments: the story is told anew on the same socket
  const { told } = await sit();
  sockets[0].hear({ kind: "steps", last: 9, chapters: [] });
  sockets[0].hear({ kind: "unfollowed", code: "version_ahead", details: { version: 7 } });
  assert.deepEqual(sockets[0].said.at(-1), { follow: "nains-a", from: 0 });
  assert.equal(told.again, 1);
}

{ // a command that is refused or cannot be read is shown, and not sent again
  const { told, line } = await sit();
  line.send({ kind: "concede", seat: 0 }, 3);
  line.send({ kind: "nonsense" }, 3);
  sockets[0].hear({ kind: "refused", re: 3, id: sockets[0].said[2].id, code: "stale_version" });
  sockets[0].hear({ kind: "failed", re: 4, code: "malformed" });
  sockets[0].close(1012);
  assert.equal((await next()).length, 2);
  assert.deepEqual(told.faults, ["stale_version", "malformed"]);
}
{ // a line that says nothing is asked for a sign of life, and stays while one comes
  await sit();
  watch();
  assert.deepEqual(sockets[0].said.at(-1), { ping: 1 });
  sockets[0].hear({ kind: "pong", re: 3, ping: 1 });
  watch();
  assert.deepEqual(sockets[0].said.slice(2), [{ ping: 1 }, { ping: 1 }]);
  assert.equal(sockets.length, 1);
}

{ // without one another socket goes on where this one stood, even when the old one never closes
  const { line } = await sit();
  sockets[0].close = () => {};
  sockets[0].hear({ kind: "steps", last: 7, chapters: [{ steps: [{}] }] });
  line.send({ kind: "concede", seat: 0 }, 7);
  watch();
  watch();
  const said = await next();
  assert.deepEqual(said.slice(0, 2), [{ token: "first" }, { follow: "nains-a", from: 7 }]);
  assert.equal(said.length, 3);
  assert.equal(sockets.length, 2);
  sockets[0].onclose({ code: 1006 }); // now it is known to be broken, too late to matter
  await settled();
  assert.equal(sockets.length, 2);
}

{ // what has ended is not watched
  await sit();
  sockets[0].hear({ kind: "view", view: { status: "over" } });
  assert.equal(watch, undefined);
}
process.exit(0);
