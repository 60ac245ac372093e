import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ServerError, Tollgate } from '@tollgate/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, apiClient } from '../api-client.ts';
import { type DroppingProxy, startDroppingProxy } from '../platform/dropping-proxy.ts';
import { type Platform, startPlatform, type TestApplication } from '../platform/platform.ts';
import { report } from '../report.ts';

/** The long form, `npm run test:long`, has 10,000. */
const CREATIONS = Number(process.env['CREATIONS'] ?? 600);
const CONCURRENCY = 8;
const SDK_CREATIONS = 50;
/** Every tenth response is lost, so that a creation needs more than this many attempts with a probability of 10⁻⁸. */
const MAX_ATTEMPTS = 8;
const DROP_EVERY_NTH = 10;

let platform: Platform;
let application: TestApplication;
let proxy: DroppingProxy;

beforeAll(async () => {
  platform = await startPlatform({
    advertise: async (paymentsUrl) => {
      proxy = await startDroppingProxy(paymentsUrl, DROP_EVERY_NTH);
      return proxy.url;
    },
  });
  application = await platform.createApplication();
});
afterAll(async () => {
  await proxy.stop();
  await platform.stop();
});

interface Creation {
  reference: string;
  idempotencyKey: string | undefined;
}

/** Even creations have an idempotency key, odd ones do not. */
const creations: Creation[] = Array.from({ length: CREATIONS }, (_, index) => ({
  reference: `order-${index}`,
  idempotencyKey: index % 2 === 0 ? `key-${index}` : undefined,
}));

/** Retries exactly as `X-Should-Retry` says. Resolves to whether the client knows that the payment exists. */
async function createWithRetries({ reference, idempotencyKey }: Creation): Promise<boolean> {
  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const response = await api.create({ amount: 1, currency: 'EUR', reference }, idempotencyKey);
    if (response.status === 201) return true;
    expectHonest(response);
    if (response.headers.get('x-should-retry') !== 'true') return false;
  }
  throw new Error(`${reference} was not created in ${MAX_ATTEMPTS} attempts`);
}

function expectHonest({ headers, body }: ApiResponse<object>): void {
  expect(headers.get('x-should-retry')).toBe(String((body as { retryable?: boolean }).retryable));
}

async function list(cursor: string | null) {
  const { body } = await platform.admin.as(platform.owner.session).call(ADMIN_ROUTES.listPayments, {
    application_id: application.id,
    limit: 100,
    ...(cursor !== null && { cursor }),
  });
  return body;
}

/** Resolves to the number of stored payments by reference. */
async function countByReference(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const page = await list(cursor);
    for (const { reference } of page.data) {
      if (reference !== null) counts.set(reference, (counts.get(reference) ?? 0) + 1);
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return counts;
}

describe('a client that retries exactly as X-Should-Retry says, when every tenth response of payments is lost', () => {
  it('creates no payment twice, and every payment that has a key', async () => {
    const queue = [...creations];
    const known = new Set<string>();
    async function work(): Promise<void> {
      for (let next = queue.shift(); next; next = queue.shift()) {
        if (await createWithRetries(next)) known.add(next.reference);
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work));

    const counts = await countByReference();
    const duplicates = [...counts].filter(([, count]) => count > 1);
    report(`${CREATIONS} creations, ${proxy.dropped()} responses lost, ${duplicates.length} duplicates`);
    expect(proxy.dropped()).toBeGreaterThan(CREATIONS / (2 * DROP_EVERY_NTH));
    expect(duplicates).toEqual([]);
    // Each payment exists, but without a key the client of a lost response cannot know it.
    expect(counts.size).toBe(CREATIONS);
    const withKey = creations.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
    expect(withKey.filter(({ reference }) => !known.has(reference))).toEqual([]);
    expect(known.size).toBeLessThan(CREATIONS);
  }, 600_000);
});

describe('the SDK, when every tenth response of payments is lost', () => {
  const client = (maxRetries: number) =>
    new Tollgate({
      apiKey: application.keys.sandbox,
      baseUrl: platform.baseUrl.sandbox,
      maxRetries,
      timeoutMs: 600_000,
    });

  it('creates every payment once, without a key from its caller', async () => {
    const { payments } = client(MAX_ATTEMPTS - 1);
    const droppedBefore = proxy.dropped();
    const references = Array.from({ length: SDK_CREATIONS }, (_, index) => `sdk-${index}`);
    const created = await Promise.all(
      references.map((reference) => payments.create({ amount: 1, currency: 'EUR', reference })),
    );
    expect(proxy.dropped()).toBeGreaterThan(droppedBefore);
    expect(new Set(created.map(({ id }) => id)).size).toBe(SDK_CREATIONS);
    const counts = await countByReference();
    expect(references.map((reference) => counts.get(reference))).toEqual(references.map(() => 1));
  }, 600_000);

  it('throws an error with the key that finds the payment later', async () => {
    const params = { amount: 1, currency: 'EUR', reference: 'sdk-lost' };
    const error = await firstError(() => client(0).payments.create(params));
    expect(error).toBeInstanceOf(ServerError);
    const { code, idempotencyKey = '' } = error as ServerError;
    expect(code).toBe('upstream-error');

    const before = (await countByReference()).get('sdk-lost');
    await client(MAX_ATTEMPTS - 1).payments.create(params, { idempotencyKey });
    expect((await countByReference()).get('sdk-lost')).toBe(before);
  });
});

/** Calls until a response is lost. */
async function firstError(call: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      await call();
    } catch (error) {
      return error;
    }
  }
}
