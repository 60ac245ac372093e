import type { Actor } from '@tollgate/contracts/accounts/actor';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { requireRole } from '@tollgate/security/require-role';
import type { Context } from '../context.ts';
import { type Endpoint, signingSecrets } from '../endpoints/endpoint.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { checkAge } from './check-headers.ts';
import { explainMismatch, type SenderKnowledge } from './explain-mismatch.ts';
import { isSignedBy, parseTimestamp, type ReceivedWebhook } from './received-webhook.ts';
import type { SignatureFinding } from './signature-finding.ts';

export interface SignatureVerdict {
  matches: boolean;
  /** The secret that signed it; null when none matches. */
  secret: 'current' | 'old' | null;
  /** Seconds since its timestamp; null when the timestamp is missing or unreadable. */
  ageS: number | null;
  findings: SignatureFinding[];
}

/**
 * Checks whether a received request was signed for this endpoint, and explains why not. Creates no signature and changes nothing,
 * so there is no audit entry. Throws `not-found`, `forbidden`.
 */
export async function checkSignature(
  context: Context,
  actor: Actor,
  { endpointId, received }: { endpointId: string; received: ReceivedWebhook },
): Promise<SignatureVerdict> {
  const endpoint = await findEndpoint(context, actor, endpointId);
  requireRole(actor, 'developer', 'check signatures of webhooks');
  const now = new Date(context.clock.now());
  const timestampS = parseTimestamp(received.timestamp);
  const ageS = timestampS === null ? null : Math.floor(now.getTime() / 1000) - timestampS;
  const secrets = signingSecrets(endpoint, now).map(({ sealed }) => context.cipher.open(sealed, endpoint.id));
  const signer = secrets.findIndex((secret) => isSignedBy(secret, received));
  if (signer >= 0) {
    return { matches: true, secret: signer === 0 ? 'current' : 'old', ageS, findings: checkAge(ageS) };
  }
  const causes = explainMismatch(
    received,
    await gatherKnowledge(context, endpoint, secrets, received.id, now),
  );
  const isReadable = !causes.some(({ code }) => code === 'timestamp-in-milliseconds');
  return {
    matches: false,
    secret: null,
    ageS: isReadable ? ageS : null,
    findings: [...causes, ...(isReadable ? checkAge(ageS) : [])],
  };
}

async function gatherKnowledge(
  { endpoints, events, cipher }: Context,
  endpoint: Endpoint,
  signing: readonly string[],
  eventId: string,
  now: Date,
): Promise<SenderKnowledge> {
  const { teamId, applicationId, environment } = endpoint;
  const [event, siblings] = await Promise.all([
    events.find(teamId, eventId),
    endpoints.list(
      teamId,
      { applicationId, environment },
      { limit: WEBHOOK_LIMITS.endpointsPerApplication, cursor: null },
    ),
  ]);
  return {
    applicationId,
    environment,
    signingSecrets: signing,
    expiredSecrets: endpoint.secrets.flatMap(({ sealed, expiresAt }) =>
      expiresAt !== null && expiresAt <= now
        ? [{ secret: cipher.open(sealed, endpoint.id), expiredAt: expiresAt }]
        : [],
    ),
    otherEndpoints: siblings.rows
      .filter(({ id }) => id !== endpoint.id)
      .map(({ id, url, secrets }) => ({
        id,
        url,
        secrets: secrets.map(({ sealed }) => cipher.open(sealed, id)),
      })),
    event,
  };
}
