import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';

const SOURCES = fileURLToPath(new URL('../../../sdks/python/src', import.meta.url));

/** Prints what each call returned, or the class and code of its error. */
const SCRIPT = `
import asyncio, json, os
from tollgate import AsyncTollgate, Tollgate, TollgateError

options = {"api_key": os.environ["API_KEY"], "base_url": os.environ["BASE_URL"]}
payments = Tollgate(**options).payments
body = {"amount": 1999, "currency": "EUR", "payment_method": "pm_hold"}

def attempt(call):
    try:
        return call()["status"]
    except TollgateError as error:
        return [type(error).__name__, error.code, error.request_id is not None]

created = payments.create(body, idempotency_key="python-1")
again = asyncio.run(AsyncTollgate(**options).payments.create(body, idempotency_key="python-1"))
print(json.dumps([
    created["id"] == again["id"],
    attempt(lambda: payments.retrieve(created["id"])),
    attempt(lambda: payments.cancel(created["id"], {"cancellation_reason": "abandoned"})),
    attempt(lambda: payments.create({"amount": 0, "currency": "EUR"})),
    attempt(lambda: payments.retrieve("pay_01kf0fj3s0ec7s9q7v0h5x2m4n")),
    attempt(lambda: Tollgate(api_key=options["api_key"][:-1] + "x", base_url=options["base_url"]).payments.create(body)),
]))
`;

let platform: SharedPlatform;
let application: TestApplication;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  application = await platform.createApplication(await platform.createTeam());
});
afterAll(() => platform?.leave());

it('the Python SDK creates, repeats, reads, and cancels payments at the gateway, and names its errors', async () => {
  const { stdout } = await promisify(execFile)('python3', ['-c', SCRIPT], {
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: SOURCES,
      PYTHONDONTWRITEBYTECODE: '1',
      API_KEY: application.keys.sandbox,
      BASE_URL: platform.baseUrl.sandbox,
    },
  });
  expect(JSON.parse(stdout)).toEqual([
    true,
    'pending',
    'canceled',
    ['InvalidRequestError', 'amount-out-of-range', true],
    ['NotFoundError', 'payment-not-found', true],
    ['AuthenticationError', 'invalid-api-key', true],
  ]);
});
