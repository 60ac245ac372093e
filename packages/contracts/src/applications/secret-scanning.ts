import Type, { type Static } from 'typebox';
import { Nullable } from '../platform/schema.ts';

/**
 * The interface of GitHub's secret scanning partner program:
 * https://docs.github.com/en/code-security/secret-scanning/secret-scanning-partnership-program/secret-scanning-partner-program
 */
export const SECRET_SCANNING_PATH = '/v1/secret-scanning/alerts';

export const SECRET_SCANNING_HEADERS = {
  keyIdentifier: 'Github-Public-Key-Identifier',
  signature: 'Github-Public-Key-Signature',
} as const;

export const SECRET_SCANNING_LIMITS = {
  /** GitHub sends many matches in one request, and waits 30 s for the response. Each is a call of up to 5 s, ten at a time. */
  alerts: 1_000,
} as const;

export const SecretScanningAlert = Type.Object(
  {
    token: Type.String({ description: 'The credential that was found' }),
    type: Type.String({ description: 'Name of the pattern that matched, as registered with the scanner' }),
    url: Type.Optional(Nullable(Type.String(), 'Public address where the credential was found')),
    source: Type.Optional(Nullable(Type.String(), 'Kind of place, such as `commit` or `issue_comment`')),
  },
  // Unlike other requests: the scanner may send more fields.
  { additionalProperties: true },
);
export type SecretScanningAlert = Static<typeof SecretScanningAlert>;

export const SecretScanningAlerts = Type.Array(SecretScanningAlert, {
  maxItems: SECRET_SCANNING_LIMITS.alerts,
});

/** Whether an alert is about a credential of this installation. The scanner learns from it. */
export const SecretScanningFeedback = Type.Object({
  token_raw: Type.String({ description: 'The `token` of the alert' }),
  token_type: Type.String({ description: 'The `type` of the alert' }),
  label: Type.Enum(['true_positive', 'false_positive'] as const),
});
export type SecretScanningFeedback = Static<typeof SecretScanningFeedback>;
