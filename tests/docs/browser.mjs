// As much of a browser as the page of docs/how-to/embed-a-table.md needs: it clicks the first choice there is.
// It loads `table.html` and its scripts from the backend, and asks other origins as a browser does.
import { readFile } from "node:fs/promises";
import { fetchFrom } from "./cors.mjs";

const page = `${process.argv[2]}/table.html`;
const folder = new URL(`${process.argv[3]}/`, `file://${process.cwd()}/`); // scripts run from the files that are served

function fail(why) {
  console.error(why);
  process.exit(1);
}

async function load(address, kind) {
  const answer = await fetch(address);
  if (!answer.ok) fail(`${address}: ${answer.status}`);
  if (answer.headers.get("Content-Type").split(";")[0] !== kind) fail(`${address}: not ${kind}`);
  return answer.text();
}

async function check(address) { // a script, and what it imports, is there for a browser, too
  const text = await load(address, "text/javascript");
  const file = new URL(`.${new URL(address).pathname}`, folder);
  if (text !== (await readFile(file, "utf8"))) fail(`${address}: another than ${file}`);
  for (const [, path] of text.matchAll(/^import .* from "(.+)";$/gm)) await check(new URL(path, address).href);
  return file;
}

function element() {
  return {
    textContent: "",
    children: [],
    append(...more) { this.children.push(...more); },
    replaceChildren(...only) { this.children = only; if (only.length) setImmediate(() => only[0].onclick()); },
  };
}

const html = await load(page, "text/html");
const tags = [...html.matchAll(/<(\w+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>/g)].map(([, name, rest]) => ({
  name,
  ...Object.fromEntries([...rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, key, value]) => [key, value ?? ""])),
}));
const ids = tags.flatMap(({ id }) => (id === undefined ? [] : [id]));
if (new Set(ids).size < ids.length) fail(`an id stands twice: ${ids}`);
const elements = new Map(ids.map((id) => [id, element()]));
const used = new Set();

globalThis.document = {
  createElement: element,
  getElementById(id) {
    used.add(id);
    return elements.get(id) ?? fail(`table.html has no element ${id}`);
  },
};
const scripts = [];
for (const { type, src } of tags.filter(({ name }) => name === "script")) {
  if (type !== "module") fail(`${src}: no module, so it cannot import`);
  scripts.push(await check(new URL(src, page).href));
}
if (!scripts.length) fail("table.html runs no script");
globalThis.fetch = fetchFrom(page, fail);
for (const script of scripts) await import(script);

const status = elements.get("status");
if (!status) fail("table.html has no element status");
while (!status.textContent.startsWith("over")) await new Promise((done) => setTimeout(done, 20));
const unused = ids.filter((id) => !used.has(id));
if (unused.length) fail(`no script uses ${unused}`);
console.log(elements.get("story").children.map((line) => line.textContent).join("\n"));
console.log(status.textContent);
process.exit(0);
