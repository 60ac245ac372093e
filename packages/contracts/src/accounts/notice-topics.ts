/** What notices to a team are about, for the choice of where they are sent. */
export const NOTICE_TOPICS = ['webhooks', 'credentials', 'settlements', 'payments', 'audit'] as const;
export type NoticeTopic = (typeof NOTICE_TOPICS)[number];
