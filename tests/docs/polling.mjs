// Drives the polling of docs/how-to/embed-a-table.md by answers of its own, without a service.
import assert from "node:assert/strict";

const { sitDown } = await import(new URL(process.argv[2], `file://${process.cwd()}/`));
const settled = async () => { for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done)); };
process.on("unhandledRejection", (fault) => { throw fault; });

async function sit(answers) {
  const told = { faults: [], steps: [], views: 0 };
  globalThis.fetch = async (address) => {
    const [status, body] = answers[new URL(address).pathname.split("/").at(-1)].shift();
    return { ok: status < 400, status, headers: new Headers(), json: async () => body };
  };
  sitDown({ service: "http://doors", table: "nains-a", token: "first" }, {
    fault: (code) => told.faults.push(code),
    step: (step) => told.steps.push(step.kind),
    view: () => { told.views += 1; },
  });
  await settled();
  return told;
}

const page = (last, next) => [200, { chapters: [{ last, steps: [{ kind: `step ${last}` }] }], next }];

{ // steps come before their view, page by page, until the table is over
  const told = await sit({
    view: [[200, { version: 2, status: "running" }], [200, { version: 3, status: "over" }]],
    history: [page(1, 1), page(2, null), page(3, null)],
  });
  assert.deepEqual(told, { faults: [], steps: ["step 1", "step 2", "step 3"], views: 2 });
}

{ // a view that cannot be had is shown as what it is
  const told = await sit({ view: [[404, { code: "unknown_table" }]], history: [] });
  assert.deepEqual(told, { faults: ["unknown_table"], steps: [], views: 0 });
}

{ // and so is a story
  const told = await sit({
    view: [[200, { version: 2, status: "running" }]],
    history: [page(1, 1), [503, { code: "view_broken" }]],
  });
  assert.deepEqual(told, { faults: ["view_broken"], steps: ["step 1"], views: 0 });
}
process.exit(0);
