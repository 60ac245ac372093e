// Apart from the schemas: pages of the dashboard need it without the library that validates.
export const DIFFERENCE_LIMITS = {
  /** Characters of a note. */
  note: 500,
} as const;
