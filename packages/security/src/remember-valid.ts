import type { KeyObject } from 'node:crypto';

export type IsSigned = (text: string, publicKey: KeyObject, signature: Buffer) => boolean;

/** The values of a batch arrive close together, among those of other instances. */
export const MAX_REMEMBERED = 64;

/** Returns the check with a memory of the signatures that it found valid, each with the key that verified it. */
export function rememberValid(isSigned: IsSigned): IsSigned {
  const keys = new Map<string, KeyObject>();
  return (text, publicKey, signature) => {
    const id = `${signature.toString('base64')} ${text}`;
    if (keys.get(id) === publicKey) return true;
    if (!isSigned(text, publicKey, signature)) return false;
    keys.set(id, publicKey);
    const [oldest] = keys.keys();
    if (keys.size > MAX_REMEMBERED) keys.delete(oldest as string);
    return true;
  };
}
