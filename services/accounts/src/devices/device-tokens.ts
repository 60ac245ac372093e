import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Member } from '../members/member.ts';
import type { SecretEncryption } from '../secret-encryption.ts';

/** Long enough for a member who signs in a few times a year. */
export const DEVICE_TOKEN_LIFETIME_MS = 180 * DAY_MS;

const DEVICE_ID_BYTES = 12;
/** 132 bits. */
const DIGEST_LENGTH = 22;
/** Binds the encryption to device tokens. */
const OWNER = 'device token';

/** A device on which a member has signed in. */
export interface Device {
  id: string;
  memberId: string;
}

/**
 * Tokens of devices on which members have signed in. A token is a hint for the throttle: it replaces neither the password
 * nor the second factor. It can be read by this service only.
 */
export interface DeviceTokens {
  /** Issues a token for a device that has just signed in. A known one keeps its id, and with it its count of failed attempts. */
  issue(member: Member, known: Device | null): string;
  /**
   * Null for a token that is missing, altered, expired, for another email, or from before another password was set. Calls
   * `findMember` only for a token of this email, so that a flood with other tokens causes no query.
   *
   * @param email null where the caller does not give one: only a token of the current email of its member is valid
   */
  find(
    token: string | null,
    email: string | null,
    findMember: (memberId: string) => Promise<Member | null>,
  ): Promise<Device | null>;
}

interface Claims {
  member_id: string;
  device_id: string;
  email_digest: string;
  issued_at: number;
  password_digest: string;
}

export function createDeviceTokens(encryption: SecretEncryption, clock: Clock): DeviceTokens {
  function read(token: string, email: string | null): Claims | null {
    try {
      const claims = JSON.parse(encryption.decrypt(token, OWNER).toString('utf8')) as Claims;
      const isExpired = clock.now() - claims.issued_at >= DEVICE_TOKEN_LIFETIME_MS;
      const isOfOtherEmail = email !== null && claims.email_digest !== digest(email);
      return isExpired || isOfOtherEmail ? null : claims;
    } catch {
      // Not encrypted by this service, or under a key that was removed.
      return null;
    }
  }

  return {
    issue(member, known) {
      const claims: Claims = {
        member_id: member._id,
        device_id: known?.id ?? randomBytes(DEVICE_ID_BYTES).toString('base64url'),
        email_digest: digest(member.email ?? ''),
        issued_at: clock.now(),
        password_digest: passwordDigest(member),
      };
      return encryption.encrypt(Buffer.from(JSON.stringify(claims)), OWNER);
    },

    async find(token, email, findMember) {
      const claims = token === null ? null : read(token, email);
      const member = claims && (await findMember(claims.member_id));
      if (!claims || !member || claims.email_digest !== digest(member.email ?? '')) return null;
      if (claims.password_digest !== passwordDigest(member)) return null;
      return { id: claims.device_id, memberId: member._id };
    },
  };
}

/** A new password makes every device unknown, a lost one as well. */
function passwordDigest({ password }: Member): string {
  return digest(password?.hash ?? '');
}

/** Only compared with another digest in a token that nobody else can read or create. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);
}
