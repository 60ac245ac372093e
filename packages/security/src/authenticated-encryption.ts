import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** A random IV (NIST SP 800-38D §8.2.2) of 96 bits, the length that §5.2.1.1 recommends. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Binds a ciphertext to one purpose of a configured key, and to one record. */
export interface EncryptionContext {
  /** At least 32 bytes. */
  key: Buffer;
  /** Gives each use of the configured key its own derived key (RFC 5869 §3.2). */
  purpose: string;
  /** Id of the record. A ciphertext that is copied to another record cannot be decrypted there. */
  boundTo: string;
}

export interface Encrypted {
  iv: Buffer;
  tag: Buffer;
  ciphertext: Buffer;
}

/** Encrypts with AES-256-GCM and a random IV. */
export function encrypt(context: EncryptionContext, bytes: Buffer): Encrypted {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, derivedKey(context), iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context.boundTo));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return { iv, tag: cipher.getAuthTag(), ciphertext };
}

/** Throws when the ciphertext was altered, or encrypted in another context. */
export function decrypt(context: EncryptionContext, { iv, tag, ciphertext }: Encrypted): Buffer {
  const decipher = createDecipheriv(ALGORITHM, derivedKey(context), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context.boundTo));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** The inverse of `joined`. */
export function split(bytes: Buffer): Encrypted {
  return {
    iv: bytes.subarray(0, IV_BYTES),
    tag: bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
    ciphertext: bytes.subarray(IV_BYTES + TAG_BYTES),
  };
}

export function joined({ iv, tag, ciphertext }: Encrypted): Buffer {
  return Buffer.concat([iv, tag, ciphertext]);
}

/** Configured keys may be longer than an AES key. */
function derivedKey({ key, purpose }: EncryptionContext): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
}
