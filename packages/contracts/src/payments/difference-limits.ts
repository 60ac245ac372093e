/** Apart from the schemas, for pages of the dashboard. `note`: characters. */
export const DIFFERENCE_LIMITS = { note: 500 } as const;
