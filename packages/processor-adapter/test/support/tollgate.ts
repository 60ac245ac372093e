import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@tollgate/contracts/platform/ids';
import type { ProcessorPayment } from '../../src/contract/payment-state.ts';
import { type Call, callId, type SigningSecrets, sign, verify } from '../../src/contract/signature.ts';

/** All money of `aPayment`. */
export const MONEY = { amount: 1250, currency: 'EUR' } as const;

export function aPayment(changes: Partial<ProcessorPayment> = {}): ProcessorPayment {
  return {
    id: newId('payment'),
    application_id: newId('application'),
    environment: 'sandbox',
    ...MONEY,
    purpose: null,
    reference: 'order-1',
    payer: { name: 'Ada', account: null, email: 'ada@example.com' },
    payee: null,
    payment_method: null,
    metadata: { shelf: '7' },
    return_url: 'https://shop.example/thanks',
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-02T00:00:00.000Z',
    ...changes,
  };
}

export interface Response {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
  text: string;
}

export interface SendOptions {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

export async function send(
  url: string,
  { method = 'GET', body, headers }: SendOptions = {},
): Promise<Response> {
  const response = await fetch(url, { method, body: body ?? null, headers: headers ?? {} });
  const text = await response.text();
  const parsed = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {};
  return { status: response.status, body: parsed, headers: response.headers, text };
}

/** Calls an adapter as Tollgate does, and verifies the responses that must be signed. */
export function createCaller(url: () => string, secrets: SigningSecrets, now: () => number) {
  async function call(name: Call, paymentId: string, path: string, body?: string): Promise<Response> {
    const id = callId(name, paymentId);
    const method = name === 'status' ? 'GET' : 'POST';
    const headers = { ...sign(secrets, { id, body: body ?? '' }, now()) };
    const response = await send(`${url()}${path}`, { method, headers, ...(body !== undefined && { body }) });
    if ([200, 404, 422].includes(response.status)) {
      const signedId = verify(
        secrets,
        { headers: Object.fromEntries(response.headers), body: response.text },
        now(),
      );
      if (signedId !== id) throw new Error('the response is signed for another call');
    }
    return response;
  }
  return {
    start: (payment: ProcessorPayment | (ProcessorPayment & Record<string, unknown>)) =>
      call('start', payment.id, '/payments', JSON.stringify(payment)),
    status: (id: string, query = '') => call('status', id, `/payments/${id}${query}`),
    cancel: (id: string) => call('cancel', id, `/payments/${id}/cancel`),
  };
}

export interface ReceivedCallback {
  id: string;
  body: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Receives callbacks as Tollgate does. Throws away nothing, so that a test sees every attempt. */
export async function startCallbackReceiver() {
  const received: ReceivedCallback[] = [];
  const receiver = { url: '', received, status: 204, sendsContinue: false, stop };
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    received.push({
      id: String(request.headers['webhook-id']),
      body: JSON.parse(text),
      headers: request.headers,
      text,
    });
    if (receiver.sendsContinue) response.writeContinue();
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/processor-events/scripted`;
  async function stop(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return receiver;
}
