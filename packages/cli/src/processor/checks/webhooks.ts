import { isFinal } from '@tollgate/processor-adapter/contract/final-status';
import type { Check } from '../check.ts';
import { Finding, NotTested } from '../finding.ts';
import type { Handle, RelayedRequest, RelayedResponse } from '../relay.ts';
import { type Suite, stateOf } from '../suite.ts';
import { expectNoMoney } from './cancel.ts';

/** Headers that prove nothing about the sender. */
const COMMON_HEADER =
  /^(accept.*|cache-control|content-type|forwarded|pragma|sec-.*|trace.*|user-agent|via|x-forwarded-.*)$/;

const UNAVAILABLE: RelayedResponse = { status: 503, headers: {}, body: Buffer.alloc(0) };

/** Headers of the processor, one of which is the signature. */
function ownHeaders({ headers }: RelayedRequest): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => !COMMON_HEADER.test(name));
}

/** What is sent instead of the signature. */
const FORGERIES: Record<string, (value: string) => string | undefined> = {
  'a webhook without a signature': () => undefined,
  // Not at the end, where base64 has bits that count for nothing.
  'a webhook with a wrong signature': (value) => {
    const middle = Math.floor(value.length / 2);
    return `${value.slice(0, middle)}${value[middle] === '0' ? '1' : '0'}${value.slice(middle + 1)}`;
  },
};

/** A genuine webhook, which the adapter has not got. @throws NotTested */
async function heldWebhook(suite: Suite): Promise<RelayedRequest> {
  const relay = suite.webhooks();
  const { payment, state } = await suite.waiting();
  let arrive: (webhook: RelayedRequest | null) => void = () => undefined;
  const first = new Promise<RelayedRequest | null>((resolve) => {
    arrive = resolve;
  });
  const holding: Handle = async (webhook) => {
    arrive(webhook);
    return UNAVAILABLE;
  };
  const webhook = await relay.during(holding, async () => {
    await suite.payer.act('pay', payment.id, state);
    const timer = setTimeout(arrive, suite.options.changeDeadlineMs, null);
    return first.finally(() => clearTimeout(timer));
  });
  if (webhook === null)
    throw new NotTested('No webhook has arrived. Let the processor send them to the port of --webhooks.');
  return webhook;
}

function rejects(what: string, forge: (value: string) => string | undefined): Check {
  return {
    name: `rejects ${what}`,
    rule: 'webhooks-are-verified',
    scenario: 'action_required',
    async run(suite) {
      const webhook = await heldWebhook(suite);
      const own = ownHeaders(webhook);
      if (own.length === 0)
        throw new NotTested(
          'The processor signs no webhooks in a header. Make sure that the adapter uses them only to ask the processor.',
        );
      const changes = own.map(([name, value]) => [name, forge(value)] as const);
      const forged = Object.entries({ ...webhook.headers, ...Object.fromEntries(changes) }).filter(
        (header): header is [string, string] => header[1] !== undefined,
      );
      const { status } = await suite.webhooks().send({ ...webhook, headers: Object.fromEntries(forged) });
      if (status < 400 || status >= 500)
        throw new Finding('status 401', {
          sent: `${webhook.method} ${webhook.path} (${what})`,
          received: String(status),
        });
    },
  };
}

export const WEBHOOK_CHECKS: Check[] = [
  ...Object.entries(FORGERIES).map(([what, forge]) => rejects(what, forge)),
  {
    name: 'accepts a webhook of the processor',
    rule: 'webhooks-are-verified',
    scenario: 'action_required',
    async run(suite) {
      const webhook = await heldWebhook(suite);
      const { status } = await suite.webhooks().send(webhook);
      if (status >= 300)
        throw new Finding('status 2xx', {
          sent: `${webhook.method} ${webhook.path} (as the processor sent it)`,
          received: String(status),
        });
    },
  },
  {
    name: 'does not report a payment as canceled that its payer has just paid',
    rule: 'cancel-prevents-money',
    scenario: 'action_required',
    async run(suite) {
      const relay = suite.webhooks();
      const { payment, state } = await suite.waiting();
      const exchange = await relay.during(
        async () => UNAVAILABLE,
        async () => {
          await suite.payer.act('pay', payment.id, state);
          return suite.cancel(payment.id);
        },
      );
      const canceled = stateOf(exchange, 'cancel-too-late-reports-state');
      if (isFinal(canceled) && canceled.status !== 'succeeded') await expectNoMoney(suite, payment.id);
    },
  },
];
