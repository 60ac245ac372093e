import { readFile } from 'node:fs/promises';
import { parsePublicKey, type VerifyingKey } from '@tollgate/audit-log/keys';
import { AuditPublicKey } from '@tollgate/contracts/audit/audit-log';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import Type from 'typebox';
import { UsageError } from '../command.ts';

/** Response of the API. */
const KeyList = Type.Object({ data: Type.Array(AuditPublicKey, { minItems: 1 }) });

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/** PEM text starts with a dash, which `parseArgs` reads as an option unless the text follows `=`. */
export function withKeysJoined(args: string[]): string[] {
  return args.flatMap((arg, index) => {
    const isKey = (at: number) => args[at - 1] === '--public-key' && args[at]?.startsWith('-----BEGIN');
    if (isKey(index)) return [];
    return isKey(index + 1) ? [`${arg}=${args[index + 1]}`] : [arg];
  });
}

/** Returns the keys in all texts. A text is PEM itself, or a file with PEM blocks or with the API's response. */
export async function readPublicKeys(texts: readonly string[]): Promise<VerifyingKey[]> {
  const keys = await Promise.all(texts.map(readKeys));
  return keys.flat();
}

async function readKeys(text: string): Promise<VerifyingKey[]> {
  const isPem = text.includes('-----BEGIN');
  const source = isPem ? '--public-key' : text;
  const content = isPem ? text : await readKeyFile(text);
  try {
    return parseKeys(content);
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`);
  }
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read the public key: ${(error as Error).message}`);
  }
}

function parseKeys(content: string): VerifyingKey[] {
  const blocks = content.match(PEM);
  if (content.trimStart().startsWith('{')) {
    return parseKeyList(content).map(({ version, public_key }) => parsePublicKey(public_key, version));
  }
  if (blocks === null) {
    throw new Error(
      content.includes('PRIVATE KEY')
        ? 'this is a private key; pass the public key'
        : 'this is not a public key in PEM format (-----BEGIN PUBLIC KEY-----)',
    );
  }
  return blocks.map((pem) => parsePublicKey(pem, null));
}

function parseKeyList(content: string): AuditPublicKey[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    parsed = undefined;
  }
  const list = openReader(KeyList).read(parsed);
  if (!list) throw new Error('this is not a list of public keys in the format of the API');
  return list.data;
}
