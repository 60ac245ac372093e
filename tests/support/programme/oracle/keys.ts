import type { Attempt, History, PerformedOperation } from '../history.ts';
import type { OperationKind } from '../plan.ts';

/** docs/operating/failures.md: after an outage, gateways reject a key that was revoked meanwhile within 5 s. */
export const MAX_PROPAGATION_MS = 5_000;
const UNAUTHORIZED = 401;

/**
 * Lists requests that a gateway accepted although their key had been revoked for longer than the stated bound, and revoked keys that
 * are not rejected in the end. Also during a fault, no gateway trusts keys for longer than the staleness.
 */
export function acceptedRevokedKeys(history: History): string[] {
  return requestsByKey(history).flatMap(({ name, revokedAt, requests }) => {
    if (revokedAt === null) return [];
    const later = requests.filter(({ sentAt }) => sentAt > revokedAt);
    const accepted = later.filter(
      (request) =>
        request.isCounted === true &&
        (request.sentAt - revokedAt > history.principalsMaxStalenessMs ||
          delayOf(history, revokedAt, request) > MAX_PROPAGATION_MS),
    );
    const last = later.at(-1);
    return [
      ...accepted.map(({ sentAt }) => `${name} was accepted ${sentAt - revokedAt} ms after its revocation`),
      ...(last?.status === UNAUTHORIZED ? [] : [`${name} is not rejected in the end: ${last?.status}`]),
    ];
  });
}

/** Lists requests that a gateway rejected although their key had been created for longer than the stated bound. */
export function rejectedValidKeys(history: History): string[] {
  return requestsByKey(history).flatMap(({ name, createdAt, revocationSentAt, requests }) => {
    if (createdAt === null) return [];
    return requests
      .filter(({ status, sentAt }) => status === UNAUTHORIZED && sentAt < (revocationSentAt ?? Infinity))
      .filter((request) => delayOf(history, createdAt, request) > MAX_PROPAGATION_MS)
      .map(({ sentAt }) => `${name} was rejected ${sentAt - createdAt} ms after its creation`);
  });
}

/**
 * Time from a change of a key to a request. While a fault lasts, the change may not reach the gateways: the time begins again with the
 * end of the last fault, and is 0 during a fault.
 */
function delayOf({ faults }: History, changedAt: number, { sentAt }: Attempt): number {
  const before = faults.filter(({ startedAt }) => startedAt <= sentAt);
  const quietSince = Math.max(changedAt, ...before.map(({ endedAt }) => endedAt));
  return Math.max(0, sentAt - quietSince);
}

interface UsedKey {
  name: string;
  /** Acknowledged; null if the driver has not created it. */
  createdAt: number | null;
  revocationSentAt: number | null;
  /** Acknowledged. */
  revokedAt: number | null;
  requests: Attempt[];
}

/** The keys whose secret the driver knows. */
function requestsByKey({ keys, operations }: History): UsedKey[] {
  const requests = Map.groupBy(
    operations.flatMap(({ attempts }) => attempts),
    ({ keyId }) => keyId,
  );
  const changes = Map.groupBy(operations, ({ operation }) => ('key' in operation ? operation.key : ''));
  return keys
    .filter(({ hasSecret }) => hasSecret)
    .map(({ id, name }) => {
      const attemptsOf = (kind: OperationKind) => attemptsOfKind(changes.get(name) ?? [], kind);
      const revocations = attemptsOf('revoke-key');
      return {
        name,
        createdAt: firstSuccess(attemptsOf('create-key')),
        revocationSentAt: revocations[0]?.sentAt ?? null,
        revokedAt: firstSuccess(revocations),
        requests: requests.get(id) ?? [],
      };
    });
}

function attemptsOfKind(operations: PerformedOperation[], kind: OperationKind): Attempt[] {
  return operations.filter(({ operation }) => operation.kind === kind).flatMap(({ attempts }) => attempts);
}

function firstSuccess(attempts: Attempt[]): number | null {
  const times = attempts
    .filter(({ status }) => status !== null && status < 300)
    .map(({ endedAt }) => endedAt);
  return times.length === 0 ? null : Math.min(...times);
}
