import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D §8.2.2: random, of 96 bits, the length that GCM is made for (§5.2.1.1). */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What makes a key of the configuration this use's own, and what a ciphertext belongs to. */
export interface EncryptionContext {
  /** 32 bytes or more. */
  key: Buffer;
  /** Keeps the derived key apart from any other use of the same configured key (RFC 5869 §3.2). */
  purpose: string;
  /** Id of the record: what is copied to another record does not decrypt there. */
  boundTo: string;
}

export interface Encrypted {
  iv: Buffer;
  tag: Buffer;
  ciphertext: Buffer;
}

/** AES-256-GCM under a random IV. */
export function encrypt(context: EncryptionContext, bytes: Buffer): Encrypted {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, derivedKey(context), iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context.boundTo));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return { iv, tag: cipher.getAuthTag(), ciphertext };
}

/** Throws when it was altered, or encrypted in another context. */
export function decrypt(context: EncryptionContext, { iv, tag, ciphertext }: Encrypted): Buffer {
  const decipher = createDecipheriv(ALGORITHM, derivedKey(context), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context.boundTo));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** The bytes of `iv`, `tag` and ciphertext in one, as `joined` wrote them. */
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

/** Configured keys may be longer than AES takes. */
function derivedKey({ key, purpose }: EncryptionContext): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
}
