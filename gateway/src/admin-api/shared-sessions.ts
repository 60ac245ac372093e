import { type Clock, isYoungerThan } from '@tollgate/runtime/clock';
import type { Session } from '../request/request-state.ts';

/**
 * How long the calls of a page request share an exchange, from its start. Few pages take longer, and later calls exchange the session
 * again. A caller that repeats an id thus outlives the end of its session by no more than this.
 */
export const SHARED_SESSION_MS = 1_000;
/** The oldest beyond this number are dropped. An entry takes about 2 KB. */
export const MAX_SHARED_SESSIONS = 5_000;

export interface SharedSessions {
  /** Returns the session that another call with this key opens, or has just opened. Opens one itself otherwise, and throws as `open`. */
  share(key: string, open: () => Promise<Session>): Promise<Session>;
}

export function createSharedSessions(clock: Clock): SharedSessions {
  /** The oldest is first. Null: an exchange that failed, or whose actor token is for one call only. */
  const shared = new Map<string, { startedAt: number; opened: Promise<Session | null> }>();
  const isRecent = (startedAt: number) => isYoungerThan(clock, startedAt, SHARED_SESSION_MS);

  function dropOld(): void {
    for (const [key, { startedAt }] of shared) {
      if (shared.size < MAX_SHARED_SESSIONS && isRecent(startedAt)) return;
      shared.delete(key);
    }
  }

  return {
    async share(key, open) {
      const earlier = shared.get(key);
      // Without a pause if there is none: the next call must find the exchange of this one.
      const session = earlier && isRecent(earlier.startedAt) ? await earlier.opened : null;
      if (session) return session;
      shared.delete(key);
      dropOld();
      const startedAt = clock.now();
      const own = open();
      const opened = own.then(
        (session) => (session.isShareable ? session : null),
        () => null,
      );
      shared.set(key, { startedAt, opened });
      return own;
    },
  };
}
