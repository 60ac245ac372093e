import type { SignatureFindingCode } from '@tollgate/contracts/webhook';

/** What was found, in a few words; the checker says the rest. */
export const FINDING_TITLES: Record<SignatureFindingCode, string> = {
  'id-missing': 'No webhook-id',
  'timestamp-missing': 'No webhook-timestamp',
  'timestamp-malformed': 'The timestamp cannot be read',
  'timestamp-in-milliseconds': 'The timestamp is in milliseconds',
  'timestamp-too-old': 'Receivers refuse it by now',
  'timestamp-in-future': 'The timestamp is in the future',
  'signature-missing': 'No webhook-signature',
  'signature-malformed': 'The signature cannot be read',
  'signature-differs': 'Timestamp and signature are not of this delivery',
  'secret-expired': 'Signed by an old secret',
  'secret-of-other-endpoint': 'Signed for another endpoint',
  'body-empty': 'No body',
  'body-trailing-line-break': 'A line break at the end of the body',
  'body-reserialized': 'The JSON was parsed and written again',
  'body-wrong-charset': 'The body was read in the wrong character set',
  'body-differs': 'The body was changed',
  'event-unknown': 'No such event',
  'event-of-other-environment': 'An event of the other environment',
  'event-of-other-application': 'An event of another application',
};
