import { DAY_MS } from '../platform/durations.ts';

export const INVITATION_LIFETIME_MS = 7 * DAY_MS;
