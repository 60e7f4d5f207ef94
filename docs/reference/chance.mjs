// Recomputes the test vectors of chance.md with nothing but Node's own SHA-256.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hex = (text) => Buffer.from(text, "hex");

function number(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

class Chance {
  constructor(seed, version) {
    Object.assign(this, { seed, version, blocks: 0, words: [] });
  }

  word() {
    if (this.words.length === 0) {
      const block = sha256(this.seed, number(this.version), number(this.blocks++));
      this.words = [0, 8, 16, 24].map((place) => block.readBigUInt64BE(place));
    }
    return this.words.shift();
  }

  below(bound) {
    const n = BigInt(bound);
    const limit = 2n ** 64n - (2n ** 64n % n);
    let word;
    do word = this.word();
    while (word >= limit);
    return Number(word % n);
  }

  shuffle(values) {
    const deck = [...values];
    for (let last = deck.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [deck[last], deck[other]] = [deck[other], deck[last]];
    }
    return deck;
  }
}

const vectors = JSON.parse(readFileSync(new URL("chance-vectors.json", import.meta.url)));
let wrong = 0;
for (const vector of vectors) {
  const seed = sha256(hex(vector.secret), ...vector.salts.map(hex));
  const draws = vector.bounds.map(
    ((chance) => (bound) => chance.below(bound))(new Chance(seed, vector.version)),
  );
  const found = {
    commitment: sha256(hex(vector.secret)).toString("hex"),
    seed: seed.toString("hex"),
    draws,
    shuffled: new Chance(seed, vector.version).shuffle(Array.from({ length: vector.cards }, (_, card) => card)),
  };
  for (const [name, value] of Object.entries(found)) {
    if (JSON.stringify(value) !== JSON.stringify(vector[name])) {
      console.log(`${name} of version ${vector.version}: found ${JSON.stringify(value)}`);
      wrong += 1;
    }
  }
}
console.log(`${vectors.length} vectors, ${wrong} wrong`);
process.exit(wrong === 0 && vectors.length > 0 ? 0 : 1);
