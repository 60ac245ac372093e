import { MINUTE_MS } from '../platform/durations.ts';

/**
 * What cannot be undone needs a sign-in, or a confirmation of the identity, within this time. Long enough to set up an integration
 * without a second confirmation, short enough that a browser left open gives away nothing permanent.
 */
export const RECENT_AUTHENTICATION_MS = 30 * MINUTE_MS;
