import { parseApiKey } from '@tollgate/security/api-key';
import { parseApiToken } from '@tollgate/security/api-token';
import type { FastifyRequest } from 'fastify';
import { bearerCredential } from './bearer-credential.ts';

/**
 * The lookup id of a complete API key or API token. Nothing of any other credential is used: it may be a secret of
 * another system.
 */
export function sentLookupId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const credential = bearerCredential(headers.authorization ?? '') ?? '';
  return (parseApiKey(credential) ?? parseApiToken(credential))?.lookupId;
}
