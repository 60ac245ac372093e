/** One value of a field, in words. */
export type ChangeValue =
  | { kind: 'unset' }
  | { kind: 'text'; text: string }
  /** RFC 3339. */
  | { kind: 'time'; at: string }
  | { kind: 'id'; id: string };

/** What became of one field; `field` leads to it from the outside in: `['Limits', 'Live', 'Burst']`. */
export type ChangeRow =
  | { kind: 'value'; field: string[]; before: ChangeValue; after: ChangeValue }
  | { kind: 'list'; field: string[]; added: string[]; removed: string[]; kept: number };
