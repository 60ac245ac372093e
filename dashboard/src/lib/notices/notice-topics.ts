import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';

interface TopicText {
  topic: NoticeTopic;
  label: string;
  description: string;
}

/** Topics as members choose them. */
export const TOPIC_TEXTS: readonly TopicText[] = [
  { topic: 'webhooks', label: 'Webhooks', description: 'An endpoint fails, or Tollgate disables it.' },
  {
    topic: 'credentials',
    label: 'API keys and tokens',
    description: 'A secret scanner finds one in public, or one expires soon.',
  },
  { topic: 'settlements', label: 'Settlements', description: 'A settlement needs a second member.' },
  { topic: 'payments', label: 'Payments', description: 'Payments are stuck at a processor.' },
  { topic: 'audit', label: 'Audit log', description: 'A verification of the audit log fails.' },
];
