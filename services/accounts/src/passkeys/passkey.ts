import { newId } from '@tollgate/contracts/platform/ids';

/** A WebAuthn credential of a member. */
export interface Passkey {
  readonly id: string;
  /** Chosen by the member. */
  readonly name: string;
  /** The id that the authenticator gave the credential, in base64url. Unique in the installation. */
  readonly credentialId: string;
  /** In COSE form (RFC 9052), in base64url. */
  readonly publicKey: string;
  /** Signatures so far; 0 on authenticators that do not count them. */
  readonly counter: number;
  /** How browsers reach the authenticator, such as `usb` or `internal`. */
  readonly transports: readonly string[];
  /** Whether the authenticator backs it up. */
  readonly isSynced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export function newPasskey(fields: Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt'>, now: Date): Passkey {
  return { ...fields, id: newId('passkey'), createdAt: now, lastUsedAt: null };
}
