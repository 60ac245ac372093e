import { typeid } from 'typeid-js';

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
export const ID_SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}';
export const ID_SUFFIX_LENGTH = 26;

export function newId(kind: IdKind): string {
  return typeid(ID_PREFIXES[kind]).toString();
}

export function isId(kind: IdKind, value: string): boolean {
  return ID_PATTERNS[kind].test(value);
}

export function readIds(list: string): string[] {
  return [...new Set(list.split(','))];
}

export const ID_PATTERNS = Object.fromEntries(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [kind, new RegExp(`^${prefix}_${ID_SUFFIX}$`)]),
) as Record<IdKind, RegExp>;
