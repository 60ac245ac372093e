import { subscribeText } from '@tollgate/bus/announce';
import type { Bus } from '@tollgate/bus/connection';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { type OpenReader, openReader } from '@tollgate/contracts/platform/open-reader';
import { STREAMS } from '@tollgate/contracts/platform/streams';
import {
  DeliveryChange,
  LIVE_SUBJECTS,
  WebhookEndpointChange,
} from '@tollgate/contracts/webhooks/live-changes';
import type { Logger } from '@tollgate/runtime/logger';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { Audience, TeamStreams } from './team-streams.ts';

const [PAYMENT_EVENTS] = STREAMS.EVENTS.subjects;

/** Forwards changes of payments, deliveries, and webhook endpoints to the open streams of the team. */
export function subscribeToChanges(
  bus: Bus,
  deps: { teamStreams: TeamStreams; verifyEvent: VerifyMessage; logger: Logger },
): void {
  const { teamStreams, verifyEvent, logger } = deps;

  function subscribe<Change extends Audience>(
    subject: string,
    reader: OpenReader<Change>,
    frameOf: (change: Change) => string,
    verify: VerifyMessage = () => null,
  ): void {
    subscribeText(bus, subject, (text) => {
      if (!teamStreams.hasViewers()) return;
      const received = parseJson(text);
      const fault = verify(received);
      if (fault !== null) {
        logger.warn({ subject, reason: fault }, 'ignored a change that fails verification');
        return;
      }
      const change = reader.read(received);
      if (change) teamStreams.send(change, frameOf(change));
      else logger.warn({ subject }, 'ignored a message that is not a valid change');
    });
  }

  subscribe(PAYMENT_EVENTS, openReader(PaymentEvent), paymentFrame, verifyEvent);
  subscribe(LIVE_SUBJECTS.delivery, openReader(DeliveryChange), (change) => changeFrame('delivery', change));
  subscribe(LIVE_SUBJECTS.webhookEndpoint, openReader(WebhookEndpointChange), (change) =>
    changeFrame('webhook_endpoint', change),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function paymentFrame({ id, type, occurred_at, environment, application_id, data }: PaymentEvent): string {
  const { metadata: _, ...payment } = data;
  return frame(`event: ${type}\nid: ${id}`, { id, type, occurred_at, environment, application_id, payment });
}

/** The owning team is left out: its members know it. */
function changeFrame(
  name: string,
  { team_id: _, ...change }: DeliveryChange | WebhookEndpointChange,
): string {
  return frame(`event: ${name}`, change);
}

/** HTML standard §9.2.6. JSON contains no raw line breaks, so one `data` line holds it. */
function frame(head: string, data: object): string {
  return `${head}\ndata: ${JSON.stringify(data)}\n\n`;
}
