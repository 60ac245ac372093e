import { createHash } from 'node:crypto';
import { Problem } from '@tollgate/contracts/problem';
import type { Clock } from '@tollgate/service-kit/clock';
import ipaddr from 'ipaddr.js';
import {
  ACCOUNT_POLICY,
  ADDRESS_POLICY,
  type AttemptRecord,
  countedAttempt,
  type ThrottlePolicy,
} from './throttle.ts';
import type { ThrottleStore } from './throttle-store.ts';

/** Losing this many races in a row is itself a sign of many attempts at once. */
const MAX_RACES = 50;
/** A network of IPv6 addresses that one customer has; a single address of it costs nothing to change. */
const IPV6_PREFIX_BYTES = 8;

/** One attempt under way. It counts as failed until it is said otherwise, so that no burst outruns the count. */
export interface Attempt {
  /** It succeeded: the account begins anew. */
  succeeded(): Promise<void>;
  /** It neither succeeded nor failed: it never was. */
  withdrawn(): Promise<void>;
}

export interface AttemptThrottle {
  /**
   * Throws `too-many-attempts` while the account or the address has to wait. `account` is whatever was claimed, an
   * existing account or not: the answers are the same. A refused attempt counts for nothing.
   */
  begin(account: string, address: string | null): Promise<Attempt>;
}

export function createAttemptThrottle(store: ThrottleStore, clock: Clock): AttemptThrottle {
  async function count(key: string, policy: ThrottlePolicy): Promise<AttemptRecord> {
    for (let race = 0; race < MAX_RACES; race++) {
      const now = new Date(clock.now());
      const before = await store.find(key);
      const after = countedAttempt(before ?? neverTried(key), policy, now);
      if (after === null) throw tooManyAttempts((before as AttemptRecord).blockedUntil, now);
      if (await store.replace(before, after)) return after;
    }
    const now = new Date(clock.now());
    throw tooManyAttempts(new Date(now.getTime() + policy.firstDelayMs), now);
  }

  async function countAddress(address: string | null): Promise<AttemptRecord | null> {
    return address === null ? null : count(addressKey(address), ADDRESS_POLICY);
  }

  return {
    async begin(account, address) {
      // The account first: a flood at one account is refused here, before it can block its address for everybody there.
      const ofAccount = await count(accountKey(account), ACCOUNT_POLICY);
      const ofAddress = await countAddress(address).catch(async (refusal) => {
        await store.uncount(ofAccount);
        throw refusal;
      });
      const withdrawAddress = async () => {
        if (ofAddress) await store.uncount(ofAddress);
      };
      return {
        async succeeded() {
          await store.delete(ofAccount.key);
          await withdrawAddress();
        },
        async withdrawn() {
          await store.uncount(ofAccount);
          await withdrawAddress();
        },
      };
    },
  };
}

/** Hashed: what people type as their email is now and then their password. */
function accountKey(account: string): string {
  return `account:${createHash('sha256').update(account).digest('hex')}`;
}

function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return `address:${createHash('sha256').update(address).digest('hex')}`;
  const bytes = ipaddr.process(address).toByteArray();
  return `address:${Buffer.from(bytes.length === 4 ? bytes : bytes.slice(0, IPV6_PREFIX_BYTES)).toString('hex')}`;
}

function neverTried(key: string): AttemptRecord {
  return { key, failures: 0, blockedUntil: new Date(0), lastAttemptAt: new Date(0) };
}

function tooManyAttempts(until: Date, now: Date): Problem {
  const retryAfterS = Math.ceil((until.getTime() - now.getTime()) / 1000);
  return new Problem('too-many-attempts', 'Too many attempts have failed. Wait, then try again.', {
    retryAfterS,
  });
}
