import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Defect } from './defects.ts';

/**
 * A correct adapter with an imaginary processor, written from the contract's sentences and without the package
 * `processor-adapter`, so that two implementations confirm each other. A defect changes one thing.
 *
 * The payment method is the status that the processor reports. `POST /pages/{id}/{pay|decline}` is the payer, and
 * `POST /pages/{id}/refund` the payee.
 */
export interface NodeAdapter {
  url: string;
  setCallbackUrl(url: string): void;
  stop(): Promise<void>;
}

interface Money {
  amount: number;
  currency: string;
}

interface State {
  status: string;
  reference: string | null;
  amount?: number;
  currency?: string;
  refunded_amount?: number;
  next_action?: unknown;
  failure?: unknown;
}

interface Payment {
  content: string;
  money: Money;
  state: State;
  first: State;
  isForgotten?: boolean;
}

const FAILURE = { code: 'card_declined', message: 'The card was declined.' };
const FIELDS = [
  'id',
  'application_id',
  'environment',
  'amount',
  'currency',
  'purpose',
  'reference',
  'payer',
  'payee',
].concat(['payment_method', 'metadata', 'return_url', 'created_at', 'expires_at']);
const FINAL = ['succeeded', 'failed', 'canceled'];
const RETRY_DELAY_MS = 20;
const PROCESSOR_DELAY_MS = 5;
/** Starts that were sent at once overlap for so many turns, also when the process stalls during one of them. */
const OVERLAP_TURNS = 20;

