/** One value of a field, as text. */
export type ChangeValue =
  | { kind: 'unset' }
  | { kind: 'text'; text: string }
  /** RFC 3339. */
  | { kind: 'time'; at: string }
  | { kind: 'id'; id: string };

/** The change of one field. `field` is its path from the outside in: `['Limits', 'Live', 'Burst']`. */
export type ChangeRow =
  | { kind: 'value'; field: string[]; before: ChangeValue; after: ChangeValue }
  | { kind: 'list'; field: string[]; added: string[]; removed: string[]; kept: number };
