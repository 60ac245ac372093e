import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { sendRequest } from '@tollgate/http/send-request';
import {
  ADAPTER_LIMITS,
  ASK_PROCESSOR,
  type PaymentState,
  type ProcessorPayment,
} from '@tollgate/processor-adapter/contract/payment-state';
import { MalformedBody, readRejection, readState } from '@tollgate/processor-adapter/contract/read-state';
import {
  type Call,
  callId,
  InvalidSignature,
  type SigningSecrets,
  sign,
  verify,
} from '@tollgate/processor-adapter/contract/signature';
import type { Clock } from '@tollgate/runtime/clock';
import { currentTrace } from '@tollgate/tracing/current-trace';
import { inSpan } from '@tollgate/tracing/span';
import { traceHeaders } from '@tollgate/tracing/trace-context';
import { MAX_CALLERS_PER_PROCESSOR } from '../caller-slots.ts';

/** An adapter as an operator configures it. */
export interface AdapterConfig {
  /** Without a trailing slash. */
  url: string;
  secrets: SigningSecrets;
  maxConcurrent: number;
  /** The deadline of a whole call. */
  deadlineMs: number;
  /** How long an adapter that fails is not called. */
  trialAfterMs: number;
  /** Page of a payment at the processor, with `{reference}`; null if the operator gave none. */
  referenceUrl: string | null;
}

/** The outcome of a call is unknown. The message says why, and contains nothing that the adapter sent. */
export class CallFailed extends Error {}

interface Reply {
  status: number;
  body: string;
}

/** Responses that the contract defines. All others leave the payment as it is. */
const DEFINED_STATUSES = [200, 404, 422];

/** Shorter than servers usually keep an idle connection. */
const KEEP_ALIVE_MS = 4 * SECOND_MS;
/** For cancellations of callers, beside the calls of workers. */
const SPARE_CONNECTIONS = MAX_CALLERS_PER_PROCESSOR;

/** The signed calls of the adapter contract. Each throws CallFailed unless the adapter sent a signed, valid response. */
export function createAdapterClient(
  { url, secrets, maxConcurrent, deadlineMs }: AdapterConfig,
  clock: Clock,
) {
  const Agent = new URL(url).protocol === 'https:' ? HttpsAgent : HttpAgent;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: maxConcurrent + SPARE_CONNECTIONS,
    timeout: KEEP_ALIVE_MS,
  });

  async function send(
    call: Call,
    paymentId: string,
    method: 'GET' | 'POST',
    path: string,
    body: string,
  ): Promise<Reply> {
    const id = callId(call, paymentId);
    const headers = {
      accept: 'application/json',
      ...(body !== '' && { 'content-type': 'application/json' }),
      ...sign(secrets, { id, body }, clock.now()),
      // Not signed: it says nothing about the payment.
      ...traceHeaders(currentTrace()),
    };
    const signal = AbortSignal.timeout(deadlineMs);
    const maxBytes = ADAPTER_LIMITS.bodyBytes;
    const sent = { method, headers, body: body === '' ? null : body, maxBytes, signal };
    const response = await sendRequest(new URL(`${url}${path}`), sent, agent);
    if (response.end === 'too-long')
      throw new CallFailed(`The response of the adapter is larger than ${maxBytes} bytes.`);
    if (response.end === 'broken-off')
      throw new CallFailed('The adapter broke the connection in the middle of its response.');
    const text = response.body.toString();
    if (!DEFINED_STATUSES.includes(response.status)) {
      throw new CallFailed(`The adapter responded with ${response.status}.`);
    }
    const signedId = verify(secrets, { headers: response.headers, body: text }, clock.now());
    if (signedId !== id) throw new CallFailed('The adapter signed the response to another request.');
    return { status: response.status, body: text };
  }

  async function called(
    call: Call,
    paymentId: string,
    { method, path, body = '' }: { method: 'GET' | 'POST'; path: string; body?: string },
  ): Promise<Reply> {
    try {
      const span = {
        component: 'payments',
        name: `adapter ${call}`,
        kind: 'client',
        parent: currentTrace(),
      } as const;
      return await inSpan(span, () => send(call, paymentId, method, `/payments${path}`, body));
    } catch (error) {
      throw asCallFailed(error as Error, deadlineMs);
    }
  }

  return {
    async start(payment: ProcessorPayment): Promise<PaymentState> {
      const { status, body } = await called('start', payment.id, {
        method: 'POST',
        path: '',
        body: JSON.stringify(payment),
      });
      if (status === 404) throw new CallFailed('The adapter responded with 404 to a start.');
      return readContent(() =>
        status === 422 ? { status: 'failed', reference: null, ...readRejection(body) } : readState(body),
      );
    },
    /** Null when the payment was never started. `asksAgain` also about a payment that has ended. */
    async status(paymentId: string, { asksAgain }: { asksAgain: boolean }): Promise<PaymentState | null> {
      const path = `/${paymentId}${asksAgain ? `?ask=${ASK_PROCESSOR}` : ''}`;
      const { status, body } = await called('status', paymentId, { method: 'GET', path });
      if (status === 404) return null;
      return stateOf200(status, body);
    },
    async cancel(paymentId: string): Promise<PaymentState> {
      const path = `/${paymentId}/cancel`;
      const { status, body } = await called('cancel', paymentId, { method: 'POST', path });
      return stateOf200(status, body);
    },
    close: async () => agent.destroy(),
  };
}

function stateOf200(status: number, body: string): PaymentState {
  if (status !== 200)
    throw new CallFailed(`The adapter responded with ${status}, which the contract does not define here.`);
  return readContent(() => readState(body));
}

function readContent(read: () => PaymentState): PaymentState {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedBody) throw new CallFailed(error.message);
    throw error;
  }
}

function asCallFailed(error: Error, deadlineMs: number): CallFailed {
  if (error instanceof CallFailed) return error;
  if (error instanceof InvalidSignature) {
    return new CallFailed(`The response is not signed by the adapter. ${error.message}`);
  }
  if (error.name === 'TimeoutError')
    return new CallFailed(`The adapter did not respond within ${deadlineMs} ms.`);
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  return new CallFailed(`The adapter could not be reached or broke the connection (${code}).`);
}
