import { collectFindings } from '@tollgate/audit-log/verify/findings';
import type { AuditHead, AuditVerification } from '@tollgate/contracts/audit/audit-log';
import { Problem } from '@tollgate/contracts/platform/problem';
import { type BoundedQueue, createBoundedQueue } from '@tollgate/runtime/bounded-queue';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { VerificationOutcome } from '../audit-metrics.ts';
import type { LogProgress } from './log-progress.ts';
import type { Lease, VerificationStore } from './verification-store.ts';
import { type LogVerifier, verifyLog } from './verify-log.ts';

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

export interface VerificationRunner {
  /** Starts a verification with this id in this instance, unless one is running for the team: then returns that one. */
  start(teamId: string, id: string): Promise<AuditVerification>;
  /** Restarts verifications that another instance abandoned. */
  takeOver(): Promise<void>;
  /** Stops the verifications of this instance without a result; another instance takes them over. */
  stop(): Promise<void>;
}

export interface RunnerDeps {
  verifications: VerificationStore;
  verifier: LogVerifier;
  instanceId: string;
  onEnded: (outcome: VerificationOutcome) => void;
  clock: Clock;
  logger: Logger;
}

export function createVerificationRunner(deps: RunnerDeps): VerificationRunner {
  const { verifications, instanceId, clock, logger } = deps;
  const running = new Set<Promise<void>>();
  const turns = createBoundedQueue({ atOnce: MAX_AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY });
  const stopping = new AbortController();
  const lease = () => leaseOf(deps);

  function run(teamId: string, verification: AuditVerification): void {
    const done: Promise<void> = carryOut({ ...deps, turns }, teamId, verification, stopping.signal)
      .catch((err: unknown) => logger.error({ err, team_id: teamId }, 'verification of an audit log failed'))
      .finally(() => running.delete(done));
    running.add(done);
  }

  return {
    async start(teamId, id) {
      const earlier = await verifications.findRunning(teamId);
      if (earlier) return earlier;
      if (running.size >= MAX_AT_ONCE + MAX_WAITING) throw tooMany();
      for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
        const verification = newVerification(id, clock);
        if (await verifications.insert(teamId, verification, lease())) {
          run(teamId, verification);
          return verification;
        }
        // Null when it ended in the meantime.
        const other = await verifications.findRunning(teamId);
        if (other) return other;
      }
      throw new Problem(
        'conflict',
        'Verifications of this log keep ending while the request is processed. Retry the request.',
      );
    },
    async takeOver() {
      // An instance that has a place for it now takes it over.
      if (running.size >= MAX_AT_ONCE) return;
      const now = new Date(clock.now());
      const found = await verifications.takeOverOfAllTeams(now, { instanceId, until: lease().until });
      if (found) run(found.teamId, found.verification);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function carryOut(
  deps: RunnerDeps & { turns: BoundedQueue },
  teamId: string,
  verification: AuditVerification,
  stopped: AbortSignal,
): Promise<void> {
  const { verifications, verifier, turns, onEnded, clock } = deps;
  const progress: LogProgress = { recordsChecked: 0, records: 0, headsChecked: 0, heads: 0 };
  const findings = collectFindings();
  const lost = new AbortController();
  const soFar = (): AuditVerification => ({
    ...verification,
    records_checked: progress.recordsChecked,
    records: progress.records,
    heads_checked: progress.headsChecked,
    heads: progress.heads,
    findings: findings.kept,
    findings_count: findings.count,
  });
  const note = (more: Partial<AuditVerification> = {}) =>
    verifications.update(teamId, { ...soFar(), ...more }, leaseOf(deps));
  async function end(status: VerificationOutcome, lastHead: AuditHead | null): Promise<void> {
    const isOurs = await note({ status, last_head: lastHead, ended_at: new Date(clock.now()).toISOString() });
    if (isOurs) onEnded(status);
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
      const seen = (await verifications.findLatestWithHead(teamId))?.last_head;
      return verifyLog(verifier, teamId, { progress, findings, seen: seen ? [seen] : [], signal });
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

function tooMany(): Problem {
  return new Problem('rate-limited', 'Too many verifications of other teams are waiting.', {
    retryAfterS: RETRY_AFTER_S,
  });
}

function leaseOf({ instanceId, clock }: Pick<RunnerDeps, 'instanceId' | 'clock'>): Lease {
  return { instanceId, until: new Date(clock.now() + LEASE_MS) };
}

function newVerification(id: string, clock: Clock): AuditVerification {
  return {
    id,
    status: 'running',
    started_at: new Date(clock.now()).toISOString(),
    ended_at: null,
    records_checked: 0,
    records: 0,
    heads_checked: 0,
    heads: 0,
    last_head: null,
    findings: [],
    findings_count: 0,
  };
}
