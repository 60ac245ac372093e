import { DAY_MS } from '@tollgate/contracts/platform/durations';

/** After this time, a notice is old news, and the links in it have expired: it is not sent any more. */
export const NOTICE_MAX_AGE_MS = DAY_MS;
