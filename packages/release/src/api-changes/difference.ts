/**
 * Whether a client of the last release may notice the difference (docs/versioning.md). `undecided`: a person must judge,
 * for example whether a new pattern accepts the same strings.
 */
export type Impact = 'compatible' | 'breaking' | 'undecided';

export interface Difference {
  /** One sentence that identifies the difference, as the changelog spells it. */
  sentence: string;
  impact: Impact;
  /** Details that a person wants to see, but need not repeat. */
  note?: string | undefined;
}

/** Requests are written by clients, responses and the bodies of webhooks are read by them. */
export type Direction = 'request' | 'response';

/** A part of an API: an operation or a named schema, and a path of fields in it. */
export interface Place {
  direction: Direction;
  /** `POST /v1/payments`, `webhook payment.created`, or the name of a schema. */
  owner: string;
  /** What the path leads through: `request`, `response`, `query parameter`. */
  kind: string;
  /** Fields joined by dots, with `[]` for items of a list and `*` for values of a map. */
  path: string;
}

export function placeText({ owner, kind, path }: Place): string {
  return path === '' ? `\`${owner}\` ${kind}` : `\`${owner}\` ${kind} \`${path}\``;
}
