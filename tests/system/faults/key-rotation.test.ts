import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { containerVariables } from '@tollgate/launcher/containers/container-variables';
import { readVariable } from '@tollgate/launcher/key-rings/env-text';
import { type RotationStep, readersOf, rotateRing } from '@tollgate/launcher/key-rings/rotate-ring';
import type { Secrets } from '@tollgate/launcher/secrets';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { verifyAuditLog } from '../../support/mixed-versions/audit-checks.ts';
import { createIntegration, type Integration } from '../../support/mixed-versions/integration.ts';
import { loggedErrors } from '../../support/mixed-versions/log-lines.ts';
import { type MixedPlatform, startPlatformOf } from '../../support/mixed-versions/mixed-platform.ts';
import { createPaymentLoad, type PaymentLoad } from '../../support/mixed-versions/payment-load.ts';
import { setUpTeam, type TeamOwner } from '../../support/mixed-versions/team-owner.ts';
import { SERVICES } from '../../support/mixed-versions/versioned-processes.ts';
import { report } from '../../support/report.ts';

/** Payments that are acknowledged while an instance with the keys of a step runs beside one without. */
const PAYMENTS_PER_RESTART = 5;
/** Below the limit of a member. */
const MEMBER_REQUESTS_PER_SECOND = 4;
/** Keys that nothing stored depends on, so that the earlier ones can be removed at once. */
const REMOVABLE = ['INTERNAL_SIGNING_KEYS', 'ACTOR_SIGNING_KEY'];
const ROTATED = [
  ...REMOVABLE,
  'API_KEY_PEPPERS',
  'ACCOUNTS_SIGNING_KEYS',
  'APPLICATIONS_SIGNING_KEYS',
  'GATEWAY_SIGNING_KEYS',
  'PAYMENTS_SIGNING_KEYS',
  'WEBHOOKS_SIGNING_KEYS',
  'AUDIT_SIGNING_KEYS',
  'WEBHOOK_ENCRYPTION_KEYS',
  'ACCOUNTS_ENCRYPTION_KEYS',
];

let platform: MixedPlatform;
let owner: TeamOwner;
let load: PaymentLoad;
let env: string;
const integrations: Integration[] = [];

beforeAll(async () => {
  const checkouts = { previous: CHECKOUT_DIR, current: CHECKOUT_DIR };
  platform = await startPlatformOf('current', checkouts);
  owner = await setUpTeam(platform);
  env = Object.entries(containerVariables(platform.settings.secrets))
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
  integrations.push(await createIntegration(platform.processes, owner, 'Load'));
  const key = await owner.call(ADMIN_ROUTES.createKey, {
    application_id: (integrations[0] as Integration).applicationId,
    name: 'Load',
    environment: 'sandbox',
  });
  load = createPaymentLoad(shownOnce(key.secret), platform.nextGateway);
  await load.start();
  load.resume();
});
afterAll(async () => {
  await load?.pause();
  await platform?.stop();
  for (const { receiver } of integrations) await receiver.close();
});

/** Applies one step to these rings, and restarts the processes that the documentation names, in the documented order. */
async function rotate(variables: string[], step: RotationStep): Promise<void> {
  env = variables.reduce((text, variable) => rotateRing(text, variable, step), env);
  platform.settings.secrets = secretsOf(env, platform.settings.secrets);
  const readers = new Set<string>(variables.flatMap((variable) => readersOf(variable, step)));
  for (const name of [...SERVICES, 'gateway'] as const) {
    if (readers.has(name))
      await platform.processes.replace(name, 'current', () => load.acknowledge(PAYMENTS_PER_RESTART));
  }
}

/** The secrets with the keys of an env file. */
function secretsOf(text: string, secrets: Secrets): Secrets {
  const read = (names: string[]) => Object.fromEntries(names.map((name) => [name, readVariable(text, name)]));
  const signing = Object.keys(secrets.signing).map((issuer): [string, string] => [
    issuer,
    readVariable(text, `${issuer.toUpperCase()}_SIGNING_KEYS`),
  ]);
  const rings = ROTATED.filter((name) => Object.hasOwn(secrets, name));
  return {
    ...secrets,
    ...read([...rings, 'ACTOR_PUBLIC_KEYS']),
    signing: Object.fromEntries(signing) as Secrets['signing'],
  };
}

/** Reads as a member, at a steady rate, until a request fails. */
function startMemberLoad() {
  const routes = [ADMIN_ROUTES.listApplications, ADMIN_ROUTES.listPayments, ADMIN_ROUTES.listEndpoints];
  const failures: string[] = [];
  const inFlight = new Set<Promise<unknown>>();
  let sent = 0;
  const timer = setInterval(() => {
    const route = routes[sent++ % routes.length] as (typeof routes)[0];
    const done: Promise<unknown> = owner
      .call(route, {})
      .catch((error: Error) => {
        failures.push(error.message);
        clearInterval(timer);
      })
      .finally(() => inFlight.delete(done));
    inFlight.add(done);
  }, 1000 / MEMBER_REQUESTS_PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
      return { sent, failures };
    },
  };
}

/** Creates a key, which every gateway must accept, and an endpoint. */
async function createWithNewKeys(step: RotationStep): Promise<void> {
  integrations.push(await createIntegration(platform.processes, owner, step));
}

/** Ids of settled payments of the load whose event has not arrived. */
function paymentsWithoutWebhook(): string[] {
  const { receiver } = integrations[0] as Integration;
  const events = receiver.received.filter(({ body }) => body.type === 'payment.succeeded');
  const notified = new Set(events.map(({ body }) => body.data.id));
  const settled = load.requested.filter(({ body }) => body.payment_method === undefined);
  return settled.flatMap(({ paymentId }) => paymentId ?? []).filter((id) => !notified.has(id));
}

it('every ring of keys is rotated by the documented steps without a failed request', async () => {
  onTestFailed(() => report(`errors logged: ${loggedErrors(platform.processes.log()).join('\n')}`));
  const member = startMemberLoad();
  for (const [step, rings] of [
    ['add', ROTATED],
    ['promote', ROTATED],
    ['remove', REMOVABLE],
  ] as const) {
    const startedAt = performance.now();
    await rotate([...rings], step);
    report(`${step}: ${Math.round(performance.now() - startedAt)} ms`);
    await createWithNewKeys(step);
  }
  await load.acknowledge(PAYMENTS_PER_RESTART);
  await load.pause();
  const { sent, failures } = await member.stop();
  const statuses = Object.fromEntries(load.statuses);
  report(`${JSON.stringify(statuses)} by status, ${sent} requests of a member`);

  expect(failures).toEqual([]);
  expect(load.failures).toEqual([]);
  expect(load.cutOff()).toBe(0);
  // 404 is the payment "x", which does not exist, before the load.
  expect(Object.keys(statuses).filter((status) => Number(status) >= 300 && status !== '404')).toEqual([]);
  expect(loggedErrors(platform.processes.log())).toEqual([]);
  expect(await verifyAuditLog(owner)).toMatchObject({ status: 'intact', findings: [] });
  await expect.poll(paymentsWithoutWebhook, { timeout: 30_000 }).toEqual([]);
}, 600_000);
