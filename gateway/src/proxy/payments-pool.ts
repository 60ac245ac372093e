import { MINUTE_MS } from '@tollgate/contracts/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Announcement } from '@tollgate/security/announcement';
import { type Dispatcher, Pool } from 'undici';

/** Instances announce themselves each second; one that misses three is taken for gone. */
export const ALIVE_FOR_MS = 3_500;
/** How long an instance that failed gets nothing while others are there. */
export const EJECTED_FOR_MS = 1_000;
/** An instance silent for this long, while others are heard, is not coming back under this address. */
export const FORGOTTEN_AFTER_MS = MINUTE_MS;

const CONNECTIONS_PER_INSTANCE = 128;
/**
 * Requests in flight on one instance, those that wait for a connection included. A wait behind more than this is longer than callers wait,
 * and each holds its body: rejected at once it can be sent again, when there is room.
 */
export const MAX_PENDING_PER_INSTANCE = 1_024;
const CONNECT_TIMEOUT_MS = 2_000;
/** Below the payments service's own, so that it does not close a connection just as a request is written to it. */
const IDLE_CONNECTION_MS = 30_000;

export interface PaymentsInstance {
  readonly id: string;
  readonly url: string;
  readonly dispatcher: Dispatcher;
  /** Requests in flight. Anyone who uses the instance counts them. */
  pending: number;
}

export interface PaymentsPool {
  hear(announcement: Announcement): void;
  /** The instance to use next, another one than `except` when there is one; undefined when none is known, or all are full. */
  choose(except?: PaymentsInstance): PaymentsInstance | undefined;
  /** Reports a failure of the instance: others are preferred for a moment. */
  eject(instance: PaymentsInstance): void;
  /** How many instances are heard and not draining. */
  aliveCount(): number;
  /** Waits for requests in flight, then closes all connections. */
  close(): Promise<void>;
}

interface Member extends PaymentsInstance {
  state: Announcement['state'];
  heardAtMs: number;
  /** Of the latest announcement, by the instance's own clock: a goodbye is not undone by an older greeting that arrives late. */
  sentAt: number;
  ejectedUntilMs: number;
}

/**
 * The payments instances that announced themselves. When none is heard at all, NATS is more likely to be away than every instance at
 * once, so the last known ones go on being used for as long as they respond.
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
    return member.state === 'serving' && clock.now() - member.heardAtMs <= ALIVE_FOR_MS;
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

  function forgetSilent(): void {
    for (const member of members.values()) {
      if (clock.now() - member.heardAtMs > FORGOTTEN_AFTER_MS) remove(member);
    }
  }

  return {
    hear({ instance_id: id, url, state, sent_at }) {
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
        heardAtMs: 0,
        sentAt,
        ejectedUntilMs: 0,
      };
      if (member.state !== state || !members.has(id)) {
        logger.info({ instance_id: id, url, state }, 'payments instance announced');
      }
      member.state = state;
      member.heardAtMs = clock.now();
      member.sentAt = sentAt;
      members.set(id, member);
      forgetSilent();
    },

    choose(except) {
      const all = candidates();
      const others = all.filter((member) => member !== except && member.pending < MAX_PENDING_PER_INSTANCE);
      const ready = others.filter((member) => member.ejectedUntilMs <= clock.now());
      // All ejected: trying one beats rejecting, or a single broken connection would stop a lone instance for a second.
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

/** The least busy one; equally busy ones take turns. */
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
    // A second request on a connection would wait for the first, and fail with it.
    pipelining: 1,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    // The gateway's own deadline covers connecting, headers and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Stated, because @fastify/reply-from turns it off unless asked: an unverified upstream could be anybody.
    connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true },
  });
}
