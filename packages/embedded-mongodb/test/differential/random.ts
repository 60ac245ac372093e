/** Random numbers determined by a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0, inclusive, to 1, exclusive. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both inclusive. */
  int(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.int(0, choices.length - 1)] as T;
  }

  /** Calls one of the functions, with a probability proportional to its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, make: () => T])[]): T {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.fraction() * total;
    for (const [weight, make] of choices) {
      left -= weight;
      if (left < 0) return make();
    }
    return (choices[0] as (typeof choices)[number])[1]();
  }

  list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: this.int(least, most) }, make);
  }

  /** Some of the choices, each at most once. */
  some<T>(least: number, most: number, choices: readonly T[]): T[] {
    const left = [...choices];
    const count = Math.min(left.length, this.int(least, most));
    return Array.from({ length: count }, () => left.splice(this.int(0, left.length - 1), 1)[0] as T);
  }

  /** Some of the paths. Usually, no path lies within another. */
  paths(least: number, most: number, choices: readonly string[]): string[] {
    const chosen = this.some(least, most, choices);
    return this.chance(0.1) ? chosen : apart(chosen);
  }
}

/** The paths, without those that collide with an earlier path. */
export function apart(paths: readonly string[]): string[] {
  const isWithin = (a: string, b: string) => a === b || a.startsWith(`${b}.`);
  return paths.filter((path, index) =>
    paths.slice(0, index).every((other) => !isWithin(path, other) && !isWithin(other, path)),
  );
}
