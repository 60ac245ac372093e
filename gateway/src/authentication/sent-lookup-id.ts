import { parseApiKey } from '@tollgate/security/api-key';
import { parseApiToken } from '@tollgate/security/api-token';
import type { FastifyRequest } from 'fastify';

/**
 * The lookup id of a complete API key or API token. Nothing of any other credential is used: it may be a secret of
 * another system.
 */
export function sentLookupId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const [, credential = ''] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return (parseApiKey(credential) ?? parseApiToken(credential))?.lookupId;
}
