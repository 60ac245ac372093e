import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireRecentAuthenticationForSecret } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { newWebhookSecret } from '../secrets/signing-secret.ts';
import { changeEndpoint, type EndpointRef } from './change-endpoint.ts';
import type { EndpointWithSecret } from './create-endpoint.ts';
import { withRotatedSecret } from './endpoint.ts';

/** Creates a new secret; the old one also signs until the overlap ends. Throws `reauthentication-required`, and as `changeEndpoint`. */
export async function rotateSecret(
  context: Context,
  actor: Actor,
  request: EndpointRef & { overlapMs: number },
): Promise<EndpointWithSecret> {
  const secret = newWebhookSecret();
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.secret_rotated',
    what: 'rotate the secrets of webhook endpoints',
    apply(before, now) {
      requireRecentAuthenticationForSecret(actor, before.environment, context);
      return withRotatedSecret(before, context.cipher.seal(secret, before.id), request.overlapMs, now);
    },
  });
  return { endpoint, secret };
}
