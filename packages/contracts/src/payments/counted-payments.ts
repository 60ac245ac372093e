// Apart from the schemas: pages of the dashboard need it without the library that validates.
/** Counts of payments end here: a page must not wait for the rest. */
export const MAX_COUNTED_PAYMENTS = 1_000;
