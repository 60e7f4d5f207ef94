// As much of a browser as the page of docs/how-to/embed-a-table.md needs: it clicks the first choice there is.
const elements = new Map();

function element() {
  return {
    textContent: "",
    children: [],
    append(...more) { this.children.push(...more); },
    replaceChildren(...only) { this.children = only; if (only.length) setImmediate(() => only[0].onclick()); },
  };
}

globalThis.document = {
  createElement: element,
  getElementById(id) {
    if (!elements.has(id)) elements.set(id, element());
    return elements.get(id);
  },
};
const { fetch } = globalThis;
globalThis.fetch = (address, ...rest) => fetch(new URL(address, `${process.argv[2]}/table.html`), ...rest);

await import(new URL(process.argv[3], `file://${process.cwd()}/`));
while (!document.getElementById("status").textContent.startsWith("over")) await new Promise((done) => setTimeout(done, 20));
console.log(document.getElementById("story").children.map((line) => line.textContent).join("\n"));
console.log(document.getElementById("status").textContent);
process.exit(0);
