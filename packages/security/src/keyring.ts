/** Symmetric keys by version. The current key signs and encrypts; older keys only verify and decrypt. */
export interface Keyring {
  current: { version: string; key: Buffer };
  get(version: string): Buffer | undefined;
  all(): { version: string; key: Buffer }[];
}

/** NIST SP 800-107r1 §5.3.4: a key shorter than the hash output weakens HMAC-SHA-256. */
const MIN_KEY_BYTES = 32;

/**
 * Parses `2:<base64>,1:<base64>`; the first key is the current one. `exactBytes` is the key size of ciphers that allow only one.
 * Throws an Error that says what is wrong and never shows a key.
 */
export function parseKeyring(text: string, { exactBytes }: { exactBytes?: number } = {}): Keyring {
  const keys = new Map<string, Buffer>();
  for (const part of text.split(',')) {
    const match = /^([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/]+=*)$/.exec(part.trim());
    if (!match) throw new Error('must be a list of <version>:<base64 key>, separated by commas');
    const [, version, encoded] = match as unknown as [string, string, string];
    const key = Buffer.from(encoded, 'base64');
    if (exactBytes !== undefined && key.length !== exactBytes) {
      throw new Error(
        `has a key of ${key.length} bytes in version ${version}; create one of ${exactBytes} with: openssl rand -base64 ${exactBytes}`,
      );
    }
    if (key.length < MIN_KEY_BYTES) {
      throw new Error(
        `has a key of ${key.length} bytes in version ${version}; at least ${MIN_KEY_BYTES} are required`,
      );
    }
    if (keys.has(version)) throw new Error(`contains version ${version} twice`);
    keys.set(version, key);
  }
  return keyringOf(keys);
}

/** The keys by version; the first is the current one. */
export function keyringOf(keys: ReadonlyMap<string, Buffer>): Keyring {
  const [version, key] = keys.entries().next().value as [string, Buffer];
  return {
    current: { version, key },
    get: (wanted) => keys.get(wanted),
    all: () => [...keys].map(([version, key]) => ({ version, key })),
  };
}
