import { DAY_S } from '@tollgate/contracts/platform/durations';

/** How long deliveries and their events can be read and replayed. */
export const RETENTION_S = 90 * DAY_S;
