import type { Actor } from '@tollgate/contracts/accounts/actor';
import { findOwn } from '../access/find-own.ts';
import { requireRecentAuthenticationForSecret, requireRoleFor } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { auditAction } from './audit-action.ts';
import type { EndpointSecret } from './endpoint.ts';

/**
 * Returns the current secret. The audit entry is stored before the secret is read, so no reveal is missing from the audit log.
 * Throws `not-found`, `forbidden`, `reauthentication-required`.
 */
export async function revealSecret(context: Context, actor: Actor, endpointId: string): Promise<string> {
  const endpoint = await findOwn(context.endpoints, actor, endpointId);
  requireRoleFor(actor, endpoint.environment, 'reveal the secrets of webhook endpoints');
  requireRecentAuthenticationForSecret(actor, endpoint.environment, context);
  await auditAction(context, actor, endpoint, 'webhook_endpoint.secret_revealed');
  const [current] = endpoint.secrets as [EndpointSecret];
  return context.cipher.open(current.sealed, endpoint._id);
}
