// What a browser lets a page ask of another origin: it asks before, and shows no more than the answer allows.
const PLAIN = { methods: ["GET", "HEAD", "POST"], headers: ["accept", "accept-language", "content-language"] };
const FORMS = ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"];
const SHOWN = ["cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma"];

const list = (text) => (text ?? "").split(",").map((each) => each.trim().toLowerCase()).filter(Boolean);

// Gives a fetch for a page at `page`; what a browser would forbid is told to `forbidden`, which does not return.
export function fetchFrom(page, forbidden) {
  const { origin } = new URL(page);
  const { fetch } = globalThis;

  function allows(answer, what) {
    const allowed = answer.headers.get("Access-Control-Allow-Origin");
    if (allowed !== origin) forbidden(`${what}: ${origin} may not ask, only ${allowed}`);
    if (!list(answer.headers.get("Vary")).includes("origin")) forbidden(`${what}: not Vary: Origin`);
  }

  async function preflight(address, method, names, what) {
    const asking = { Origin: origin, "Access-Control-Request-Method": method };
    if (names.length) asking["Access-Control-Request-Headers"] = names.join(",");
    const answer = await fetch(address, { method: "OPTIONS", headers: asking });
    if (!answer.ok) forbidden(`${what}: asked before, it answered ${answer.status}`);
    allows(answer, `${what}, asked before`);
    const methods = list(answer.headers.get("Access-Control-Allow-Methods"));
    if (!PLAIN.methods.includes(method) && !methods.includes(method.toLowerCase())) forbidden(`${what}: no such method`);
    const headers = list(answer.headers.get("Access-Control-Allow-Headers"));
    const missing = names.filter((each) => !headers.includes(each));
    if (missing.length) forbidden(`${what}: not with ${missing}`);
  }

  return async (path, options = {}) => {
    const address = new URL(path, page);
    if (address.origin === origin) return fetch(address, options);
    const method = (options.method ?? "GET").toUpperCase();
    const what = `${method} ${address.pathname}`;
    const sent = new Headers(options.headers);
    const isForm = FORMS.includes(sent.get("Content-Type")?.split(";")[0].trim().toLowerCase());
    const names = [...sent.keys()]
      .filter((each) => !PLAIN.headers.includes(each) && !(each === "content-type" && isForm))
      .sort();
    if (names.length || !PLAIN.methods.includes(method)) await preflight(address, method, names, what);
    sent.set("Origin", origin);
    const answer = await fetch(address, { ...options, headers: sent });
    allows(answer, what);
    const shown = [...SHOWN, ...list(answer.headers.get("Access-Control-Expose-Headers"))];
    const get = answer.headers.get.bind(answer.headers);
    answer.headers.get = (name) =>
      shown.includes(name.toLowerCase()) ? get(name) : forbidden(`${what}: its answer does not show ${name}`);
    return answer;
  };
}
