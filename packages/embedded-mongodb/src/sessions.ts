import { createHash } from 'node:crypto';
import { Binary, type BsonValue, type Document, documentOf } from './bson/document.ts';

/** As mongod's localLogicalSessionTimeoutMinutes. */
const TIMEOUT_MS = 30 * 60_000;
/** Beyond this many, those that have timed out are let go. */
const SWEEP_ABOVE = 1000;

/** The sessions that clients have used of late. They carry nothing; clients may ask for the list. */
export interface SessionRegistry {
  /** Notes that a command came with this `lsid`. */
  use(lsid: Document, userName: string | undefined): void;
  end(lsid: BsonValue): void;
  /** As `$listLocalSessions` answers: `{_id: {id, uid}, lastUse}`. */
  list(): Document[];
}

interface Session {
  id: Binary;
  userName: string;
  usedAt: number;
}

export function createSessionRegistry(now: () => number = Date.now): SessionRegistry {
  const sessions = new Map<string, Session>();

  function dropIdle(): void {
    for (const [key, { usedAt }] of sessions) if (now() - usedAt > TIMEOUT_MS) sessions.delete(key);
  }

  return {
    use(lsid, userName = '') {
      const id = lsid.get('id');
      if (!(id instanceof Binary)) return;
      if (sessions.size > SWEEP_ABOVE) dropIdle();
      sessions.set(id.toString('hex'), { id, userName, usedAt: now() });
    },
    end(lsid) {
      const id = lsid instanceof Map ? lsid.get('id') : undefined;
      if (id instanceof Binary) sessions.delete(id.toString('hex'));
    },
    list() {
      dropIdle();
      return [...sessions.values()].map(({ id, userName, usedAt }) =>
        documentOf({
          _id: documentOf({ id, uid: new Binary(createHash('sha256').update(userName).digest()) }),
          lastUse: new Date(usedAt),
        }),
      );
    },
  };
}
