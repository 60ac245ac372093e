import { LEAK_LIMITS } from '@tollgate/contracts/applications/leak';
import {
  type SecretScanningAlert,
  SecretScanningAlerts,
} from '@tollgate/contracts/applications/secret-scanning';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import { toPlainText } from '@tollgate/contracts/platform/plain-text';
import { Problem } from '@tollgate/contracts/platform/problem';
import { parseStrictJson } from '@tollgate/http/strict-json';

/** The alerts of a verified body. Throws `malformed-request`, `invalid-request`. */
export function parseAlerts(body: Buffer): SecretScanningAlert[] {
  const value = parseStrictJson(body);
  const reader = openReader(SecretScanningAlerts);
  const alerts = reader.read(value);
  if (alerts) return alerts;
  throw new Problem('invalid-request', `The alerts are not valid: ${reader.describeMismatch(value)}.`);
}

/** What members see of the place of a leak. An alert is not rejected for its texts: the credential has leaked. */
export function placeOf({ url, source }: SecretScanningAlert): { url: string | null; source: string | null } {
  return {
    url: url ? toPlainText(url).slice(0, LEAK_LIMITS.url) : null,
    source: source ? toPlainText(source).slice(0, LEAK_LIMITS.source) : null,
  };
}
