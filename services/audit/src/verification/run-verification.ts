import { randomUUID } from 'node:crypto';
import { collectFindings } from '@tollgate/audit-log/verify/findings';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { Problem } from '@tollgate/contracts/platform/problem';
import { type BoundedQueue, createBoundedQueue } from '@tollgate/runtime/bounded-queue';
import { leaseTimes } from '@tollgate/store/lease';
import type { Context } from '../context.ts';
import type { LogProgress } from './check-documents.ts';
import type { StoredVerification } from './verification-store.ts';
import { verifyLog } from './verify-log.ts';

/** How often progress is reported. */
const HEARTBEAT_INTERVAL_MS = 1_000;
/** An instance without a heartbeat for this long is considered dead, and another one starts over. */
export const LEASE_MS = 15_000;
const START_ATTEMPTS = 5;
/** Verifications that an instance runs at a time. Each reads a whole log, which must not delay appends. */
const MAX_AT_ONCE = 2;
/** The others wait. A verification of a large log takes minutes, so further ones would wait for hours. */
const MAX_WAITING = 100;
const RETRY_AFTER_S = 60;

const NOTHING_CHECKED: LogProgress = { records_checked: 0, records: 0, heads_checked: 0, heads: 0 };

export type VerificationRunner = ReturnType<typeof createVerificationRunner>;

export function createVerificationRunner(context: Context) {
  const { verifications, clock, logger } = context;
  const instance_id = randomUUID();
  const running = new Set<Promise<void>>();
  const turns = createBoundedQueue({ atOnce: MAX_AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY });
  const stopping = new AbortController();

  function run(verification: StoredVerification): void {
    const done: Promise<void> = carryOut(context, turns, verification, stopping.signal)
      .catch((err: unknown) =>
        logger.error({ err, team_id: verification.team_id }, 'verification of an audit log failed'),
      )
      .finally(() => running.delete(done));
    running.add(done);
  }

  return {
    /** Starts a verification with this id in this instance, unless one is running for the team: then returns that one. */
    async start(team_id: string, _id: string): Promise<StoredVerification> {
      const earlier = await verifications.findRunning(team_id);
      if (earlier) return earlier;
      if (running.size >= MAX_AT_ONCE + MAX_WAITING) {
        throw new Problem('rate-limited', 'Too many verifications of other teams are waiting.', {
          retryAfterS: RETRY_AFTER_S,
        });
      }
      for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
        const { now, until } = leaseTimes(clock, LEASE_MS);
        const verification: StoredVerification = {
          _id,
          team_id,
          status: 'running',
          started_at: now.toISOString(),
          ended_at: null,
          ...NOTHING_CHECKED,
          last_head: null,
          findings: [],
          findings_count: 0,
          instance_id,
          leased_until: until,
        };
        if (await verifications.insert(verification)) {
          run(verification);
          return verification;
        }
        // Null when it ended in the meantime.
        const other = await verifications.findRunning(team_id);
        if (other) return other;
      }
      throw new Problem(
        'conflict',
        'Verifications of this log keep ending while the request is processed. Retry the request.',
      );
    },
    /** Restarts a verification that another instance abandoned. */
    async takeOver(): Promise<void> {
      // An instance that has a place for it now takes it over.
      if (running.size >= MAX_AT_ONCE) return;
      const update = { $set: { instance_id } };
      const found = await verifications.leases.acquire({}, leaseTimes(clock, LEASE_MS), { update });
      if (found) run(found);
    },
    /** Stops the verifications of this instance without a result; another instance takes them over. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function carryOut(
  context: Context,
  turns: BoundedQueue,
  verification: StoredVerification,
  stopped: AbortSignal,
): Promise<void> {
  const { verifications, metrics, clock } = context;
  const { team_id } = verification;
  const progress = { ...NOTHING_CHECKED };
  const findings = collectFindings();
  const lost = new AbortController();
  /** False when the verification no longer belongs to this instance. */
  async function note(more: Partial<StoredVerification> = {}): Promise<boolean> {
    const { kept, count } = findings;
    const fields = { ...progress, findings: kept, findings_count: count, ...more };
    const { until } = leaseTimes(clock, LEASE_MS);
    return (await verifications.leases.renew(verification, until, { $set: fields })) !== null;
  }
  async function end(status: 'intact' | 'tampered' | 'failed', last_head: AuditHead | null): Promise<void> {
    const ended_at = new Date(clock.now()).toISOString();
    if (await note({ status, last_head, ended_at })) metrics.verifications.inc({ outcome: status });
  }

  const beating = setInterval(() => {
    note().then(
      (isOurs) => isOurs || lost.abort(),
      // The lease outlives some failed updates.
      () => undefined,
    );
  }, HEARTBEAT_INTERVAL_MS);
  const signal = AbortSignal.any([stopped, lost.signal]);
  try {
    const lastHead = await turns.run(async () => {
      // It may have waited for long.
      signal.throwIfAborted();
      const seen = (await verifications.findLatestWithHead(team_id))?.last_head;
      return verifyLog(context, team_id, { progress, findings, seen: seen ? [seen] : [], signal });
    });
    clearInterval(beating);
    await end(findings.count === 0 ? 'intact' : 'tampered', lastHead);
  } catch (error) {
    clearInterval(beating);
    if (signal.aborted) return;
    await end('failed', null);
    throw error;
  }
}
