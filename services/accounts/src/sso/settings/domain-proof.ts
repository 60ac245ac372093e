import { Resolver } from 'node:dns/promises';
import type { Domain } from './sso-settings.ts';

/** Together below the deadline of an RPC: the second try waits twice as long. */
const DNS_TIMEOUT_MS = 1_000;
const DNS_TRIES = 2;

/** Resolves a name to its TXT records. Rejects when there is none, or when no name server responds. */
export type LookUpTxt = (name: string) => Promise<string[]>;

/** Domains that the operator verified, with the team that may use each. */
export type OperatorDomains = ReadonlyMap<string, string>;

export async function lookUpTxt(name: string): Promise<string[]> {
  // A new resolver each time reads the current configuration of the host.
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  // A long record is transferred in parts (RFC 7208 §3.3).
  return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
}

export function recordName({ name }: Pick<Domain, 'name'>): string {
  return `_tollgate.${name}`;
}

export function recordValue({ verification_token }: Pick<Domain, 'verification_token'>): string {
  return `tollgate-domain-verification=${verification_token}`;
}
