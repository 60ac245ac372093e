import type { Sort } from '../semantics/sort.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { IndexBounds } from './key-ranges.ts';

type SortDirection = 1 | -1;

/**
 * The direction in which a scan of the index returns documents in the order of the sort; undefined if neither does.
 * The sort can omit fields that are bound to one value, or contain them at any position.
 */
export function sortByIndex(index: IndexTable, bounds: IndexBounds, sort: Sort): SortDirection | undefined {
  const { fields } = index.definition;
  const fixed = bounds.ranges.length === 1 ? bounds.points : 0;
  // An array that contains the value can sort by another of its elements.
  const constants = new Set(
    fields.filter((_, at) => at < fixed && !index.multikeyFields[at]).map(({ path }) => path),
  );
  let position = fixed;
  let scanDirection: SortDirection | undefined;
  for (const { path, direction } of sort) {
    if (constants.has(path)) continue;
    const field = fields[position];
    // An array sorts by its smallest or largest element, but has an entry for each element.
    if (field === undefined || field.path !== path || index.multikeyFields[position]) return undefined;
    if (field.steps.some((step) => /^\d+$/.test(step))) return undefined;
    const needed: SortDirection = field.direction === direction ? 1 : -1;
    if (scanDirection !== undefined && scanDirection !== needed) return undefined;
    scanDirection = needed;
    position += 1;
  }
  // A document with arrays in other fields has several entries, of which the first is in the right place.
  return scanDirection ?? 1;
}
