import type { SignatureFindingCode } from '@tollgate/contracts/webhooks/webhook';

/** The title of each finding; the checker adds the details. */
export const FINDING_TITLES: Record<SignatureFindingCode, string> = {
  'id-missing': 'Missing webhook-id',
  'timestamp-missing': 'Missing webhook-timestamp',
  'timestamp-malformed': 'Invalid timestamp',
  'timestamp-in-milliseconds': 'Timestamp in milliseconds',
  'timestamp-too-old': 'Timestamp too old',
  'timestamp-in-future': 'Timestamp in the future',
  'signature-missing': 'Missing webhook-signature',
  'signature-malformed': 'Invalid signature format',
  'signature-differs': 'Timestamp or signature from another delivery',
  'secret-expired': 'Signed with an expired secret',
  'secret-of-other-endpoint': 'Signed for another endpoint',
  'body-empty': 'Empty body',
  'body-trailing-line-break': 'Trailing line break in the body',
  'body-reserialized': 'JSON parsed and re-serialized',
  'body-wrong-charset': 'Body decoded with the wrong character set',
  'body-differs': 'Body changed',
  'event-unknown': 'Event not found',
  'event-of-other-environment': 'Event from the other environment',
  'event-of-other-application': 'Event from another application',
};
