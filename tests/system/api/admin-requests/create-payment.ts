import { randomUUID } from 'node:crypto';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { apiClient } from '../../../support/api-client.ts';
import type { Scene } from './prepared-request.ts';

/** Creates a payment that stays pending until a test settles it. */
export async function createPayment(
  { platform, application }: Scene,
  environment: Environment,
  currency = 'EUR',
): Promise<string> {
  const api = apiClient(platform.baseUrl[environment], application.keys[environment]);
  const payment = { amount: 100, currency, payment_method: 'pm_hold' };
  const { status, body } = await api.create(payment, randomUUID());
  if (status !== 201) throw new Error(`A payment could not be created: ${JSON.stringify(body)}`);
  return body.id;
}