export async function startNodeAdapter(secret: string, defect?: Defect): Promise<NodeAdapter> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const payments = new Map<string, Payment>();
  const canceledBefore = new Set<string>();
  const inFlight = new Map<string, Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let callbackUrl = '';
  let blocked: Promise<unknown> = Promise.resolve();
  const is = (name: Defect) => name === defect;

  function hmac(id: string, timestamp: string, body: string): string {
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  }

  function signed(id: string, body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': hmac(id, timestamp, body),
    };
  }

  function isVerified({ headers }: IncomingMessage, call: string, paymentId: string, body: string): boolean {
    if (is('verifies no signature of cancellations') && call === 'cancel') return true;
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    if (!id || !timestamp || !signature) return is('accepts requests without a signature');
    const ageS = Date.now() / 1000 - Number(timestamp);
    if (ageS > 300 && !is('accepts old signatures')) return false;
    if (ageS < -300 && !is('accepts future signatures')) return false;
    const [signedCall, signedPayment] = String(id).split(':');
    if (signedCall !== call && !is('accepts a signature for another call')) return false;
    if (signedPayment !== paymentId && !is('accepts a signature for another payment')) return false;
    if (is('accepts any secret'))
      return call === 'start' ? !body.includes('"amount":') || signature.length > 0 : true;
    if (is('does not sign the body') && call === 'start') return true;
    return String(signature)
      .split(' ')
      .includes(hmac(String(id), String(timestamp), body));
  }

  function send(response: ServerResponse, id: string, status: number, content: object): ServerResponse {
    const body = JSON.stringify(content);
    const isUnsigned =
      is('signs no responses') ||
      (is('signs no 404') && status === 404) ||
      (is('signs no 422') && status === 422);
    return response
      .writeHead(status, isUnsigned ? {} : signed(is('signs with a new id') ? randomUUID() : id, body))
      .end(body);
  }

  function initialState(id: string, method: string | null, money: Money): State {
    const status = is('responds to a start with an unknown status') ? 'open' : (method ?? 'action_required');
    return stateWith(status, `ref_${randomUUID()}`, id, money);
  }

  function stateWith(status: string, reference: string | null, id: string, money?: Money): State {
    const url = is('reports an action without http') ? 'javascript:alert(1)' : `${address()}/pages/${id}`;
    const failure = is('reports a failure code in words') ? { ...FAILURE, code: 'Card declined' } : FAILURE;
    return {
      status,
      reference,
      ...(status === 'action_required' &&
        !is('reports no action') && { next_action: { type: 'redirect', url } }),
      ...(status === 'failed' && !is('reports no failure') && { failure }),
      ...(status === 'succeeded' && money && reportedMoney(money)),
    };
  }

  function reportedMoney({ amount, currency }: Money): Partial<Money> {
    return {
      ...(!is('reports no amount') && { amount: is('reports another amount') ? amount / 10 : amount }),
      ...(!is('reports no currency') && { currency: is('reports another currency') ? 'JPY' : currency }),
    };
  }

  async function start(request: IncomingMessage, response: ServerResponse, body: string): Promise<unknown> {
    const signedId = String(request.headers['webhook-id'] ?? '');
    let payment: Record<string, unknown>;
    try {
      payment = JSON.parse(body);
    } catch {
      if (is('crashes on malformed JSON')) return stop();
      if (is('closes the connection on malformed JSON')) return request.socket.destroy();
      return response.writeHead(400).end();
    }
    const id = String(payment['id']);
    if (!isVerified(request, 'start', id, body)) return response.writeHead(401).end();
    if (!isValid(payment)) return response.writeHead(400).end();
    await inFlight.get(id);
    const known = payments.get(id);
    if (known) {
      if (known.content !== contentOf(payment) && !is('accepts another payment with the same id'))
        return response.writeHead(400).end();
      if (is('rejects a repeated start')) return response.writeHead(409).end();
      if (is('starts again when repeated')) known.state.reference = `ref_${randomUUID()}`;
      if (is('starts a canceled payment again') && known.state.status === 'canceled')
        known.state = stateWith('action_required', known.state.reference, id);
      return send(response, signedId, 200, known.state);
    }
    if (canceledBefore.has(id) && !is('starts what was canceled before'))
      return send(response, signedId, 200, stateWith('canceled', null, id));
    return startNew(response, signedId, payment, id);
  }

  async function startNew(
    response: ServerResponse,
    signedId: string,
    payment: Record<string, unknown>,
    id: string,
  ): Promise<unknown> {
    const method = payment['payment_method'] as string | null;
    if (method === 'rejected') {
      if (is('rejects with 200')) return send(response, signedId, 200, stateWith('failed', null, id));
      return send(response, signedId, 422, is('rejects without a failure') ? {} : { failure: FAILURE });
    }
    if (is('starts again when started at once'))
      for (let turn = 0; turn < OVERLAP_TURNS; turn += 1) await processorDelay();
    else {
      inFlight.set(id, processorDelay());
      await inFlight.get(id);
    }
    const money = { amount: payment['amount'], currency: payment['currency'] } as Money;
    const state = initialState(id, method, money);
    payments.set(id, { content: contentOf(payment), money, state, first: state });
    return send(response, signedId, is('responds to a start with 201') ? 201 : 200, state);
  }

  function processorDelay(): Promise<void> {
    return new Promise((resolve) => timers.add(setTimeout(resolve, PROCESSOR_DELAY_MS)));
  }

  function isValid(payment: Record<string, unknown>): boolean {
    const required = is('accepts a payment without created_at')
      ? FIELDS.filter((name) => name !== 'created_at')
      : FIELDS;
    if (required.some((name) => payment[name] === undefined)) return false;
    const amount = is('converts amounts') ? Number(payment['amount']) : payment['amount'];
    if (!Number.isInteger(amount) || (amount as number) < 1) return false;
    if (!/^[A-Z]{3}$/.test(String(payment['currency']))) return false;
    if (payment['environment'] !== 'sandbox' && !is('accepts every environment')) return false;
    if (Object.values(payment['metadata'] ?? {}).some((value) => typeof value !== 'string')) return false;
    return !(is('rejects unknown fields') && Object.keys(payment).some((name) => !FIELDS.includes(name)));
  }

  function contentOf(payment: Record<string, unknown>): string {
    return JSON.stringify(FIELDS.map((name) => payment[name]));
  }

  function status(
    response: ServerResponse,
    signedId: string,
    id: string,
    asksAgain: boolean,
  ): ServerResponse {
    const payment = payments.get(id);
    if (is('reports unknown payments as canceled') && !payment && !canceledBefore.has(id))
      return send(response, signedId, 200, stateWith('canceled', null, id));
    if (is('fails for unknown payments') && !payment && !canceledBefore.has(id))
      return response.writeHead(500).end();
    if (!payment) {
      return canceledBefore.has(id)
        ? send(response, signedId, 200, stateWith('canceled', null, id))
        : send(response, signedId, 404, {});
    }
    if (is('reports another reference'))
      return send(response, signedId, 200, { ...payment.state, reference: 'other' });
    if (asksAgain && is('reports no refund when it is asked again')) {
      const { refunded_amount: _, ...state } = payment.state;
      return send(response, signedId, 200, state);
    }
    const isStale = is('reports the first status forever') && payment.state.status !== 'canceled';
    if (is('forgets cancellations') && payment.state.status === 'canceled')
      return send(response, signedId, 200, payment.first);
    return send(response, signedId, 200, isStale ? payment.first : payment.state);
  }

  function cancel(response: ServerResponse, signedId: string, id: string): ServerResponse {
    const payment = payments.get(id);
    if (!payment) {
      if (is('rejects cancellations of unknown payments')) return send(response, signedId, 404, {});
      canceledBefore.add(id);
      return send(response, signedId, 200, stateWith('canceled', null, id));
    }
    const { state } = payment;
    if (is('cannot cancel')) return response.writeHead(501).end();
    if (is('rejects a repeated cancellation') && state.status === 'canceled')
      return response.writeHead(409).end();
    if (
      is('rejects cancellations that are too late') &&
      FINAL.includes(state.status) &&
      state.status !== 'canceled'
    )
      return response.writeHead(409).end();
    const before = state.status;
    if (before === 'action_required') payment.state = stateWith('canceled', state.reference, id);
    if (is('cancels a failed payment') && before === 'failed')
      payment.state = stateWith('canceled', state.reference, id);
    if (is('asks the payer to act after processing') && before === 'processing')
      payment.state = stateWith('action_required', state.reference, id);
    const isHidden = before === 'action_required' && is('reports a canceled payment as open');
    const reported = isHidden ? state : payment.state;
    if (is('refunds a succeeded payment as failed') && before === 'succeeded')
      payment.state = stateWith('failed', state.reference, id);
    return send(response, signedId, 200, reported);
  }

  function act(id: string, action: string): void {
    const payment = payments.get(id);
    if (!payment) return;
    const { status: before, reference } = payment.state;
    if (action === 'refund') refund(id, payment);
    const isPaidAnyway = before === 'canceled' && is('lets a canceled payment be paid');
    const isDeclinedAnyway = before === 'succeeded' && action === 'decline' && is('declines a paid payment');
    if (action === 'refund' || (before !== 'action_required' && !isPaidAnyway && !isDeclinedAnyway)) return;
    payment.state = stateWith(action === 'pay' ? 'succeeded' : 'failed', reference, id, payment.money);
    if (is('sends no callbacks') || (is('sends no callbacks about declines') && action === 'decline')) return;
    report(id, payment);
  }

  function refund(id: string, payment: Payment): void {
    if (payment.state.status !== 'succeeded') return;
    payment.state = { ...payment.state, refunded_amount: payment.money.amount };
    if (!is('sends no callbacks about refunds')) report(id, payment);
  }

  function report(id: string, payment: Payment): void {
    const paymentId = is('sends callbacks about another payment')
      ? `${id.slice(0, -1)}${id.endsWith('0') ? 1 : 0}`
      : id;
    const body = JSON.stringify({ payment_id: paymentId, ...payment.state, about: id });
    const sent = sendCallback(randomUUID(), body);
    if (is('blocks while Tollgate is slow')) blocked = sent;
  }

  async function sendCallback(id: string, body: string): Promise<void> {
    const url = is('sends callbacks to another path') ? `${callbackUrl}/more` : callbackUrl;
    const headers = is('signs no callbacks') ? {} : signed(id, body);
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    if (response?.ok || is('sends callbacks once') || response === null) return;
    const again = is('repeats callbacks with a new id') ? randomUUID() : id;
    timers.add(setTimeout(() => void sendCallback(again, body), RETRY_DELAY_MS));
  }

  async function stop(): Promise<void> {
    for (const timer of timers) clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }

  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const [path = '', query] = (request.url ?? '').split('?');
    const [, first, id = '', last] = path.split('/');
    if (first === 'healthz') return response.writeHead(is('health fails') ? 500 : 200).end();
    if (first === 'pages') {
      act(id, last ?? '');
      return response.writeHead(200).end();
    }
    await blocked;
    if (id === '') return start(request, response, body);
    const call = last === 'cancel' ? 'cancel' : 'status';
    if (!isVerified(request, call, id, body)) return response.writeHead(401).end();
    const signedId = String(request.headers['webhook-id']);
    if (query && is('rejects a question to the processor')) return response.writeHead(400).end();
    if (call === 'cancel') return cancel(response, signedId, id);
    return status(response, signedId, id, query !== undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = () => `http://127.0.0.1:${port}`;
  return {
    url: address(),
    setCallbackUrl(url) {
      callbackUrl = url;
    },
    stop,
  };
}
