import type { AuditEntry } from '@tollgate/contracts/audit';
import type { Clock } from '@tollgate/runtime/clock';
import type { EndpointHealth } from '../health/endpoint-health.ts';
import type { HeldTurn, TurnStore } from './turn-store.ts';

/** How old the endpoint may be that an attempt is made with: a changed URL or a rotated secret is used within this time. */
const REFRESH_MS = 1_000;
/** Looks at an idle turn before it is given back although it is used again and again: so that other instances have it in between. */
const MAX_LOOKS = 5;

/** The turns of this instance. */
export interface HeldTurns {
  /** The turn, taken or prolonged where that is needed. Null when nothing may be sent now. */
  hold(endpointId: string): Promise<HeldTurn | null>;
  /** Whether this instance has the turn, as far as it knows. */
  isHeld(endpointId: string): boolean;
  /** The endpoint's health, with what this instance has seen since the turn was taken. */
  healthOf(turn: HeldTurn): EndpointHealth;
  /** Keeps the health, and stores it in the order of these calls. False when the turn was lost or the endpoint changed. */
  saveHealth(turn: HeldTurn, health: EndpointHealth, audit: AuditEntry | null): Promise<boolean>;
  /**
   * Gives idle turns back that were not used since the last call, or were held for long. Giving one back after each delivery would cost two more
   * writes for each.
   */
  releaseIdle(isIdle: (endpointId: string) => boolean): Promise<void>;
  releaseAll(): Promise<void>;
  /** The next `hold` reads the endpoint again. */
  forget(endpointId: string): void;
}

interface Entry {
  turn: HeldTurn;
  takenAt: number;
  /** It has to be read again, however young it is. */
  isStale: boolean;
  wasUsed: boolean;
  /** How often it was asked since the turn was taken whether it is idle. */
  looks: number;
  health: EndpointHealth;
  saving: Promise<unknown>;
}

export function createHeldTurns(deps: { turns: TurnStore; turnMs: number; clock: Clock }): HeldTurns {
  const { turns, turnMs, clock } = deps;
  const held = new Map<string, Entry>();
  const taking = new Map<string, Promise<HeldTurn | null>>();

  async function take(endpointId: string): Promise<HeldTurn | null> {
    const before = held.get(endpointId);
    // What is being stored has to be stored before it is read again.
    await before?.saving;
    const now = clock.now();
    // While the turn has not ended, nobody else can have had it: what this instance knows of the health goes on.
    const isContinued = before !== undefined && now - before.takenAt < turnMs;
    const turn = await turns.take(endpointId, {
      now: new Date(now),
      until: new Date(now + turnMs),
      ...(isContinued && { token: before.turn.token }),
    });
    if (!turn) {
      held.delete(endpointId);
      return null;
    }
    const isUnchanged = isContinued && before.turn.endpoint.version === turn.endpoint.version;
    const { health, saving } = isUnchanged
      ? before
      : { health: turn.endpoint.health, saving: Promise.resolve() };
    const looks = isContinued ? before.looks : 0;
    held.set(endpointId, { turn, takenAt: now, isStale: false, wasUsed: true, looks, health, saving });
    return turn;
  }

  function entryOf({ token, endpoint }: HeldTurn): Entry | undefined {
    const entry = held.get(endpoint.id);
    return entry?.turn.endpoint.version === endpoint.version || entry?.turn.token === token
      ? entry
      : undefined;
  }

  function isFresh(entry: Entry): boolean {
    return !entry.isStale && clock.now() - entry.takenAt < REFRESH_MS;
  }

  async function release(endpointIds: string[]): Promise<void> {
    const entries = endpointIds.flatMap((endpointId) => {
      const entry = held.get(endpointId);
      return entry === undefined || taking.has(endpointId) ? [] : [entry];
    });
    for (const { turn } of entries) held.delete(turn.endpoint.id);
    await Promise.all(entries.map(({ saving }) => saving));
    await turns.release(entries.map(({ turn }) => turn));
  }

  return {
    async hold(endpointId) {
      const entry = held.get(endpointId);
      if (entry && isFresh(entry)) {
        entry.wasUsed = true;
        return entry.turn;
      }
      const underWay = taking.get(endpointId) ?? take(endpointId).finally(() => taking.delete(endpointId));
      taking.set(endpointId, underWay);
      return underWay;
    },

    isHeld(endpointId) {
      const entry = held.get(endpointId);
      return entry !== undefined && !entry.isStale && clock.now() - entry.takenAt < turnMs;
    },

    healthOf: (turn) => entryOf(turn)?.health ?? turn.endpoint.health,

    async saveHealth(turn, health, audit) {
      const entry = entryOf(turn);
      if (!entry) return false;
      entry.health = health;
      const saved = entry.saving.then(() => turns.saveHealth(entry.turn, health, audit));
      entry.saving = saved.catch(() => undefined);
      return saved;
    },

    async releaseIdle(isIdle) {
      const released: string[] = [];
      for (const [endpointId, entry] of held) {
        entry.looks += 1;
        if (isIdle(endpointId) && (!entry.wasUsed || entry.looks > MAX_LOOKS)) released.push(endpointId);
        entry.wasUsed = false;
      }
      await release(released);
    },

    releaseAll: () => release([...held.keys()]),

    forget(endpointId) {
      const entry = held.get(endpointId);
      if (entry) entry.isStale = true;
    },
  };
}
