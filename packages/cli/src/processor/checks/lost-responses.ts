import type { ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import type { Exchange } from '../adapter-caller.ts';
import type { Check } from '../check.ts';
import { Finding, NotTested } from '../finding.ts';
import type { Handle, RelayedRequest } from '../relay.ts';
import { type Suite, stateOf } from '../suite.ts';
import { expectNoMoney } from './cancel.ts';

const AT_ONCE = 5;

/** A request of the adapter that can change something at the processor, and its response. */
interface Write {
  /** Method and path, which are the same for each payment. */
  line: string;
  status: number;
  body: string;
}

/** Records writes, and loses the responses to those of one line. */
function recording(writes: Write[], { id }: ProcessorPayment, lostLine?: string): Handle {
  const lineOf = ({ method, path }: RelayedRequest) => `${method} ${path.replaceAll(id, '')}`;
  return async (request, pass) => {
    const response = await pass();
    if (['GET', 'HEAD'].includes(request.method)) return response;
    const line = lineOf(request);
    writes.push({ line, status: response.status, body: response.body.toString() });
    return line === lostLine ? null : response;
  };
}

/** The line of the request that creates a payment at the processor. @throws NotTested */
async function creatingLine(suite: Suite): Promise<string> {
  const payment = suite.payment();
  const writes: Write[] = [];
  const start = () => suite.start(payment);
  const { reference } = stateOf(await suite.processor().during(recording(writes, payment), start));
  const creating = writes.find(({ body }) => reference !== null && body.includes(reference));
  if (creating) return creating.line;
  throw new NotTested(
    'No response of the processor to the start contains the reference. Return the id of the payment at the processor as the reference, and let the adapter reach the processor through the port of --processor.',
  );
}

/** @throws Finding when the processor has created another payment than the one that the adapter reports */
function expectOnePayment(line: string, writes: readonly Write[], exchange: Exchange): void {
  const { reference } = stateOf(exchange, 'start-is-idempotent');
  const created = writes.filter((write) => write.line === line && write.status < 300);
  const other = created.find(({ body }) => reference === null || !body.includes(reference));
  if (other)
    throw new Finding(
      `one payment at the processor. It has also created ${other.body.slice(0, 200)}`,
      exchange,
      'start-is-idempotent',
    );
}

/** Starts a payment that the processor creates, and loses the response. */
async function startWithoutResponse(suite: Suite, line: string) {
  const payment = suite.payment();
  const writes: Write[] = [];
  const note = 'the response of the processor is lost';
  const start = () => suite.start(payment, { note });
  const exchange = await suite.processor().during(recording(writes, payment, line), start);
  if (exchange.status === 422)
    throw new Finding('status 5xx, because the outcome is unknown', exchange, 'errors-decide-nothing');
  return { payment, writes };
}

export const LOST_RESPONSE_CHECKS: Check[] = [
  {
    name: `creates one payment at the processor when it is started ${AT_ONCE} times at once`,
    rule: 'start-is-idempotent',
    async run(suite) {
      const line = await creatingLine(suite);
      const payment = suite.payment();
      const writes: Write[] = [];
      const start = () => suite.start(payment, { note: `${AT_ONCE} times at once` });
      const [exchange] = await suite
        .processor()
        .during(recording(writes, payment), () => Promise.all(Array.from({ length: AT_ONCE }, start)));
      expectOnePayment(line, writes, exchange as Exchange);
    },
  },
  {
    name: 'creates one payment at the processor when the response of the processor is lost',
    rule: 'start-is-idempotent',
    async run(suite) {
      const line = await creatingLine(suite);
      const { payment, writes } = await startWithoutResponse(suite, line);
      const start = () => suite.start(payment, { note: 'again, after the response was lost' });
      const exchange = await suite.processor().during(recording(writes, payment), start);
      expectOnePayment(line, writes, exchange);
    },
  },
  {
    name: 'cancels a payment at the processor when the response to its start was lost',
    rule: 'cancel-prevents-money',
    async run(suite) {
      const { payment } = await startWithoutResponse(suite, await creatingLine(suite));
      const writes: Write[] = [];
      const cancel = () => suite.cancel(payment.id);
      const exchange = await suite.processor().during(recording(writes, payment), cancel);
      if (stateOf(exchange, 'cancel-too-late-reports-state').status !== 'canceled') return;
      if (writes.length === 0)
        throw new Finding('a request to the processor that cancels the payment, which it has', exchange);
      await expectNoMoney(suite, payment.id);
    },
  },
];
