import { createHmac, timingSafeEqual } from 'node:crypto';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { SIGNATURE_TOLERANCE_S } from '@tollgate/contracts/platform/headers';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import Type, { type Static } from 'typebox';
import { describeClockDifference } from './clock-difference.ts';
import type { Keyring } from './keyring.ts';

/** A payments instance announces itself every second. Gateways send no new requests to an instance that is `draining`. */
export const Announcement = Type.Object({
  instance_id: Type.String({ minLength: 1, maxLength: 64 }),
  url: Type.String({ pattern: '^https?://[^/?#@]+$' }),
  state: Type.Enum(['serving', 'draining'] as const),
  sent_at: Type.String({ format: 'date-time' }),
});
export type Announcement = Static<typeof Announcement>;

/** Distinguishes these MACs from those of principals, which use the same keys. */
const PURPOSE = 'tollgate-announcement';

/** `<key version>.<hex HMAC-SHA-256>.<JSON>`. Without a signature, any NATS client could attract payment traffic. */
export function signAnnouncement(keyring: Keyring, announcement: Announcement): string {
  const json = JSON.stringify(announcement);
  const { version, key } = keyring.current;
  return `${version}.${computeMac(key, json).toString('hex')}.${json}`;
}

/** Why an announcement is rejected. `instanceId` is null without a valid signature, because it would not be trustworthy. */
export interface RejectedAnnouncement {
  reason: 'unknown key' | 'invalid signature' | 'invalid format' | 'clock difference too large';
  instanceId: string | null;
  /** What to look at: the version of the key, or the difference of the clocks. */
  detail: string;
}

/** Returns the announcement, or why it is rejected. */
export function verifyAnnouncement(
  keyring: Keyring,
  text: string,
  nowMs: number,
): { announcement: Announcement } | { rejected: RejectedAnnouncement } {
  const match = /^([A-Za-z0-9_-]{1,16})\.([0-9a-f]{64})\.(\{.*\})$/.exec(text);
  if (!match) return rejected('invalid format', 'it is not signed');
  const [, version, mac, json] = match as unknown as [string, string, string, string];
  const key = keyring.get(version);
  if (!key) return rejected('unknown key', `INTERNAL_SIGNING_KEYS has no version ${version}`);
  if (!timingSafeEqual(computeMac(key, json), Buffer.from(mac, 'hex')))
    return rejected('invalid signature', `INTERNAL_SIGNING_KEYS has another key in version ${version}`);
  const announcement = openReader(Announcement).read(JSON.parse(json));
  if (!announcement) return rejected('invalid format', 'its fields are not valid');
  const aheadMs = Date.parse(announcement.sent_at) - nowMs;
  const allowedMs = SIGNATURE_TOLERANCE_S * SECOND_MS;
  if (Math.abs(aheadMs) <= allowedMs) return { announcement };
  const clocks = { clock: 'its clock', other: 'this one' };
  const difference = describeClockDifference(clocks, { aheadMs, allowedMs });
  return rejected('clock difference too large', difference, announcement.instance_id);
}

function rejected(reason: RejectedAnnouncement['reason'], detail: string, instanceId: string | null = null) {
  return { rejected: { reason, detail, instanceId } };
}

function computeMac(key: Buffer, json: string): Buffer {
  return createHmac('sha256', key).update(PURPOSE).update('\n').update(json).digest();
}
