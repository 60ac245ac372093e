import { USAGE_OPERATIONS, USAGE_OUTCOMES, type UsageWindowRow } from '@tollgate/contracts/usage/usage';
import {
  addLatency,
  emptyLatency,
  kindOf,
  type LatencyCounts,
  latencyPairs,
  packRows,
  visitRows,
} from '../packing/packed-rows.ts';
import type { Slot, Slots } from '../packing/packed-slots.ts';

interface RowSum {
  keyId: string;
  kind: number;
  requests: number;
  latency: LatencyCounts;
}

/** The sum of one point of a series, by key and kind. */
export interface SlotSum {
  windows: number;
  rows: Map<string, RowSum>;
}

export function emptySum(): SlotSum {
  return { windows: 0, rows: new Map() };
}

function rowOf(sum: SlotSum, keyId: string, kind: number): RowSum {
  const name = `${keyId} ${kind}`;
  let row = sum.rows.get(name);
  if (!row) {
    row = { keyId, kind, requests: 0, latency: emptyLatency() };
    sum.rows.set(name, row);
  }
  return row;
}

export function addWindowRow(
  sum: SlotSum,
  { key_id, operation, outcome, requests, latency }: UsageWindowRow,
): void {
  const kind = kindOf(USAGE_OPERATIONS.indexOf(operation), USAGE_OUTCOMES.indexOf(outcome));
  const row = rowOf(sum, key_id, kind);
  row.requests += requests;
  for (const [bucket, count] of latency) addLatency(row.latency, bucket, count);
}

/** Adds all points of a document: their sum is one point of the next level. */
export function addSlots(sum: SlotSum, slots: Slots, keys: readonly string[]): void {
  for (const { rows } of slots.values()) {
    visitRows(rows, (key, kind, requests) => {
      const row = rowOf(sum, keys[key] as string, kind);
      row.requests += requests;
      return row.latency;
    });
  }
}

/**
 * Sorted by key and kind, so that equal sums have equal bytes. Keys that are new to the document are appended to its
 * list.
 */
export function packSum({ windows, rows }: SlotSum, keys: string[]): Slot {
  const sorted = [...rows.values()].sort((a, b) =>
    a.keyId === b.keyId ? a.kind - b.kind : a.keyId < b.keyId ? -1 : 1,
  );
  return {
    windows,
    rows: packRows(
      sorted.map(({ keyId, kind, requests, latency }) => ({
        key: placeOf(keyId, keys),
        kind,
        requests,
        latency: latencyPairs(latency),
      })),
    ),
  };
}

function placeOf(keyId: string, keys: string[]): number {
  const place = keys.indexOf(keyId);
  return place === -1 ? keys.push(keyId) - 1 : place;
}
