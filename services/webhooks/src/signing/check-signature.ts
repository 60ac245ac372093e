import type { Actor } from '@tollgate/contracts/accounts/actor';
import type * as contract from '@tollgate/contracts/webhooks/rpc';
import { type SignatureCheck, WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import { findOwn } from '../access/find-own.ts';
import type { Context } from '../context.ts';
import { type Endpoint, signingSecrets } from '../endpoints/endpoint.ts';
import { checkAge } from './check-headers.ts';
import { explainMismatch, type SenderKnowledge } from './explain-mismatch.ts';
import { isSignedBy, parseTimestamp } from './received-webhook.ts';

/**
 * Checks whether a received request was signed for this endpoint, and explains why not. Creates no signature and changes nothing,
 * so there is no audit entry. Throws `not-found`, `forbidden`.
 */
export async function checkSignature(
  context: Context,
  actor: Actor,
  request: Static<typeof contract.checkSignature.request>,
): Promise<SignatureCheck> {
  const endpoint = await findOwn(context.endpoints, actor, request.endpoint_id);
  requireRole(actor, 'developer', 'check signatures of webhooks');
  const now = new Date(context.clock.now());
  const received = {
    id: request.webhook_id,
    timestamp: request.webhook_timestamp,
    signature: request.webhook_signature,
    body: request.body,
  };
  const timestampS = parseTimestamp(received.timestamp);
  const age_s = timestampS === null ? null : Math.floor(now.getTime() / 1000) - timestampS;
  const secrets = signingSecrets(endpoint, now).map(({ sealed }) =>
    context.cipher.open(sealed, endpoint._id),
  );
  const signer = secrets.findIndex((secret) => isSignedBy(secret, received));
  if (signer >= 0) {
    return { matches: true, secret: signer === 0 ? 'current' : 'old', age_s, findings: checkAge(age_s) };
  }
  const causes = explainMismatch(
    received,
    await gatherKnowledge(context, endpoint, secrets, received.id, now),
  );
  const isReadable = !causes.some(({ code }) => code === 'timestamp-in-milliseconds');
  return {
    matches: false,
    secret: null,
    age_s: isReadable ? age_s : null,
    findings: [...causes, ...(isReadable ? checkAge(age_s) : [])],
  };
}

async function gatherKnowledge(
  { endpoints, events, cipher }: Context,
  endpoint: Endpoint,
  signing: readonly string[],
  eventId: string,
  now: Date,
): Promise<SenderKnowledge> {
  const { team_id, application_id, environment } = endpoint;
  const everyEndpoint = { limit: WEBHOOK_LIMITS.endpointsPerApplication, cursor: null };
  const [event, siblings] = await Promise.all([
    events.find(team_id, eventId),
    endpoints.list(team_id, { application_id, environment }, everyEndpoint),
  ]);
  return {
    application_id,
    environment,
    signingSecrets: signing,
    expiredSecrets: endpoint.secrets.flatMap(({ sealed, expiresAt }) =>
      expiresAt !== null && expiresAt <= now
        ? [{ secret: cipher.open(sealed, endpoint._id), expiredAt: expiresAt }]
        : [],
    ),
    otherEndpoints: siblings.rows
      .filter(({ _id }) => _id !== endpoint._id)
      .map(({ _id: id, url, secrets }) => ({
        id,
        url,
        secrets: secrets.map(({ sealed }) => cipher.open(sealed, id)),
      })),
    event,
  };
}
