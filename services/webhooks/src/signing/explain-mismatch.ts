import type { Environment } from '@tollgate/contracts/platform/environment';
import { checkHeaders } from './check-headers.ts';
import { compareBodies } from './compare-bodies.ts';
import { isSignedBy, type ReceivedWebhook, type SignatureFinding } from './received-webhook.ts';

/** What the sender knows. The secrets are in plain text: never return or log them. */
export interface SenderKnowledge {
  application_id: string;
  environment: Environment;
  /** The endpoint's secrets that sign now. */
  signingSecrets: readonly string[];
  /** The endpoint's expired secrets. */
  expiredSecrets: readonly { secret: string; expiredAt: Date }[];
  /** The other endpoints of the same application and environment. */
  otherEndpoints: readonly { id: string; url: string; secrets: readonly string[] }[];
  /** The team's event with the received id; null when there is none. */
  event: { application_id: string; environment: Environment; body: string } | null;
}

/** Explains why a request that no signing secret matches does not verify. At least one cause, the most likely first. */
export function explainMismatch(received: ReceivedWebhook, known: SenderKnowledge): SignatureFinding[] {
  const event = received.id === '' ? null : eventFinding(known);
  const sent = known.event !== null && event === null ? { ...received, body: known.event.body } : null;
  const body = sent && compareBodies(received.body, sent.body);
  const findings = [
    ...checkHeaders(received),
    ...secretFindings(sent ? [received, sent] : [received], known),
    ...(event ? [event] : []),
    ...(body ? [body] : []),
  ];
  // A body that differs explains nothing if the correct body does not verify either.
  const isExplained =
    findings.length > (body ? 1 : 0) || (sent !== null && isSigned(sent, known.signingSecrets));
  if (isExplained) return findings;
  return [...findings, body ? NOT_ONLY_THE_BODY : SIGNATURE_DIFFERS];
}

const SIGNATURE_DIFFERS: SignatureFinding = {
  code: 'signature-differs',
  detail:
    'The id and the body are correct, so the timestamp or the signature is wrong: one of them belongs to another delivery, or the secret was deleted. Compare both with the attempts of the delivery.',
};
const NOT_ONLY_THE_BODY: SignatureFinding = {
  code: 'signature-differs',
  detail:
    'The signature does not match the body that was sent either: the id, the timestamp, and the signature belong to different deliveries, or the secret was deleted. Compare them with the attempts of the delivery.',
};

function isSigned(received: ReceivedWebhook, secrets: readonly string[]): boolean {
  return secrets.some((secret) => isSignedBy(secret, received));
}

/** Finds another secret that signed the request, as received or with the body that was sent. */
function secretFindings(
  requests: readonly ReceivedWebhook[],
  { expiredSecrets, otherEndpoints }: SenderKnowledge,
): SignatureFinding[] {
  const isSignedByOneOf = (secrets: readonly string[]) =>
    requests.some((request) => isSigned(request, secrets));
  const expired = expiredSecrets.find(({ secret }) => isSignedByOneOf([secret]));
  if (expired) {
    return [
      {
        code: 'secret-expired',
        detail: `The request was signed with an old secret of this endpoint, which expired at ${expired.expiredAt.toISOString()}. Configure your receiver with the current secret.`,
      },
    ];
  }
  const other = otherEndpoints.find(({ secrets }) => isSignedByOneOf(secrets));
  if (other) {
    return [
      {
        code: 'secret-of-other-endpoint',
        detail: `The request was signed for another endpoint of this application: ${other.url} (${other.id}). Configure the receiver with the secret of the endpoint that has its URL.`,
      },
    ];
  }
  return [];
}

function eventFinding({ event, environment, application_id }: SenderKnowledge): SignatureFinding | null {
  if (event === null) {
    return {
      code: 'event-unknown',
      detail:
        'Your team has no event with this webhook-id. The header was changed, the event is older than 90 days, or the request is not from Tollgate. Do not trust it.',
    };
  }
  if (event.environment !== environment) {
    return {
      code: 'event-of-other-environment',
      detail: `The event is from the ${event.environment} environment, but this endpoint is in ${environment}. Check the request against an endpoint in ${event.environment}.`,
    };
  }
  if (event.application_id !== application_id) {
    return {
      code: 'event-of-other-application',
      detail: `The event belongs to another application, ${event.application_id}. Check the request against an endpoint of that application.`,
    };
  }
  return null;
}
