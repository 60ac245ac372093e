import { setTimeout as delay } from 'node:timers/promises';
import type { AdminRoute, RouteRequest } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Payment } from '@tollgate/contracts/payments/payment';
import { type ApiResponse, apiClient } from '../api-client.ts';
import { type AdminResponse, adminClient } from '../platform/admin-client.ts';
import type { Attempt, HistoryKey, Outcome, PerformedOperation } from './history.ts';
import type { Operation, Order, Plan } from './plan.ts';
import type { RunLog } from './run-log.ts';
import type { Integration, World } from './world.ts';

/** How often a client sends a request that may be repeated before it gives up for now. */
const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 250;
/** A suspended process accepts connections, and never responds. */
const CLIENT = { timeoutMs: 10_000 };
/** An id that no payment has: 404 shows that the key was accepted. */
const NO_PAYMENT = 'none';

type ApiClient = ReturnType<typeof apiClient>;
interface Key extends Omit<HistoryKey, 'hasSecret'> {
  /** Null when the response with the secret was lost. */
  secret: string | null;
}
/** Sends one request of an operation; null if an earlier operation must succeed first. */
type Send = (() => Promise<Attempt>) | null;

export interface Driver {
  /** Draws the next operation of the plan, and performs it. */
  next(): Promise<PerformedOperation>;
  /** Performs an operation that the plan does not contain. */
  perform(operation: Operation): Promise<PerformedOperation>;
  /** Tells the driver of a payment whose response was lost. */
  learn(order: string, paymentId: string): void;
  /** Repeats an operation whose outcome is unknown, once. */
  repeat(performed: PerformedOperation): Promise<void>;
  operations: readonly PerformedOperation[];
  keys: readonly HistoryKey[];
}

/**
 * The applications and members of a run: performs operations, repeats requests as `X-Should-Retry` says, and logs each operation with
 * its responses.
 */
