import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Payment } from '@tollgate/contracts/payments/payment';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { generateClients } from './clients/generate-clients.ts';
import { pythonRequests } from './clients/python-requests.ts';
import { runPythonJourney } from './clients/run-python.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const CLIENTS = folder('./clients');
const GENERATED = folder('../../.artifacts/clients');
const TSC = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));

/** What each client reads on its way. */
interface Journey {
  created: Payment;
  read: Payment;
  canceled: Payment;
  /** Code of the error for an unknown payment. */
  code: string;
}

let platform: SharedPlatform;
let document: { components: object };
let caller: [baseUrl: string, key: string];

beforeAll(async () => {
  platform = await joinSharedPlatform();
  const { keys } = await platform.createApplication(await platform.createTeam());
  caller = [platform.baseUrl.sandbox, keys.sandbox];
  const response = await fetch(`${platform.baseUrl.sandbox}/openapi.json`);
  document = (await response.json()) as { components: object };
  await generateClients(document, GENERATED);
});
afterAll(() => platform?.leave());

async function runTypescriptJourney(file: string): Promise<Journey> {
  const { journey } = await import(`${CLIENTS}/${file}`);
  return journey(...caller);
}

describe('clients generated from the served document', () => {
  it('type-check in TypeScript', async () => {
    await expect(promisify(execFile)(process.execPath, [TSC, '-p', CLIENTS])).resolves.toMatchObject({
      stdout: '',
    });
  });

  it.each([
    ['openapi-typescript with openapi-fetch', () => runTypescriptJourney('openapi-fetch.mts')],
    ['@hey-api/openapi-ts', () => runTypescriptJourney('hey-api.mts')],
    [
      'quicktype with oas-to-snippet, in Python',
      async (): Promise<Journey> => {
        const files = {
          types: `${GENERATED}/payments.py`,
          journey: `${CLIENTS}/journey.py`,
          requests: `${CLIENTS}/requests.py`,
        };
        const [baseUrl, key] = caller;
        return JSON.parse(await runPythonJourney(files, pythonRequests(document, { baseUrl, key })));
      },
    ],
  ])(
    'clients generated from the served document create, read, and cancel a payment: %s',
    async (_generator, run) => {
      const { created, read, canceled, code } = await run();
      expect(created).toMatchObject({
        amount: 1250,
        currency: 'EUR',
        status: 'pending',
        metadata: { cart: 'c-93' },
      });
      expect(read).toEqual(created);
      expect(canceled).toMatchObject({
        id: created.id,
        status: 'canceled',
        cancellation_reason: 'requested_by_customer',
      });
      expect(code).toBe('payment-not-found');
    },
  );
});
