/** Random choices that a seed determines. */
export interface Random {
  /** From 0 to below 1. */
  fraction(): number;
  /** A whole number from `least` to `most`, both inclusive. */
  int(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** The items in random order. */
  shuffle<Item>(items: readonly Item[]): Item[];
  /** An independent source, so that what one part draws does not depend on how much another part has drawn. */
  fork(name: string): Random;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const int = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    int,
    chance: (probability) => fraction() < probability,
    shuffle: (items) =>
      items
        .map((item) => ({ item, rank: fraction() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
    pick: (items) => items[int(0, items.length - 1)] as (typeof items)[number],
    fork: (name) => createRandom(hashOf(`${seed} ${name}`)),
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