export function createDriver(
  world: World,
  plan: Plan,
  { log, concurrency = 1 }: { log: RunLog; concurrency?: number },
): Driver {
  const operations: PerformedOperation[] = [];
  const paymentIds = new Map<string, string>();
  const keys = new Map<string, Key>();
  for (const [integration, { key }] of world.integrations.entries()) {
    const name = mainKey(integration);
    keys.set(name, { name, integration, ...key });
  }
  let requests = 0;

  const integrationOf = (index: number) => world.integrations[index] as Integration;
  const orderOf = (name: string) => plan.orders.get(name) as Order;

  function publicRequest(
    { id: keyId, secret, integration }: Key,
    send: (api: ApiClient) => Promise<ApiResponse<unknown>>,
  ): Send {
    if (secret === null) return null;
    const { environment } = integrationOf(integration);
    return () =>
      timed({ keyId }, async () => {
        const { baseUrl } = world.addressesFor(requests++);
        const { status, headers, body } = await send(apiClient(baseUrl[environment], secret, CLIENT));
        const said = { status, isCounted: headers.has('ratelimit-policy'), shouldRetry: saysRetry(headers) };
        if (status < 300) return { ...said, code: null, payment: body as Payment };
        return { ...said, code: String((body as { code?: string } | null)?.code) };
      });
  }

  function adminRequest<Route extends AdminRoute>(
    integration: number,
    route: Route,
    request: RouteRequest<Route>,
    { idempotencyKey, onSuccess }: { idempotencyKey?: string; onSuccess?: (body: unknown) => void } = {},
  ): Send {
    const { session } = integrationOf(integration).team.owner;
    return () =>
      timed({}, async () => {
        const { adminUrl } = world.addressesFor(requests++);
        const response: AdminResponse<unknown> = await adminClient(adminUrl, CLIENT)
          .as(session)
          .call(route, request, { idempotencyKey });
        const { status, problem } = response;
        if (problem === null) onSuccess?.(response.body);
        const shouldRetry = saysRetry(response.headers);
        return { status, code: problem?.code ?? null, isCounted: false, shouldRetry };
      });
  }

  function requestOf(operation: Operation): Send {
    switch (operation.kind) {
      case 'create':
      case 'repeat': {
        const { integration, body, idempotencyKey } = orderOf(operation.order);
        return publicRequest(mainKeyOf(integration), (api) => api.create(body, idempotencyKey));
      }
      case 'read':
        return ofPayment(operation.order, (api, id) => api.read(id));
      case 'cancel':
        return ofPayment(operation.order, (api, id) =>
          api.cancel(id, undefined, `cancel-${operation.order}`),
        );
      case 'settle': {
        const payment_id = paymentIds.get(operation.order);
        if (payment_id === undefined) return null;
        const outcome = { status: 'succeeded' } as const;
        return adminRequest(orderOf(operation.order).integration, ADMIN_ROUTES.settlePayment, {
          payment_id,
          outcome,
        });
      }
      case 'list': {
        const { environment, applicationId } = integrationOf(operation.integration);
        const filters = { environment, application_id: applicationId, limit: 25 };
        return adminRequest(operation.integration, ADMIN_ROUTES.listPayments, filters);
      }
      case 'create-key':
        return createKeyRequest(operation.key, operation.integration);
      case 'use-key': {
        const key = keys.get(operation.key);
        return key === undefined ? null : publicRequest(key, (api) => api.read(NO_PAYMENT));
      }
      case 'revoke-key': {
        const key = keys.get(operation.key);
        if (key === undefined) return null;
        return adminRequest(key.integration, ADMIN_ROUTES.revokeKey, { key_id: key.id });
      }
    }
  }

  const mainKeyOf = (integration: number) => keys.get(mainKey(integration)) as Key;

  function ofPayment(
    orderName: string,
    send: (api: ApiClient, paymentId: string) => Promise<ApiResponse<unknown>>,
  ): Send {
    const paymentId = paymentIds.get(orderName);
    if (paymentId === undefined) return null;
    return publicRequest(mainKeyOf(orderOf(orderName).integration), (api) => send(api, paymentId));
  }

  function createKeyRequest(name: string, integration: number): Send {
    const { applicationId, environment } = integrationOf(integration);
    return adminRequest(
      integration,
      ADMIN_ROUTES.createKey,
      { application_id: applicationId, name, environment },
      {
        idempotencyKey: name,
        onSuccess(body) {
          const { id, secret } = body as { id: string; secret: string | null };
          keys.set(name, { name, id, integration, secret: secret ?? keys.get(name)?.secret ?? null });
        },
      },
    );
  }

  /** A POST without a key must not be repeated when nobody knows what happened. */
  function isRepeatable(operation: Operation): boolean {
    return operation.kind !== 'create' || orderOf(operation.order).idempotencyKey !== undefined;
  }

  /** As a client does that follows `X-Should-Retry`. */
  function mayRepeat(operation: Operation, { shouldRetry }: Attempt): boolean {
    return shouldRetry ?? isRepeatable(operation);
  }

  function conclude(performed: PerformedOperation): void {
    const { operation, attempts } = performed;
    performed.outcome = outcomeOf(attempts);
    const payment = attempts.find((attempt) => attempt.payment?.object === 'payment')?.payment;
    if (payment && (operation.kind === 'create' || operation.kind === 'repeat')) {
      paymentIds.set(operation.order, payment.id);
    }
  }

  /** Several clients that send the same request at once. */
  function sendAtOnce(send: NonNullable<Send>): Promise<Attempt[]> {
    return Promise.all(Array.from({ length: concurrency }, send));
  }

  async function perform(operation: Operation): Promise<PerformedOperation> {
    const performed: PerformedOperation = {
      index: operations.length,
      operation,
      attempts: [],
      outcome: 'skipped',
    };
    operations.push(performed);
    const send = requestOf(operation);
    if (send === null) return performed;
    for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
      if (round > 0) await delay(RETRY_DELAY_MS);
      const attempts = isRepeatable(operation) ? await sendAtOnce(send) : [await send()];
      performed.attempts.push(...attempts);
      if (outcomeOf(attempts) !== 'unknown' || !attempts.every((attempt) => mayRepeat(operation, attempt)))
        break;
    }
    conclude(performed);
    log.write(performed);
    return performed;
  }

  return {
    next: () => perform(plan.next()),
    perform,
    learn: (order, paymentId) => void paymentIds.set(order, paymentId),
    async repeat(performed) {
      const send = isRepeatable(performed.operation) ? requestOf(performed.operation) : null;
      if (send === null) return;
      performed.attempts.push(await send());
      conclude(performed);
      log.write(performed);
    },
    operations,
    get keys() {
      return [...keys.values()].map(({ secret, ...key }) => ({ ...key, hasSecret: secret !== null }));
    },
  };
}

/** The name of the key that the driver uses for everything but `use-key`. */
export function mainKey(integration: number): string {
  return `main-${integration}`;
}

/** A success or a rejection is final, whatever other attempts had. */
function outcomeOf(attempts: readonly Attempt[]): Outcome {
  const statuses = attempts.map(({ status }) => status ?? 0);
  if (statuses.some((status) => status >= 200 && status < 300)) return 'acknowledged';
  if (statuses.some((status) => status >= 400 && status < 500)) return 'rejected';
  return 'unknown';
}

function saysRetry(headers: Headers): boolean {
  return headers.get('x-should-retry') === 'true';
}

async function timed(
  sent: Pick<Attempt, 'keyId'>,
  send: () => Promise<Omit<Attempt, 'sentAt' | 'endedAt' | 'keyId'>>,
): Promise<Attempt> {
  const sentAt = Date.now();
  try {
    return { ...sent, sentAt, ...(await send()), endedAt: Date.now() };
  } catch (error) {
    const { code = 'unknown' } = ((error as Error).cause ?? {}) as { code?: string };
    return { ...sent, sentAt, endedAt: Date.now(), status: null, code, isCounted: null, shouldRetry: null };
  }
}
