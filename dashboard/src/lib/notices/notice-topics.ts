import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';

/** Topics as members choose them. */
export const TOPIC_OPTIONS: readonly { value: NoticeTopic; label: string; description: string }[] = [
  { value: 'webhooks', label: 'Webhooks', description: 'An endpoint fails, or Tollgate disables it.' },
  {
    value: 'credentials',
    label: 'API keys and tokens',
    description: 'A secret scanner finds one in public, or one expires soon.',
  },
  { value: 'settlements', label: 'Settlements', description: 'A settlement needs a second member.' },
  { value: 'payments', label: 'Payments', description: 'Payments are stuck at a processor.' },
  { value: 'audit', label: 'Audit log', description: 'A verification of the audit log fails.' },
];
