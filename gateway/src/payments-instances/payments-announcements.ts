import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/platform/streams';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { type RejectedAnnouncement, verifyAnnouncement } from '@tollgate/security/announcement';
import type { Keyring } from '@tollgate/security/keyring';
import { ALIVE_FOR_MS, type PaymentsPool } from './payments-pool.ts';

export interface PaymentsAnnouncements {
  /**
   * Adds the instance to the pool. Only signed announcements are accepted: otherwise any client of NATS could redirect payments to
   * itself.
   */
  onAnnouncement(text: string): void;
  /**
   * Why this gateway cannot use payments; null if it can. An outage after the start is no reason: every gateway would leave the
   * balancer at once, and callers would get connection errors in place of a 503 that says what to do.
   */
  reasonNotUsable(): string | null;
}

export function createPaymentsAnnouncements(deps: {
  pool: PaymentsPool;
  signingKeys: Keyring;
  clock: Clock;
  logger: Logger;
}): PaymentsAnnouncements {
  const { pool, signingKeys, clock, logger } = deps;
  /** Instance and reason already logged: announcements come every second. Only valid signatures name an instance. */
  const reported = new Set<string>();
  let acceptedAtMs: number | null = null;
  let rejected: { reason: string; atMs: number } | null = null;

  const isRecent = (atMs: number) => clock.now() - atMs <= ALIVE_FOR_MS;

  function reject({ reason, detail, instanceId }: RejectedAnnouncement): void {
    rejected = { reason: detail, atMs: clock.now() };
    const once = `${instanceId} ${reason}`;
    if (reported.has(once)) return;
    reported.add(once);
    logger.warn(
      { subject: PAYMENTS_ANNOUNCEMENT_SUBJECT, instance_id: instanceId, reason: detail },
      'ignored an announcement; further ones of this kind are not logged',
    );
  }

  return {
    onAnnouncement(text) {
      const verified = verifyAnnouncement(signingKeys, text, clock.now());
      if ('rejected' in verified) {
        reject(verified.rejected);
        return;
      }
      pool.update(verified.announcement);
      if (verified.announcement.state === 'serving') acceptedAtMs = clock.now();
    },
    reasonNotUsable() {
      if (acceptedAtMs !== null && isRecent(acceptedAtMs)) return null;
      if (rejected && isRecent(rejected.atMs))
        return `no announcement of a payments instance is accepted: ${rejected.reason}`;
      return acceptedAtMs === null ? 'no payments instance has announced itself yet' : null;
    },
  };
}
