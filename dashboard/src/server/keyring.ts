/** Symmetric keys by version: the first makes new values, the others still open what they once made. */
export interface Keyring {
  current: { version: string; key: Uint8Array };
  get(version: string): Uint8Array | undefined;
}

/** A256GCM (RFC 7518 §5.3) takes a key of exactly this size. */
const KEY_BYTES = 32;

/** Reads `2:<base64>,1:<base64>`. Throws an Error that says what is wrong and never shows a key. */
export function parseKeyring(text: string): Keyring {
  const keys = new Map<string, Uint8Array>();
  for (const part of text.split(',')) {
    const match = /^([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/]+=*)$/.exec(part.trim());
    if (!match) throw new Error('must be a list of <version>:<base64 key>, separated by commas');
    const [, version = '', encoded = ''] = match;
    const key = new Uint8Array(Buffer.from(encoded, 'base64'));
    if (key.length !== KEY_BYTES) {
      throw new Error(
        `has a key of ${key.length} bytes in version ${version}; make one of ${KEY_BYTES} with: openssl rand -base64 ${KEY_BYTES}`,
      );
    }
    if (keys.has(version)) throw new Error(`names version ${version} twice`);
    keys.set(version, key);
  }
  const [version, key] = keys.entries().next().value as [string, Uint8Array];
  return { current: { version, key }, get: (wanted) => keys.get(wanted) };
}
