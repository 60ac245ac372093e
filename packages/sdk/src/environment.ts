/** `sandbox` moves no real money. */
export type Environment = 'live' | 'sandbox';
