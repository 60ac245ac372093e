import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_TOLERANCE_S } from '@tollgate/contracts/headers';
import { openReader } from '@tollgate/contracts/open-reader';
import Type, { type Static } from 'typebox';
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
  reason: 'invalid signature' | 'invalid format' | 'clock difference too large';
  instanceId: string | null;
}

/** Returns the announcement, or why it is rejected. */
export function verifyAnnouncement(
  keyring: Keyring,
  text: string,
  nowMs: number,
): { announcement: Announcement } | { rejected: RejectedAnnouncement } {
  const json = signedJson(keyring, text);
  if (json === null) return rejected('invalid signature');
  const announcement = openReader(Announcement).read(JSON.parse(json));
  if (!announcement) return rejected('invalid format');
  const ageMs = Math.abs(nowMs - Date.parse(announcement.sent_at));
  return ageMs <= SIGNATURE_TOLERANCE_S * 1000
    ? { announcement }
    : rejected('clock difference too large', announcement.instance_id);
}

function rejected(reason: RejectedAnnouncement['reason'], instanceId: string | null = null) {
  return { rejected: { reason, instanceId } };
}

/** Returns the JSON of a signed text, or null when the signature is invalid. */
function signedJson(keyring: Keyring, text: string): string | null {
  const match = /^([A-Za-z0-9_-]{1,16})\.([0-9a-f]{64})\.(\{.*\})$/.exec(text);
  if (!match) return null;
  const [, version, mac, json] = match as unknown as [string, string, string, string];
  const key = keyring.get(version);
  if (!key || !timingSafeEqual(computeMac(key, json), Buffer.from(mac, 'hex'))) return null;
  return json;
}

function computeMac(key: Buffer, json: string): Buffer {
  return createHmac('sha256', key).update(PURPOSE).update('\n').update(json).digest();
}
