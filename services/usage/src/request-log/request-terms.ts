import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';

/** Most selective first: a search reads the index for one field and compares the others. */
const FIELDS = [
  'payment_id',
  'idempotency_key_digest',
  'key_id',
  'client_address',
  'code',
  'application_id',
  'status',
  'operation',
] as const satisfies readonly (keyof LoggedRequest)[];

/** The fields of a request by which the log is searched. */
type Searchable = Pick<LoggedRequest, (typeof FIELDS)[number]>;

/** What a search can ask for. A status may be a class (`4xx`), and `aborted`. */
type RequestSearch = Partial<Record<keyof Searchable, string>>;

/** All terms of a request. One index over them serves every search, instead of an index for each field. */
export function termsOf(request: Searchable): string[] {
  const terms = FIELDS.flatMap((field) => {
    const value = request[field];
    return value == null || field === 'status' ? [] : [termOf(field, String(value))];
  });
  return [...terms, ...statusesOf(request.status).map((status) => termOf('status', status))];
}

/** The terms that a request must have, the most selective one first. */
export function termsOfSearch(search: RequestSearch): string[] {
  return FIELDS.flatMap((field) => {
    const value = search[field];
    return value === undefined ? [] : [termOf(field, value)];
  });
}

function statusesOf(status: number | null): string[] {
  return status === null ? ['aborted'] : [String(status), `${Math.floor(status / 100)}xx`];
}

function termOf(field: keyof Searchable, value: string): string {
  return `${field}:${value}`;
}
