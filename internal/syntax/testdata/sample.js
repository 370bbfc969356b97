// Forms of which the grammar has aliases, fields that repeat, and nodes that are hidden.
import fs, { readFile as read } from "node:fs";

export class Store extends Base {
  static #count = 0;
  limit = 10;

  constructor({ path, mode = "r" }, ...rest) {
    super(`store ${path}`);
    this.path = path;
  }

  get size() { return this.items?.length ?? 0 }

  async *read(first, second = first + 1) {
    for await (const { id, name: label } of this.rows) {
      if (!id && label !== undefined) throw new TypeError(`no id for ${label} in ${this.path}`);
      else if (id < 0 || id > this.limit) throw new RangeError("id " + id + " is out of range", { cause: id });
      yield id;
    }
    return a => b => ({ a, b, [`k${a}`]: 1 });
  }
}

label: for (let i = 0, n = 3; i < n; i++) {
  switch (i) {
    case 1: continue label;
    default: break label;
  }
}

const pattern = /[a-z]+\/(?<x>.)/giu.test(text) ? void 0 : typeof text
try { risky() } catch { /* nothing */ } finally { done() }
const page = <Page title="t" {...rest}>text {value} &amp; <b/></Page>;
var x = 0x1f, y = 1_000n, z = .5e-3
if (x) y++; else do { z-- } while (z > 0)
async () => { await import("./other.js"), new.target }
<!-- an old comment
