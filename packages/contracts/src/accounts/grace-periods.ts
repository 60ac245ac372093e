/** How long members may take to set up a second factor once their team requires one. Zero: they need it at once. */
export const GRACE_PERIODS_DAYS = [0, 7, 14, 30] as const;
