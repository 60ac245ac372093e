import { type Document, isNumeric } from '../bson/document.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { KeyField } from '../storage/index-definition.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { IndexBounds } from './key-ranges.ts';

export type SortDirection = 1 | -1;

/**
 * In which direction a scan of the index gives the wanted order, or undefined if in none. Leading fields that
 * are bound to one single value may be left out of the sort, or stand in it anywhere.
 */
export function sortByIndex(
  index: IndexTable,
  bounds: IndexBounds,
  sort: Document,
): SortDirection | undefined {
  const { fields } = index.definition;
  const constants = new Set<string>();
  if (bounds.ranges.length === 1) {
    bounds.fields.forEach((field, position) => {
      if (field.kind === 'points' && !index.multikeyFields[position])
        constants.add((fields[position] as KeyField).path);
    });
  }
  // An array that holds the one value may sort by another of its elements: no constant, but still a fixed prefix.
  let position =
    bounds.ranges.length === 1 ? bounds.fields.filter(({ kind }) => kind === 'points').length : 0;
  let scanDirection: SortDirection | undefined;
  for (const [path, value] of sort) {
    const wanted = directionOf(value);
    if (wanted === undefined) return undefined;
    if (constants.has(path) && fields[position]?.path !== path) continue;
    const field = fields[position];
    // An array sorts by its smallest or largest element, its entries stand at all of them.
    if (field === undefined || field.path !== path || field.hashed || index.multikeyFields[position])
      return undefined;
    if (field.steps.some((step) => /^\d+$/.test(step))) return undefined;
    const needed: SortDirection = field.direction === wanted ? 1 : -1;
    if (scanDirection !== undefined && scanDirection !== needed) return undefined;
    scanDirection = needed;
    position += 1;
  }
  // With other fields' arrays a document has several entries: each comes first in the right place, so that is fine.
  return scanDirection ?? 1;
}

function directionOf(value: unknown): SortDirection | undefined {
  if (!isNumeric(value)) return undefined;
  return toNearestDouble(value) < 0 ? -1 : 1;
}
