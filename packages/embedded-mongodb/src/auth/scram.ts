import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { saslprep } from '@mongodb-js/saslprep';
import { mongoError } from '../bson/mongo-error.ts';

/* The server side of SCRAM-SHA-256: RFC 5802 with RFC 7677, without channel binding. */

const HASH = 'sha256';
const HASH_BYTES = 32;
const SALT_BYTES = 28;
const NONCE_BYTES = 24;
/** mongod's scramSHA256IterationCount. */
const ITERATIONS = 15_000;
/** base64 of the GS2 header "n,,": no channel binding, no authorization identity. */
const CHANNEL_BINDING = 'biws';

/** What the server stores of a password. It suffices to verify a client's proof, but not to log in. */
export interface ScramCredentials {
  salt: Buffer;
  iterations: number;
  storedKey: Buffer;
  serverKey: Buffer;
}

export interface ScramConversation {
  /** The user name in the client's first message. */
  userName: string;
  /** The server's first message. */
  serverFirst: string;
  /** Verifies the client's proof and returns the server's last message. @throws AuthenticationFailed */
  finish(clientFinal: string): string;
}

export function deriveCredentials(password: string): ScramCredentials {
  const salt = randomBytes(SALT_BYTES);
  const prepared = saslprep(password, { allowUnassigned: true });
  const saltedPassword = pbkdf2Sync(prepared, salt, ITERATIONS, HASH_BYTES, HASH);
  return {
    salt,
    iterations: ITERATIONS,
    storedKey: createHash(HASH).update(hmac(saltedPassword, 'Client Key')).digest(),
    serverKey: hmac(saltedPassword, 'Server Key'),
  };
}

/**
 * Starts an exchange with the client's first message.
 * @param credentialsOf also returns credentials for unknown names, which no proof matches, so that the exchange does
 * not reveal which names exist
 */
export function beginScram(
  clientFirst: string,
  credentialsOf: (userName: string) => ScramCredentials,
): ScramConversation {
  const match = /^n,,(n=([^,]*),r=([^,]+))$/.exec(clientFirst);
  if (match === null) throw failed();
  const [, bare, escapedName, clientNonce] = match as unknown as [string, string, string, string];
  const userName = escapedName.replaceAll('=2C', ',').replaceAll('=3D', '=');
  const { salt, iterations, storedKey, serverKey } = credentialsOf(userName);
  const nonce = clientNonce + randomBytes(NONCE_BYTES).toString('base64');
  const serverFirst = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`;

  return {
    userName,
    serverFirst,
    finish(clientFinal) {
      const final = /^(c=([^,]+),r=([^,]+)),p=([A-Za-z0-9+/=]+)$/.exec(clientFinal);
      if (final === null || final[2] !== CHANNEL_BINDING || final[3] !== nonce) throw failed();
      const authMessage = `${bare},${serverFirst},${final[1]}`;
      const proof = Buffer.from(final[4] as string, 'base64');
      if (!isProofValid(proof, storedKey, authMessage)) throw failed();
      return `v=${hmac(serverKey, authMessage).toString('base64')}`;
    },
  };
}

function isProofValid(proof: Buffer, storedKey: Buffer, authMessage: string): boolean {
  if (proof.length !== HASH_BYTES) return false;
  const signature = hmac(storedKey, authMessage);
  const clientKey = proof.map((byte, at) => byte ^ (signature[at] as number));
  return timingSafeEqual(createHash(HASH).update(clientKey).digest(), storedKey);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac(HASH, key).update(text).digest();
}

function failed(): Error {
  return mongoError('AuthenticationFailed', 'Authentication failed.');
}
