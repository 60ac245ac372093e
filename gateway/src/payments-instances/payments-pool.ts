import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Announcement } from '@tollgate/security/announcement';
import { type Dispatcher, Pool } from 'undici';

/** Instances announce themselves every second. One that misses three is considered down. */
export const ALIVE_FOR_MS = 3_500;
/** How long an instance that failed is skipped while others are available. */
export const EJECTED_FOR_MS = 1_000;
/** An instance that is silent for this long, while others announce themselves, does not return under this address. */
export const REMOVED_AFTER_MS = MINUTE_MS;

const CONNECTIONS_PER_INSTANCE = 128;
/**
 * Limit of requests in flight on one instance, including those that wait for a connection. Behind more than this, a
 * request would wait longer than callers do and hold its body in memory. Rejected immediately, the caller can retry.
 */
export const MAX_PENDING_PER_INSTANCE = 1_024;
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Below the idle timeout of payments, so that payments does not close a connection while a request is written to it.
 */
const IDLE_CONNECTION_MS = 30_000;

export interface PaymentsInstance {
  readonly id: string;
  readonly url: string;
  readonly dispatcher: Dispatcher;
  /** Requests in flight. The user of the instance counts them. */
  pending: number;
}

export interface PaymentsPool {
  update(announcement: Announcement): void;
  /**
   * Returns the instance to use next, other than `except` if possible; undefined when none is known or all are full.
   */
  choose(except?: PaymentsInstance): PaymentsInstance | undefined;
  /** Reports a failure of the instance: the pool prefers others for a moment. */
  eject(instance: PaymentsInstance): void;
  /** Number of instances that are alive and not draining. */
  aliveCount(): number;
  /** Waits for requests in flight, then closes all connections. */
  close(): Promise<void>;
}

interface Member extends PaymentsInstance {
  state: Announcement['state'];
  announcedAtMs: number;
  /**
   * Time of the latest announcement by the instance's own clock: an older one that arrives late must not undo draining.
   */
  sentAt: number;
  ejectedUntilMs: number;
}

/**
 * Tracks the payments instances that announce themselves. When none is alive, NATS is more likely down than
 * every instance at once, so the pool keeps using the last known ones as long as they respond.
 */
export function createPaymentsPool(deps: {
  clock: Clock;
  logger: Logger;
  connect?: (url: string) => Dispatcher;
}): PaymentsPool {
  const { clock, logger, connect = connectTo } = deps;
  const members = new Map<string, Member>();
  let turn = 0;

  function isAlive(member: Member): boolean {
    return member.state === 'serving' && clock.now() - member.announcedAtMs <= ALIVE_FOR_MS;
  }

  function candidates(): Member[] {
    const serving = [...members.values()].filter((member) => member.state === 'serving');
    const alive = serving.filter(isAlive);
    return alive.length > 0 ? alive : serving;
  }

  function remove(member: Member): void {
    members.delete(member.id);
    void member.dispatcher.close().catch((error: unknown) => {
      logger.warn(
        { instance_id: member.id, err: error },
        'failed to close the connections of a payments instance',
      );
    });
  }

  function removeSilent(): void {
    for (const member of members.values()) {
      if (clock.now() - member.announcedAtMs > REMOVED_AFTER_MS) remove(member);
    }
  }

  return {
    update({ instance_id: id, url, state, sent_at }) {
      const sentAt = Date.parse(sent_at);
      const known = members.get(id);
      if (known && sentAt < known.sentAt) return;
      if (known && known.url !== url) remove(known);
      const member = members.get(id) ?? {
        id,
        url,
        dispatcher: connect(url),
        pending: 0,
        state,
        announcedAtMs: 0,
        sentAt,
        ejectedUntilMs: 0,
      };
      if (member.state !== state || !members.has(id)) {
        logger.info({ instance_id: id, url, state }, 'payments instance announced');
      }
      member.state = state;
      member.announcedAtMs = clock.now();
      member.sentAt = sentAt;
      members.set(id, member);
      removeSilent();
    },

    choose(except) {
      const all = candidates();
      const others = all.filter((member) => member !== except && member.pending < MAX_PENDING_PER_INSTANCE);
      const ready = others.filter((member) => member.ejectedUntilMs <= clock.now());
      // All are ejected: trying one is better than rejecting, or one broken connection would block a single instance
      // for a second.
      const eligible = ready.length > 0 ? ready : others;
      turn = (turn + 1) % Number.MAX_SAFE_INTEGER;
      return leastPending(eligible, turn);
    },

    eject(instance) {
      const member = members.get(instance.id);
      if (member === instance) member.ejectedUntilMs = clock.now() + EJECTED_FOR_MS;
    },

    aliveCount: () => [...members.values()].filter(isAlive).length,

    async close() {
      const closing = [...members.values()].map((member) => member.dispatcher.close());
      members.clear();
      await Promise.all(closing);
    },
  };
}

/** The least busy member. Equally busy ones take turns. */
function leastPending(members: Member[], turn: number): Member | undefined {
  let best: Member | undefined;
  for (let index = 0; index < members.length; index++) {
    const member = members[(turn + index) % members.length] as Member;
    if (!best || member.pending < best.pending) best = member;
  }
  return best;
}

function connectTo(url: string): Dispatcher {
  return new Pool(url, {
    connections: CONNECTIONS_PER_INSTANCE,
    // A second request on the same connection would wait for the first and fail with it.
    pipelining: 1,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    // The gateway's own deadline covers connecting, headers, and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Explicit, because @fastify/reply-from turns it off by default: without verification, anyone could impersonate the
    // upstream.
    connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true },
  });
}
