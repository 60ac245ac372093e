import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ServerError, Tollgate } from '@tollgate/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DroppingProxy, startDroppingProxy } from '../../support/platform/dropping-proxy.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';

const SDK_CREATIONS = 50;
/** Every tenth response is lost, so that a creation needs more than this many attempts with a probability of 10⁻⁸. */
const MAX_ATTEMPTS = 8;
const DROP_EVERY_NTH = 10;

let platform: Platform;
let application: TestApplication;
let proxy: DroppingProxy;

beforeAll(async () => {
  platform = await startPlatform({
    topology: 'all-in-one',
    advertise: async (paymentsUrl) => {
      let responses = 0;
      proxy = await startDroppingProxy(
        paymentsUrl,
        (method) => method === 'POST' && ++responses % DROP_EVERY_NTH === 0,
      );
      return proxy.url;
    },
  });
  application = await platform.createApplication();
});
afterAll(async () => {
  await proxy.stop();
  await platform.stop();
});

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

describe('the SDK, when every tenth response of payments is lost', () => {
  const client = (maxRetries: number) =>
    new Tollgate({
      apiKey: application.keys.sandbox,
      baseUrl: platform.baseUrl.sandbox,
      maxRetries,
      timeoutMs: 600_000,
    });

  it('the SDK, when every tenth response of payments is lost creates every payment once, without a key from its caller', async () => {
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

  it('the SDK, when every tenth response of payments is lost throws an error with the key that finds the payment later', async () => {
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
