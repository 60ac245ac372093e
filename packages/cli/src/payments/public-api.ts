import { randomUUID } from 'node:crypto';
import { commandLineVariables } from '@tollgate/configuration/command-line';
import type { CancelPaymentBody, CreatePaymentBody, Payment } from '@tollgate/contracts/payments/payment';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { createApiClient } from '../api/api-client.ts';
import { readEnvironment } from '../api/read-environment.ts';
import { RequestRejected } from '../api/request-rejected.ts';
import { requireLogin } from '../api/require-login.ts';
import type { Terminal } from '../command.ts';
import { forgetSandboxKey, sandboxKey } from './sandbox-key.ts';

const TIMEOUT_MS = 30 * SECOND_MS;

/** RFC 7240. The longest wait that the API accepts. */
const LONGEST_WAIT = 'wait=10';

export interface CreateOptions {
  idempotencyKey?: string | undefined;
  /** Waits until the processor has accepted the payment, and the page of the payer is known. */
  waitsForAction?: boolean;
}

export interface PublicApi {
  create(body: CreatePaymentBody, options?: CreateOptions): Promise<Payment>;
  cancel(paymentId: string, body: CancelPaymentBody): Promise<Payment>;
}

/**
 * Runs calls of the public API: with the key in `TOLLGATE_API_KEY`, or in the sandbox with the key of this program.
 *
 * @throws RequestRejected, ConnectionFailed
 */
export async function withPublicApi<Result>(
  terminal: Terminal,
  application: string | undefined,
  run: (api: PublicApi) => Promise<Result>,
): Promise<Result> {
  const login = await requireLogin(terminal);
  const { sandbox_api_url, live_api_url } = login.credentials;
  const { apiKey: variable } = commandLineVariables;
  const { apiKey: ownKey } = readEnvironment(terminal.env, { apiKey: variable });
  const apiKey = ownKey || (await sandboxKey(login, application, terminal));
  const baseUrl = apiKey.startsWith('tg_live_') ? live_api_url : sandbox_api_url;
  try {
    return await run(publicApi(baseUrl, apiKey));
  } catch (error) {
    if (error instanceof RequestRejected && error.status === 401 && !ownKey) {
      await forgetSandboxKey(login, apiKey);
      terminal.printError(
        'The key of this program is not valid any more. Run the command again to create another.',
      );
    }
    throw error;
  }
}

function publicApi(baseUrl: string, apiKey: string): PublicApi {
  const api = createApiClient(baseUrl, apiKey, TIMEOUT_MS);
  const post = (
    path: string,
    body: object,
    { idempotencyKey = randomUUID(), waitsForAction }: CreateOptions = {},
  ) =>
    api.read<Payment>(path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
        ...(waitsForAction && { prefer: LONGEST_WAIT }),
      },
      body: JSON.stringify(body),
    });
  return {
    create: (body, options) => post('/v1/payments', body, options),
    cancel: (paymentId, body) => post(`/v1/payments/${encodeURIComponent(paymentId)}/cancel`, body),
  };
}
