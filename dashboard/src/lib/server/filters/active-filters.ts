import type { Typed } from './typed-filters.ts';

/** One active filter, with its label and the address of the list without it. */
export interface ActiveFilter {
  label: string;
  value: string;
  hrefWithout: string;
}

export interface Chip<Name extends string> {
  label: string;
  /** Set and removed together: an amount means nothing without its currency. */
  names: readonly [Name, ...Name[]];
  say: (typed: Typed<Name>) => string;
}

/** The active filters, in display order. */
export function activeFilters<Name extends string>(
  chips: readonly Chip<Name>[],
  typed: Typed<Name>,
  hrefOf: (typed: Typed<Name>) => string,
): ActiveFilter[] {
  return chips
    .filter(({ names: [name] }) => typed[name] !== '')
    .map(({ label, names, say }) => ({
      label,
      value: say(typed),
      hrefWithout: hrefOf({ ...typed, ...Object.fromEntries(names.map((name) => [name, ''])) }),
    }));
}
