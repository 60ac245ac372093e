import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';

/** `paused`: connections fail, and deliveries wait. `failing`: no attempt has succeeded since a failure. */
export type EndpointState = 'enabled' | 'failing' | 'paused' | 'disabled';

type Facts = Pick<WebhookEndpoint, 'status' | 'paused_until' | 'failing_since'>;

export function endpointState({ status, paused_until, failing_since }: Facts): EndpointState {
  if (status === 'disabled') return 'disabled';
  if (paused_until !== null) return 'paused';
  return failing_since === null ? 'enabled' : 'failing';
}

/**
 * Whether a member should act: the endpoint fails, or the platform has disabled it. An endpoint that a member has
 * disabled is as intended.
 */
export function needsAttention(endpoint: Facts & Pick<WebhookEndpoint, 'disabled'>): boolean {
  const state = endpointState(endpoint);
  return state === 'disabled' ? endpoint.disabled?.by !== 'member' : state !== 'enabled';
}
