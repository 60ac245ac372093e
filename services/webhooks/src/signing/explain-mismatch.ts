import type { Environment } from '@tollgate/contracts/environment';
import { compareBodies } from './compare-bodies.ts';
import { headerFindings } from './header-findings.ts';
import { isSignedBy, type ReceivedWebhook } from './received-webhook.ts';
import type { SignatureFinding } from './signature-finding.ts';

/** What the sending side knows. The secrets are in the clear: they are compared with, never returned or logged. */
export interface SenderKnowledge {
  applicationId: string;
  environment: Environment;
  /** Of the endpoint: those that sign now. */
  signingSecrets: readonly string[];
  /** Of the endpoint: those that sign no more. */
  endedSecrets: readonly { secret: string; endedAt: Date }[];
  /** Of the same application and environment. */
  otherEndpoints: readonly { id: string; url: string; secrets: readonly string[] }[];
  /** The team's event of the received id; null when there is none. */
  event: { applicationId: string; environment: Environment; body: string } | null;
}

/** Why a request that no signing secret matches does not verify: the most likely cause first, at least one. */
export function explainMismatch(received: ReceivedWebhook, known: SenderKnowledge): SignatureFinding[] {
  // Without an id nothing can be said of the event.
  const event = received.id === '' ? null : eventFinding(known);
  const sent = known.event !== null && event === null ? { ...received, body: known.event.body } : null;
  const body = sent && compareBodies(received.body, sent.body);
  const findings = [
    ...headerFindings(received),
    ...secretFindings(sent ? [received, sent] : [received], known),
    ...(event ? [event] : []),
    ...(body ? [body] : []),
  ];
  // A body that differs is no explanation where the right one would not verify either.
  const isExplained =
    findings.length > (body ? 1 : 0) || (sent !== null && isSigned(sent, known.signingSecrets));
  if (isExplained) return findings;
  return [...findings, body ? NOT_ONLY_THE_BODY : SIGNATURE_DIFFERS];
}

const SIGNATURE_DIFFERS: SignatureFinding = {
  code: 'signature-differs',
  detail:
    'Id and body are as they were sent, so it is the timestamp or the signature: one of them is not of this delivery, or it was signed by a secret that is no more. Compare both with the attempts of the delivery.',
};
const NOT_ONLY_THE_BODY: SignatureFinding = {
  code: 'signature-differs',
  detail:
    'With the body that was sent it would not verify either: id, timestamp and signature are not of one delivery, or it was signed by a secret that is no more. Compare them with the attempts of the delivery.',
};

function isSigned(received: ReceivedWebhook, secrets: readonly string[]): boolean {
  return secrets.some((secret) => isSignedBy(secret, received));
}

/** Secrets that would match, of the request as received or with the body that was sent. */
function secretFindings(
  requests: readonly ReceivedWebhook[],
  { endedSecrets, otherEndpoints }: SenderKnowledge,
): SignatureFinding[] {
  const isSignedByOneOf = (secrets: readonly string[]) =>
    requests.some((request) => isSigned(request, secrets));
  const ended = endedSecrets.find(({ secret }) => isSignedByOneOf([secret]));
  if (ended) {
    return [
      {
        code: 'secret-expired',
        detail: `It was signed by an old secret of this endpoint, which ended at ${ended.endedAt.toISOString()}. Tollgate has signed by the current one since: give your receiver that.`,
      },
    ];
  }
  const other = otherEndpoints.find(({ secrets }) => isSignedByOneOf(secrets));
  if (other) {
    return [
      {
        code: 'secret-of-other-endpoint',
        detail: `It was signed for another endpoint of this application: ${other.url} (${other.id}). Give the receiver the secret of the endpoint whose URL it has.`,
      },
    ];
  }
  return [];
}

function eventFinding({ event, environment, applicationId }: SenderKnowledge): SignatureFinding | null {
  if (event === null) {
    return {
      code: 'event-unknown',
      detail:
        'Your team has no event with this webhook-id. The header was changed, the event is older than 90 days, or someone else sent the request: do not trust it.',
    };
  }
  if (event.environment !== environment) {
    return {
      code: 'event-of-other-environment',
      detail: `The event is of ${event.environment}, and this endpoint of ${environment}. Check it against an endpoint of ${event.environment}.`,
    };
  }
  if (event.applicationId !== applicationId) {
    return {
      code: 'event-of-other-application',
      detail: `The event is of another application, ${event.applicationId}. Check it against an endpoint of that one.`,
    };
  }
  return null;
}
