/** How long NATS keeps a message that a consumer could not handle. An operator replays it after the fix. */
export const DEAD_LETTER_RETENTION_DAYS = 30;
