import type { History } from '../history.ts';

/** docs/operating/failures.md: after an outage, gateways reject a key that was revoked meanwhile within 5 s. */
export const MAX_REVOCATION_DELAY_MS = 5_000;
const UNAUTHORIZED = 401;

/**
 * Lists requests that a gateway accepted although their key had been revoked for longer than the stated bound. While a fault lasts, a
 * revocation may not reach the gateways: the bound begins again with its end.
 */
export function acceptedRevokedKeys({ operations, keys, faults }: History): string[] {
  return keys.flatMap(({ id, name, hasSecret }) => {
    const revokedAt = acknowledgedAt(operations, name);
    if (revokedAt === null || !hasSecret) return [];
    const later = operations
      .flatMap(({ attempts }) => attempts)
      .filter(({ keyId, sentAt }) => keyId === id && sentAt > revokedAt);
    const accepted = later.filter(
      ({ status, isCounted, sentAt }) =>
        isCounted === true &&
        status !== UNAUTHORIZED &&
        delayOf(faults, revokedAt, sentAt) > MAX_REVOCATION_DELAY_MS,
    );
    const last = later.at(-1);
    return [
      ...accepted.map(({ sentAt }) => `${name} was accepted ${sentAt - revokedAt} ms after its revocation`),
      ...(last?.status === UNAUTHORIZED ? [] : [`${name} is not rejected in the end: ${last?.status}`]),
    ];
  });
}

/** Time from the revocation, or from the end of the last fault since, to the request; 0 during a fault. */
function delayOf(faults: History['faults'], revokedAt: number, sentAt: number): number {
  const before = faults.filter(({ startedAt }) => startedAt <= sentAt);
  const quietSince = Math.max(revokedAt, ...before.map(({ endedAt }) => endedAt));
  return Math.max(0, sentAt - quietSince);
}

function acknowledgedAt(operations: History['operations'], key: string): number | null {
  const times = operations
    .filter(({ operation }) => operation.kind === 'revoke-key' && operation.key === key)
    .flatMap(({ attempts }) => attempts.filter(({ status }) => status === 200).map(({ endedAt }) => endedAt));
  return times.length === 0 ? null : Math.min(...times);
}
