import { newId } from '@tollgate/contracts/platform/ids';

/** A WebAuthn credential of a member. */
export interface Passkey {
  id: string;
  /** Chosen by the member. */
  name: string;
  /** The id that the authenticator gave the credential, in base64url. Unique in the installation. */
  credential_id: string;
  /** In COSE form (RFC 9052), in base64url. */
  public_key: string;
  /** Signatures so far; 0 on authenticators that do not count them. */
  counter: number;
  /** How browsers reach the authenticator, such as `usb` or `internal`. */
  transports: string[];
  /** Whether the authenticator backs it up. */
  backed_up: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

export function newPasskey(fields: Omit<Passkey, 'id' | 'created_at' | 'last_used_at'>, now: Date): Passkey {
  return { ...fields, id: newId('passkey'), created_at: now, last_used_at: null };
}
