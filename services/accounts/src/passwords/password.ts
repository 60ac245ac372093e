import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { networkOf } from '@tollgate/security/client-network';
import { createHashQueue, type HashQueue } from './hash-queue.ts';

export interface Argon2Parameters {
  memoryKib: number;
  passes: number;
  parallelism: number;
}

/** A password as stored. The parameters are stored with the hash, so that new passwords can use stronger ones. */
export interface StoredPassword extends Argon2Parameters {
  algorithm: 'argon2id';
  /** base64 */
  salt: string;
  /** base64 */
  hash: string;
}

/** `address` is the caller's: hashing is expensive, so callers take turns. Throws `unavailable` when too many wait. */
export interface PasswordHasher {
  hash(password: string, address: string | null): Promise<StoredPassword>;
  /** Null for `stored` represents an account that does not exist: returns false after the same work. */
  verify(password: string, stored: StoredPassword | null, address: string | null): Promise<boolean>;
  /** Whether the hash uses weaker parameters than the current ones. */
  isOutdated(stored: StoredPassword): boolean;
}

export type Derive = (password: string, salt: Buffer, parameters: Argon2Parameters) => Promise<Buffer>;

/** OWASP Password Storage Cheat Sheet: the minimum for Argon2id is 19 MiB of memory, 2 passes, 1 lane. About 30 ms. */
export const PASSWORD_PARAMETERS: Argon2Parameters = { memoryKib: 19_456, passes: 2, parallelism: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

export function createPasswordHasher({
  derive = deriveArgon2id,
  parameters = PASSWORD_PARAMETERS,
  queue = createHashQueue(),
}: {
  derive?: Derive;
  parameters?: Argon2Parameters;
  queue?: HashQueue;
} = {}): PasswordHasher {
  function deriveInTurn(password: string, salt: Buffer, of: Argon2Parameters, address: string | null) {
    return queue.run(networkOf(address), () => derive(comparable(password), salt, of));
  }

  /** Verified when there is no account, so that the response takes as long as any other. */
  const decoy: StoredPassword = {
    algorithm: 'argon2id',
    ...parameters,
    salt: randomBytes(SALT_BYTES).toString('base64'),
    hash: randomBytes(HASH_BYTES).toString('base64'),
  };

  return {
    async hash(password, address) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await deriveInTurn(password, salt, parameters, address);
      return {
        algorithm: 'argon2id',
        ...parameters,
        salt: salt.toString('base64'),
        hash: hash.toString('base64'),
      };
    },

    async verify(password, stored, address) {
      const { salt, hash, ...of } = stored ?? decoy;
      const derived = await deriveInTurn(password, Buffer.from(salt, 'base64'), of, address);
      const isEqual = timingSafeEqual(derived, Buffer.from(hash, 'base64'));
      return isEqual && stored !== null;
    },

    isOutdated(stored) {
      return stored.memoryKib < parameters.memoryKib || stored.passes < parameters.passes;
    },
  };
}

/** NIST SP 800-63B-4 §3.1.1.2: normalized, because keyboards compose the same character differently. */
function comparable(password: string): string {
  return password.normalize('NFKC');
}

/** Runs on a separate thread and does not block the event loop. */
function deriveArgon2id(password: string, salt: Buffer, of: Argon2Parameters): Promise<Buffer> {
  const options = {
    message: Buffer.from(password, 'utf8'),
    nonce: salt,
    parallelism: of.parallelism,
    tagLength: HASH_BYTES,
    memory: of.memoryKib,
    passes: of.passes,
  };
  return new Promise((resolve, reject) => {
    argon2('argon2id', options, (error, derived) => (error ? reject(error) : resolve(derived)));
  });
}
