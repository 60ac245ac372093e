import { typeid } from 'typeid-js';
import { TextOfPattern } from './schema.ts';

/** TypeID prefix of every kind of record. A TypeID is `<prefix>_<UUIDv7 in base32>`, so ids sort by creation time. */
export const ID_PREFIXES = {
  team: 'team',
  member: 'mem',
  invitation: 'inv',
  resetLink: 'rst',
  session: 'ses',
  passkey: 'pk',
  apiToken: 'tok',
  failedSignIn: 'fsi',
  application: 'app',
  apiKey: 'key',
  payment: 'pay',
  event: 'evt',
  webhookEndpoint: 'whe',
  delivery: 'dlv',
  attempt: 'att',
  audit: 'aud',
  auditVerification: 'avr',
  sandboxReset: 'sbr',
  approvalRequest: 'apr',
  gatewayInstance: 'gwi',
  mail: 'mail',
  request: 'req',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** TypeID spec 0.3: 26 characters of Crockford base32. The first is at most 7, so that the value fits 128 bits. */
const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const SUFFIX_LENGTH = 26;

export function newId(kind: IdKind): string {
  return typeid(ID_PREFIXES[kind]).toString();
}

export function isId(kind: IdKind, value: string): boolean {
  return ID_PATTERNS[kind].test(value);
}

/** Schema of one kind of id. */
export function Id(kind: IdKind, description?: string) {
  const sentence = `This must be a complete ID that starts with ${ID_PREFIXES[kind]}_.`;
  return TextOfPattern(ID_PATTERNS[kind].source, sentence, {
    ...(description !== undefined && { description }),
  });
}

/** Schema of a list of ids in one parameter of a query, as `readIds` reads it. */
export function Ids(kind: IdKind, { most, description }: { most: number; description: string }) {
  const prefix = ID_PREFIXES[kind];
  // Limited by its length, because RE2 accepts no pattern with so many repetitions.
  const pattern = `^${prefix}_${SUFFIX}(?:,${prefix}_${SUFFIX})*$`;
  const maxLength = most * (`${prefix}_,`.length + SUFFIX_LENGTH) - 1;
  const sentence = `This must be complete IDs that start with ${prefix}_, separated by commas.`;
  return TextOfPattern(pattern, sentence, { maxLength, description });
}

export function readIds(list: string): string[] {
  return [...new Set(list.split(','))];
}

export const ID_PATTERNS = Object.fromEntries(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [kind, new RegExp(`^${prefix}_${SUFFIX}$`)]),
) as Record<IdKind, RegExp>;
