import { newId } from '@tollgate/contracts/platform/ids';
import { ADAPTER_LIMITS } from '@tollgate/processor-adapter/contract/payment-state';
import {
  type Call,
  callId,
  InvalidSignature,
  newSecret,
  parseSecrets,
  verify,
} from '@tollgate/processor-adapter/contract/signature';
import type { Deviation, Exchange } from '../adapter-caller.ts';
import type { Check } from '../check.ts';
import { Finding } from '../finding.ts';
import { expectStatus, type Suite } from '../suite.ts';

const CALLS: Call[] = ['start', 'status', 'cancel'];
/** More than the clocks of two machines differ. */
const SKEW_S = 30;
const TOO_OLD_S = ADAPTER_LIMITS.signatureAgeS + SKEW_S;

const OTHER_CALL: Record<Call, Call> = { start: 'status', status: 'cancel', cancel: 'status' };

function rejects(what: string, deviate: (call: Call, paymentId: string) => Omit<Deviation, 'note'>): Check {
  return {
    name: `rejects ${what}`,
    rule: 'requests-are-verified',
    async run(suite) {
      for (const call of CALLS) {
        const payment = suite.payment();
        const body = call === 'start' ? JSON.stringify(payment) : '';
        const deviation = { note: what, ...deviate(call, payment.id) };
        expectStatus(await suite.caller.call(call, payment.id, body, deviation), 401);
      }
    },
  };
}

const REQUEST_CHECKS: Check[] = [
  rejects('a request without a signature', () => ({ isUnsigned: true })),
  rejects('a signature with another secret', () => ({ secrets: parseSecrets(newSecret()) })),
  rejects('a signature that is too old', () => ({ offsetS: -TOO_OLD_S })),
  rejects('a signature from the future', () => ({ offsetS: TOO_OLD_S })),
  rejects('a signature for another call', (call, id) => ({ id: callId(OTHER_CALL[call], id) })),
  rejects('a signature for another payment', (call) => ({ id: callId(call, newId('payment')) })),
  rejects('a signature of another body', () => ({ signedBody: '{"amount":1}' })),
];

/** All responses that Tollgate accepts. */
async function responses(suite: Suite): Promise<Exchange[]> {
  const payment = suite.payment();
  return [
    await suite.status(payment.id),
    await suite.start(payment),
    await suite.status(payment.id),
    await suite.cancel(payment.id),
  ];
}

export function expectSigned(suite: Suite, exchange: Exchange): void {
  if (![200, 404, 422].includes(exchange.status ?? 0)) return;
  try {
    verify(suite.options.secrets, exchange, Date.now());
  } catch (error) {
    if (!(error instanceof InvalidSignature)) throw error;
    throw new Finding(`a signed response. ${error.message}`, exchange, 'responses-are-signed');
  }
}

const RESPONSE_CHECKS: Check[] = [
  {
    name: 'signs its responses',
    rule: 'responses-are-signed',
    async run(suite) {
      for (const exchange of await responses(suite)) expectSigned(suite, exchange);
    },
  },
  {
    name: 'signs its responses with the id of the request',
    rule: 'responses-are-signed',
    async run(suite) {
      for (const exchange of await responses(suite)) {
        const id = exchange.headers['webhook-id'];
        if (id !== undefined && id !== exchange.requestId)
          throw new Finding(`the webhook-id of the request, ${exchange.requestId}`, {
            ...exchange,
            received: `${exchange.status} with the webhook-id ${id}`,
          });
      }
    },
  },
];

export const SIGNATURE_CHECKS: Check[] = [...REQUEST_CHECKS, ...RESPONSE_CHECKS];
