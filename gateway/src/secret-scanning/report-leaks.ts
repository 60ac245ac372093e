import * as accounts from '@tollgate/contracts/accounts/rpc';
import * as applications from '@tollgate/contracts/applications/rpc';
import type {
  SecretScanningAlert,
  SecretScanningFeedback,
} from '@tollgate/contracts/applications/secret-scanning';
import { digestApiKey, parseApiKey } from '@tollgate/security/api-key';
import { digestApiToken, parseApiToken } from '@tollgate/security/api-token';
import type { Keyring } from '@tollgate/security/keyring';
import type { CallService } from '../rpc/call-service.ts';
import { placeOf } from './parse-alerts.ts';

/** Enough to finish the largest request in time, and few enough to leave the services to other callers. */
const CONCURRENT_REPORTS = 10;

/** Reports alerts to the services that own the credentials. Throws when a report failed: the others are carried out. */
export type ReportLeaks = (
  alerts: readonly SecretScanningAlert[],
  request: { requestId: string },
) => Promise<SecretScanningFeedback[]>;

/** Digests leave the gateway, never a credential: under the policy `flag`, a reported key keeps working. */
export function createReportLeaks(deps: { callService: CallService; peppers: Keyring }): ReportLeaks {
  const { callService, peppers } = deps;

  async function isKnown(alert: SecretScanningAlert, options: { requestId: string }): Promise<boolean> {
    const { token } = alert;
    const place = placeOf(alert);
    const key = parseApiKey(token);
    if (key) {
      const report = { lookup_id: key.lookupId, digests: digestsOf(token, peppers), ...place };
      return (await callService(applications.reportLeakedKey, report, options)).is_known;
    }
    const apiToken = parseApiToken(token);
    if (!apiToken) return false;
    const digest = digestApiToken(token).toString('hex');
    const report = { lookup_id: apiToken.lookupId, digest, ...place };
    return (await callService(accounts.reportLeakedToken, report, options)).is_known;
  }

  return async function reportLeaks(alerts, options) {
    const waiting = [...firstOfEachToken(alerts)];
    const known = new Map<string, boolean>();
    const failures: unknown[] = [];
    async function work(): Promise<void> {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        try {
          known.set(next.token, await isKnown(next, options));
        } catch (error) {
          failures.push(error);
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT_REPORTS }, work));
    if (failures.length > 0) throw failures[0];
    return alerts.map(({ token, type }) => ({
      token_raw: token,
      token_type: type,
      label: known.get(token) ? 'true_positive' : 'false_positive',
    }));
  };
}

function digestsOf(token: string, peppers: Keyring): Record<string, string> {
  return Object.fromEntries(
    peppers.all().map(({ version, key }) => [version, digestApiKey(token, key).toString('hex')]),
  );
}

function firstOfEachToken(alerts: readonly SecretScanningAlert[]): Iterable<SecretScanningAlert> {
  return new Map(alerts.toReversed().map((alert) => [alert.token, alert])).values();
}
