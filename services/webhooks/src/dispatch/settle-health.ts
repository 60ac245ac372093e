import type { AuditEntry } from '@tollgate/contracts/audit';
import type { Clock } from '@tollgate/runtime/clock';
import { endpointAuditEntry } from '../audit-entry.ts';
import { type Attempt, isEventGone, requestedDisable } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  type AttemptOutcome,
  afterFailure,
  afterSuccess,
  type EndpointHealth,
} from '../health/endpoint-health.ts';
import type { Announce } from '../live/announce-changes.ts';
import type { HeldTurns } from './held-turns.ts';
import type { HeldTurn } from './turn-store.ts';

/** How old the time of the last success may be that is shown: writing it after each one would double the writes of a delivery. */
const SUCCESS_PRECISION_MS = 60_000;

/** Why an endpoint has to be disabled after an attempt. */
export interface DisableDecision {
  by: 'gone' | 'asked' | 'failing';
  reason: string;
}

/** Keeps the endpoint's health after an attempt; resolves to why the endpoint has to be disabled, or null. */
export async function settleHealth(
  { held, clock, enqueueAudit, announce }: SettleHealthDeps,
  turn: HeldTurn,
  attempt: Attempt,
): Promise<DisableDecision | null> {
  if (isEventGone(attempt)) return null;
  const now = clock.now();
  const requested = requestedDisable(attempt);
  const before = held.healthOf(turn);
  const { health, action } = nextHealth(before, outcomeOf(attempt), now);
  const audit = action === 'warn' ? warning(turn.endpoint, health, now) : null;
  const isStored = isWorthStoring(before, health) && (await held.saveHealth(turn, health, audit));
  if (isStored && audit) enqueueAudit(turn.endpoint.id, audit);
  if (isStored && looksDifferent(before, health)) announce.endpoint(turn.endpoint);

  if (requested === 'gone') return { by: 'gone', reason: 'It answered 410 Gone.' };
  if (requested === 'asked')
    return { by: 'asked', reason: 'It answered with the header webhook-delivery: disable.' };
  return action === 'disable'
    ? { by: 'failing', reason: 'It took nothing for 5 days, while deliveries failed.' }
    : null;
}

export interface SettleHealthDeps {
  held: HeldTurns;
  clock: Clock;
  enqueueAudit: (endpointId: string, audit: AuditEntry) => void;
  announce: Pick<Announce, 'endpoint'>;
}

function nextHealth(health: EndpointHealth, outcome: AttemptOutcome, now: number) {
  if (outcome === 'succeeded') return { health: afterSuccess(now), action: 'none' as const };
  return afterFailure(health, outcome, now);
}

/** A refused address and an answer that is late or none show nothing of whether there is a connection to be had. */
function outcomeOf({ error }: Attempt): AttemptOutcome {
  if (error === null) return 'succeeded';
  return ['connection', 'dns', 'tls'].includes(error.code) ? 'no-connection' : 'answered-failure';
}

function isWorthStoring(before: EndpointHealth, after: EndpointHealth): boolean {
  if (after.failingSince !== null || before.failingSince !== null) return true;
  return (after.lastSuccessAt ?? 0) - (before.lastSuccessAt ?? 0) >= SUCCESS_PRECISION_MS;
}

/** The time of the last success is shown too, but each delivery tells of its own. */
function looksDifferent(before: EndpointHealth, after: EndpointHealth): boolean {
  return (['failingSince', 'clockSince', 'pausedUntil'] as const).some((key) => before[key] !== after[key]);
}

function warning(endpoint: Endpoint, health: EndpointHealth, now: number): AuditEntry {
  return endpointAuditEntry(
    'webhook_endpoint.failing',
    null,
    endpoint,
    { ...endpoint, health },
    new Date(now),
  );
}
