/** Counts of payments end here: a page must not wait for the rest. Apart from the schemas, for pages of the dashboard. */
export const MAX_COUNTED_PAYMENTS = 1_000;
