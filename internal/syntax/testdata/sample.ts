import type { A } from "./a";
declare module "m" { export function f(x: number): asserts x is 1 }

enum Level { Low = 1, High = Low << 2 }
type Pair<K extends string, V = unknown> = readonly [key: K, ...rest: V[]] | { [P in K]?: V };
interface Shape<T> extends Base<T> { readonly area: number; (x: T): void; new (x: T): Shape<T>; method?<U>(u: U): u is T }

@decorated("x")
export abstract class Box<T> implements Shape<T> {
  private constructor(private readonly value: T, protected other?: string) { super() }
  abstract get area(): number;
  static of<T>(this: void, value: T): Box<T> {
    if (value === null) throw new Error(`no value for ${String(value)}`);
    return new Box<T>(value as T)!;
  }
  override run = <U,>(u: U): u is T => (u satisfies unknown) as never;
}

function over(a: string): void;
function over(a: number, b?: Level.High): void;
function over(a: any, b?: any) { for (const k in a) if (k) throw a[k] }
let v = <number>w, t: typeof import("x"), u: `a${string}`;
namespace N.M { export const q = 1 }
abstract class E {}
export = over;
