import { createHash } from 'node:crypto';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { networkOf } from '@tollgate/security/client-network';
import { createRecentBlocks } from './recent-blocks.ts';
import {
  ADDRESS_POLICY,
  type AttemptRecord,
  countedAttempt,
  MAIL_POLICY,
  SUBJECT_POLICY,
  type ThrottlePolicy,
} from './throttle.ts';
import type { ThrottleStore } from './throttle-store.ts';

/** Losing this many races in a row itself indicates many concurrent attempts. */
const MAX_RACES = 50;

/** An attempt in flight. It counts as failed until its outcome is reported, so that no burst outruns the count. */
export interface Attempt {
  /** Reports a success, which resets the subject's count. */
  succeeded(): Promise<void>;
  /** Reports that the attempt had no outcome; it is not counted. */
  withdrawn(): Promise<void>;
}

export interface AttemptThrottle {
  /**
   * Throws `too-many-attempts` while the subject or the address is blocked. A rejected attempt is not counted.
   *
   * @param address undefined where the subject alone is enough: it proved earlier that it is not anyone. Null for an address that is
   *   unreadable: all callers without an address count as one
   */
  begin(subject: AttemptSubject, address?: string | null): Promise<Attempt>;
}

/**
 * What attempts are counted by. Each kind has counts of its own: attempts of unknown devices never block a known one.
 *
 * - `account`: a sign-in from an unknown device. The name is the one that the caller gave, whether or not it exists: the
 *   responses are the same.
 * - `device`: a sign-in from a device on which the member signed in before. A device exists only after a complete sign-in,
 *   so guessing cannot create more of them.
 * - `passkey`: a sign-in with a passkey. The name is the credential that the caller gave.
 * - `signed-in`: a password or passkey with which a signed-in member confirms their identity.
 * - `totp-enrollment`: a code that completes the enrollment of an authenticator app.
 * - `setup-token`: a setup token that a member sends.
 * - `reset-link`: a request to mail a reset link. The name is the email that the caller gave. Each counts, because each mails.
 * - `domain`: a look-up of the DNS record of a domain.
 * - `user-code`: a code of a program's login that a member enters.
 * - `sso-failure`: a record of a failed sign-in with single sign-on, by team and network. It limits the records, not the sign-ins.
 */
export interface AttemptSubject {
  kind:
    | 'account'
    | 'device'
    | 'passkey'
    | 'signed-in'
    | 'totp-enrollment'
    | 'setup-token'
    | 'user-code'
    | 'reset-link'
    | 'domain'
    | 'sso-failure';
  name: string;
}

const SIGN_IN_COUNTS = { policy: SUBJECT_POLICY, addressKind: 'address' };
/** An address that requests many mails can still sign in. */
const MAIL_COUNTS = { policy: MAIL_POLICY, addressKind: 'mail-address' };

export function createAttemptThrottle(store: ThrottleStore, clock: Clock): AttemptThrottle {
  const recentBlocks = createRecentBlocks(clock);

  function rejectWhereBlocked(key: string): void {
    const until = recentBlocks.find(key);
    if (until) throw tooManyAttempts(until, new Date(clock.now()));
  }

  async function count(key: string, policy: ThrottlePolicy): Promise<AttemptRecord> {
    for (let race = 0; race < MAX_RACES; race++) {
      rejectWhereBlocked(key);
      const now = new Date(clock.now());
      const before = await store.find(key);
      const after = countedAttempt(before ?? neverTried(key), policy, now);
      if (after === null) {
        const { blocked_until } = before as AttemptRecord;
        recentBlocks.remember(key, blocked_until);
        throw tooManyAttempts(blocked_until, now);
      }
      if (await store.replace(before, after)) return after;
    }
    const now = new Date(clock.now());
    throw tooManyAttempts(new Date(now.getTime() + policy.firstDelayMs), now);
  }

  /**
   * A burst of attempts would compete for one document. Serializing them leaves only other instances to compete with.
   */
  const countInTurn = inTurn(count);

  async function uncount(counted: AttemptRecord | null): Promise<void> {
    if (!counted) return;
    await store.uncount(counted);
    recentBlocks.forget(counted._id);
  }

  return {
    async begin(subject, address) {
      const ofSubjectKey = subjectKey(subject);
      const { policy, addressKind } = subject.kind === 'reset-link' ? MAIL_COUNTS : SIGN_IN_COUNTS;
      const ofAddressKey = address === undefined ? null : `${addressKind}:${networkOf(address)}`;
      for (const key of [ofSubjectKey, ofAddressKey]) if (key !== null) rejectWhereBlocked(key);
      // The subject comes first: a flood at one account is rejected here, before it can block its address for others.
      const ofSubject = await countInTurn(ofSubjectKey, policy);
      let ofAddress: AttemptRecord | null = null;
      try {
        if (ofAddressKey !== null) ofAddress = await countInTurn(ofAddressKey, ADDRESS_POLICY);
      } catch (rejection) {
        await uncount(ofSubject);
        throw rejection;
      }
      return {
        async succeeded() {
          await store.delete(ofSubject._id);
          recentBlocks.forget(ofSubject._id);
          await uncount(ofAddress);
        },
        async withdrawn() {
          await uncount(ofSubject);
          await uncount(ofAddress);
        },
      };
    },
  };
}

/** Wraps the function so that its calls with one key run one after the other. */
function inTurn<Rest extends unknown[], Result>(
  call: (key: string, ...rest: Rest) => Promise<Result>,
): (key: string, ...rest: Rest) => Promise<Result> {
  const lastCalls = new Map<string, Promise<unknown>>();
  return (key, ...rest) => {
    const previous = lastCalls.get(key) ?? Promise.resolve();
    const next = () => call(key, ...rest);
    const current = previous.then(next, next);
    lastCalls.set(key, current);
    const clear = () => lastCalls.get(key) === current && lastCalls.delete(key);
    current.then(clear, clear);
    return current;
  };
}

/** Hashed, because people sometimes type their password into the email field. */
function subjectKey({ kind, name }: AttemptSubject): string {
  return `${kind}:${createHash('sha256').update(name).digest('hex')}`;
}

function neverTried(_id: string): AttemptRecord {
  return { _id, failures: 0, blocked_until: new Date(0), last_attempt_at: new Date(0) };
}

function tooManyAttempts(until: Date, now: Date): Problem {
  const retryAfterS = Math.ceil((until.getTime() - now.getTime()) / 1000);
  return new Problem('too-many-attempts', 'Too many attempts. Wait, then try again.', {
    retryAfterS,
  });
}
