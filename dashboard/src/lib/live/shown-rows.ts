import type { LiveChange } from './live-change.ts';

/** What the rows of a page are. The page highlights those that are new or have changed. `overview` is the home page. */
export type Rows = 'overview' | 'payments' | 'deliveries' | 'endpoints' | 'events';

/** The subject of a page; an omitted id matches any. */
export type Subject = { [Name in Exclude<keyof LiveChange, 'about'>]?: string | undefined };

/**
 * Whether the change may affect what the page shows. A page without a subject, such as a closed drawer, matches nothing. A change
 * to an endpoint does not name the deliveries that it affects, so it matches all of them.
 */
export function concernsRows(rows: Rows, subject: Subject | null, change: LiveChange): boolean {
  if (subject === null) return false;
  // A payment has a new event. No delivery announces it when no endpoint subscribes to its type.
  const showsIt =
    change.about === 'payment' ? rows !== 'deliveries' && rows !== 'endpoints' : rows !== 'payments';
  const names = Object.keys(subject) as (keyof Subject)[];
  return showsIt && names.every((name) => isWanted(subject[name], change[name]));
}

/** Id of the row that has changed; null when unknown. */
export function changedRow(rows: Rows, change: LiveChange): string | null {
  if (rows === 'events') return change.eventId ?? null;
  if (rows === 'deliveries') return change.deliveryId ?? null;
  // A delivery also names its endpoint and its payment, which did not change.
  if (rows === 'endpoints') return change.about === 'endpoint' ? (change.endpointId ?? null) : null;
  return change.about === 'payment' ? (change.paymentId ?? null) : null;
}

function isWanted(wanted: string | undefined, changed: string | undefined): boolean {
  return wanted === undefined || changed === undefined || wanted === changed;
}
