import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentState, ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import {
  type Call,
  isCallId,
  newSecret,
  parseSecrets,
  type SignatureHeaders,
  sign,
  verify,
} from '@tollgate/processor-adapter/contract/signature';
import type { Clock } from '@tollgate/runtime/clock';

/** What goes wrong with a call. `lost`: the call takes effect, but its response does not arrive. `continue`: an informational response comes first. */
export type Fault =
  | 'none'
  | 'continue'
  | 'unreachable'
  | 'lost'
  | 'error'
  | 'garbage'
  | 'unsigned'
  | 'replayed'
  | 'hang';

/** A payment at the processor. */
interface ProcessorEntry {
  payment: ProcessorPayment;
  state: PaymentState;
  /** Times that money moved. More than one is the defect that tests look for. */
  charges: number;
}

export type ScriptedAdapter = Awaited<ReturnType<typeof startScriptedAdapter>>;

/**
 * A correct adapter with its processor, over real HTTP, and with faults on demand. What a payment does depends on its
 * `payment_method`: `tok_…` is charged at once, `tok_slow` is processing, `tok_rejected` gets 422, and without a method the
 * payer is sent to a page.
 */
export async function startScriptedAdapter(clock: Clock) {
  const secret = newSecret();
  const secrets = parseSecrets(secret);
  const entries = new Map<string, ProcessorEntry>();
  const calls: { call: Call; paymentId: string; asksAgain: boolean; traceparent: unknown }[] = [];
  let faultOf: (call: Call, paymentId: string) => Fault = () => 'none';
  let oldReply: { headers: SignatureHeaders; body: string } | null = null;

  /** Waits before a call takes effect, for tests that interleave it with others. */
  let delay: () => Promise<unknown> = async () => {};
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const id = verify(secrets, { headers: request.headers, body }, clock.now());
    const { call, paymentId } = callOf(request, body);
    if (!isCallId(id, call, paymentId)) throw new Error(`${id} does not name ${call} of ${paymentId}`);
    const { traceparent } = request.headers;
    calls.push({ call, paymentId, asksAgain: request.url?.endsWith('?ask=processor') === true, traceparent });
    const fault = faultOf(call, paymentId);
    if (fault === 'hang') return;
    if (fault === 'unreachable') return void response.destroy();
    await delay();
    const { status, body: reply } = carryOut(call, paymentId, body);
    if (fault === 'lost') return void response.destroy();
    if (fault === 'continue') response.writeContinue();
    if (fault === 'error') return void response.writeHead(500).end('{}');
    const text = fault === 'garbage' ? '{"status":"paid"}' : JSON.stringify(reply);
    const headers = sign(secrets, { id, body: text }, clock.now());
    if (fault === 'unsigned') return void response.writeHead(status).end(text);
    if (fault === 'replayed' && oldReply)
      return void response.writeHead(200, { ...oldReply.headers }).end(oldReply.body);
    oldReply ??= { headers, body: text };
    response.writeHead(status, { ...headers }).end(text);
  }

  function carryOut(call: Call, paymentId: string, body: string): { status: number; body: object } {
    const entry = entries.get(paymentId);
    if (call === 'status') return entry ? { status: 200, body: entry.state } : { status: 404, body: {} };
    if (call === 'cancel') return { status: 200, body: cancel(paymentId, entry) };
    if (entry) return { status: 200, body: entry.state };
    const payment = JSON.parse(body) as ProcessorPayment;
    if (payment.payment_method === 'tok_rejected') {
      return { status: 422, body: { failure: { code: 'unsupported_method', message: 'Not supported.' } } };
    }
    const started = start(payment);
    entries.set(paymentId, started);
    return { status: 200, body: started.state };
  }

  function cancel(paymentId: string, entry: ProcessorEntry | undefined): PaymentState {
    if (!entry) {
      const state: PaymentState = { status: 'canceled', reference: null };
      entries.set(paymentId, { payment: { id: paymentId } as ProcessorPayment, state, charges: 0 });
      return state;
    }
    if (entry.state.status === 'action_required') entry.state = { ...entry.state, status: 'canceled' };
    return entry.state;
  }

  /** What the payer does on the page. Returns false when the page is closed. */
  function act(paymentId: string, status: 'succeeded' | 'processing' | 'failed' | 'canceled'): boolean {
    const entry = entryOf(paymentId);
    if (entry.state.status !== 'action_required' && entry.state.status !== 'processing') return false;
    if (status === 'succeeded') entry.charges += 1;
    const failure = status === 'failed' ? { code: 'declined', message: 'Declined.' } : null;
    entry.state = {
      status,
      reference: entry.state.reference,
      failure,
      ...(status === 'succeeded' && moneyOf(entry.payment)),
    };
    return true;
  }

  function entryOf(paymentId: string): ProcessorEntry {
    const entry = entries.get(paymentId);
    if (!entry) throw new Error(`${paymentId} was never started`);
    return entry;
  }

  function signed(body: string) {
    return { body, headers: { ...sign(secrets, { id: 'evt_1', body }, clock.now()) } };
  }

  return {
    url: `http://127.0.0.1:${port}`,
    secret,
    secrets,
    entries,
    calls,
    act,
    callsOf: (paymentId: string) =>
      calls.filter((each) => each.paymentId === paymentId).map(({ call }) => call),
    fail(next: (call: Call, paymentId: string) => Fault) {
      faultOf = next;
    },
    delayBy(next: () => Promise<unknown>) {
      delay = next;
    },
    /** The signed callback about the payment's current state. */
    callback(paymentId: string, state: PaymentState = entryOf(paymentId).state) {
      return signed(JSON.stringify({ payment_id: paymentId, ...state }));
    },
    sign: signed,
    /** Ends every connection and listens no more, as a killed process does. The processor keeps its payments. */
    async kill() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    async restart() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function callOf({ method, url = '' }: IncomingMessage, body: string): { call: Call; paymentId: string } {
  const [, , paymentId = '', action] = url.replace(/\?.*/, '').split('/');
  if (method === 'GET') return { call: 'status', paymentId };
  if (action === 'cancel') return { call: 'cancel', paymentId };
  return { call: 'start', paymentId: (JSON.parse(body) as ProcessorPayment).id };
}

function start(payment: ProcessorPayment): ProcessorEntry {
  const reference = `ref_${payment.id.slice(-8)}`;
  if (payment.payment_method === null) {
    const next_action = { type: 'redirect', url: `https://pay.example/${payment.id}` } as const;
    return { payment, state: { status: 'action_required', reference, next_action }, charges: 0 };
  }
  if (payment.payment_method === 'tok_slow')
    return { payment, state: { status: 'processing', reference }, charges: 0 };
  return { payment, state: { status: 'succeeded', reference, ...moneyOf(payment) }, charges: 1 };
}

/** All of the payment. */
export function moneyOf({ amount, currency }: Pick<ProcessorPayment, 'amount' | 'currency'>) {
  return { amount, currency };
}
