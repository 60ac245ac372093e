import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { apiClient } from '../../support/api-client.ts';
import type { Platform, TestApplication } from '../../support/platform/platform.ts';

/** In a turn of ten: payments that succeed, with an idempotency key each, reads of recent payments, and a list by a member. */
const TURN = [
  'create',
  'read',
  'create',
  'read',
  'read',
  'create',
  'read',
  'list',
  'read',
  'create',
] as const;
/** Reads choose among so many of the last payments. */
const RECENT = 1_000;

export interface SoakRequests {
  /** Sends the request with this index. Rejects unless the response is a success. */
  send(index: number): Promise<void>;
  created(): number;
}

export function createSoakRequests(platform: Platform, application: TestApplication): SoakRequests {
  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  const owner = platform.admin.as(platform.owner.session);
  const recent: string[] = [];
  let created = 0;

  async function create(index: number): Promise<void> {
    const body = {
      amount: 4_990,
      currency: 'EUR',
      payment_method: 'pm_succeed',
      reference: `order-${index}`,
      metadata: { cart: 'c-7f3a9', channel: 'web' },
    };
    const { status, body: payment } = await api.create(body, `soak-${index}`);
    expectStatus(201, status, payment);
    recent[created % RECENT] = payment.id;
    created += 1;
  }
  async function read(index: number): Promise<void> {
    const id = recent[index % recent.length];
    if (id === undefined) return;
    const { status, body } = await api.read(id);
    expectStatus(200, status, body);
  }
  async function list(): Promise<void> {
    const request = { environment: 'sandbox', application_id: application.id, limit: 25 } as const;
    const { status, problem } = await owner.call(ADMIN_ROUTES.listPayments, request);
    expectStatus(200, status, problem);
  }

  return {
    created: () => created,
    send: (index) => ({ create, read, list })[TURN[index % TURN.length] ?? 'read'](index),
  };
}

function expectStatus(expected: number, status: number, body: unknown): void {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`);
}
