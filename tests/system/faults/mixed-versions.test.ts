import { streamBacklog } from '@tollgate/bus/test/stream-backlog';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { verifyAuditLog, wrongAuditRecords } from '../../support/mixed-versions/audit-checks.ts';
import { wrongDeliveries } from '../../support/mixed-versions/delivery-checks.ts';
import {
  changeIntegration,
  createIntegration,
  type Integration,
} from '../../support/mixed-versions/integration.ts';
import { loggedErrors } from '../../support/mixed-versions/log-lines.ts';
import { startMixedPlatform } from '../../support/mixed-versions/mixed-platform.ts';
import type { MixedRun } from '../../support/mixed-versions/mixed-run.ts';
import { eventsOf, wrongPayments } from '../../support/mixed-versions/payment-checks.ts';
import { createPaymentLoad } from '../../support/mixed-versions/payment-load.ts';
import { readEverything } from '../../support/mixed-versions/read-everything.ts';
import { type StoredFields, watchStoredFields } from '../../support/mixed-versions/stored-fields.ts';
import { setUpTeam } from '../../support/mixed-versions/team-owner.ts';
import { wrongUsage } from '../../support/mixed-versions/usage-checks.ts';
import { SERVICES, type Version } from '../../support/mixed-versions/versioned-processes.ts';
import { report } from '../../support/report.ts';

/** The long form, `npm run test:long`, has 5. */
const ROUNDS = Number(process.env['MIXED_ROUNDS'] ?? 1);
/** Payments that are acknowledged while two versions of a process run, and after each replacement of all. */
const PAYMENTS_PER_STEP = 5;
const PAYMENTS_PER_PHASE = 20;
/** The main endpoint rejects the first attempt of so many deliveries per phase. They are retried after 4 to 6 s. */
const REJECTED_PER_PHASE = 5;
/** A worker that ends without releasing a lease is replaced after 30 s. */
const CONVERGED_WITHIN = { timeout: 60_000, interval: 250 };
/** npm may install the packages of the previous version. */
const START_TIMEOUT_MS = 300_000;
/** With a load of 12 per core, 300 s were too few. */
const ROUND_TIMEOUT_MS = 600_000;

let run: MixedRun;
let storedFields: StoredFields;

beforeAll(async () => {
  const since = new Date().toISOString();
  const platform = await startMixedPlatform();
  const owner = await setUpTeam(platform);
  const main = await createIntegration(platform.processes, owner, 'Load');
  const key = await owner.call(ADMIN_ROUTES.createKey, {
    application_id: main.applicationId,
    name: 'Load',
    environment: 'sandbox',
  });
  const load = createPaymentLoad(shownOnce(key.secret), platform.nextGateway);
  await load.start();
  run = { platform, owner, load, main, loadKeyId: key.id, further: [], changes: 0, since };
  storedFields = watchStoredFields(platform.infra.mongodbUrl);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await run?.load.pause();
  await run?.platform.stop();
  for (const { receiver } of run === undefined ? [] : [run.main, ...run.further]) await receiver.close();
});

const bothVersions = () => run.load.acknowledge(PAYMENTS_PER_STEP);

async function replaceGateway(version: Version): Promise<void> {
  await run.platform.processes.replace('gateway', version, bothVersions);
}

async function replaceServices(version: Version): Promise<void> {
  for (const name of SERVICES) await run.platform.processes.replace(name, version, bothVersions);
}

/** What members do in every phase: they read, change what an earlier phase created, and create. */
async function workAsMember(phase: string): Promise<void> {
  const { platform, owner, further } = run;
  await readEverything(owner);
  const previous = further.at(-1);
  if (previous) {
    await changeIntegration(platform.processes, owner, previous, `Changed: ${phase}`);
    run.changes += 1;
  }
  const integration = await createIntegration(platform.processes, owner, phase);
  further.push(integration);
  await createPayment(integration);
}

async function createPayment({ key }: Integration): Promise<void> {
  const { baseUrl } = run.platform.nextGateway();
  const { status } = await apiClient(baseUrl.sandbox, key.secret).create();
  expect(status).toBe(201);
}

/** From now on, the main endpoint rejects the first attempt of some deliveries, so that their retry is stored. */
function rejectSomeDeliveries(): void {
  const { receiver } = run.main;
  const known = new Set(receiver.received.map(({ id }) => id));
  let rejections = REJECTED_PER_PHASE;
  receiver.respond = ({ id }) => {
    const isRepeated = known.has(id);
    known.add(id);
    return isRepeated || rejections-- <= 0 ? {} : { status: 503 };
  };
}

/** Everything that is wrong or not completed yet. */
async function discrepancies() {
  let events: PaymentEvent[] = [];
  return {
    failures: run.load.failures,
    events: await found(async () => {
      events = await eventsOf(run);
      return [];
    }),
    payments: wrongPayments(run, events),
    deliveries: await found(() => wrongDeliveries(run, events)),
    backlog: await found(() => streamBacklog(run.platform.bus)),
    auditRecords: await found(() => wrongAuditRecords(run, events)),
    usage: await found(() => wrongUsage(run)),
    fields: await found(storedFields.lost),
    errors: loggedErrors(run.platform.processes.log()),
  };
}

/** A check that cannot read a reply of another version has found something, too. */
async function found(check: () => Promise<unknown[]>): Promise<unknown[]> {
  return check().catch((error: Error) => [error.message]);
}

const NONE = {
  failures: [],
  events: [],
  payments: [],
  deliveries: [],
  backlog: [],
  auditRecords: [],
  usage: [],
  fields: [],
  errors: [],
};

/** Changes the versions under load, lets members work, and checks that nothing was lost, repeated, or left behind. */
async function phase(title: string, change: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  rejectSomeDeliveries();
  run.load.resume();
  await change();
  await run.load.acknowledge(PAYMENTS_PER_PHASE);
  await workAsMember(title);
  await run.load.pause();
  const pausedAt = performance.now();
  await expect.poll(discrepancies, CONVERGED_WITHIN).toEqual(NONE);
  expect(await verifyAuditLog(run.owner)).toMatchObject({ status: 'intact', findings: [] });
  await storedFields.remember();
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  report(
    `${title}: ${seconds(pausedAt - startedAt)} s under load, converged ${seconds(performance.now() - pausedAt)} s later`,
  );
}

it(
  'processes of the previous and the current version, side by side under load lose no payment, repeat none, deliver every event, and record and count every request',
  async () => {
    onTestFailed(() => report(`errors logged: ${loggedErrors(run.platform.processes.log()).join('\n')}`));
    for (let round = 1; round <= ROUNDS; round++) {
      const title = (text: string) => `round ${round}, ${text}`;
      await phase(title('previous version'), async () => undefined);
      await phase(title('current gateway, previous services'), () => replaceGateway('current'));
      await phase(title('previous gateway, current services'), async () => {
        await replaceGateway('previous');
        await replaceServices('current');
      });
      await phase(title('current version'), () => replaceGateway('current'));
      await phase(title('rolled back'), async () => {
        await replaceGateway('previous');
        // Not in reverse: readers of the previous version also face writers of the current one.
        await replaceServices('previous');
      });
    }
    const { load } = run;
    report(
      `${load.requested.length} payments requested, statuses ${JSON.stringify(Object.fromEntries(load.statuses))}, ${load.cutOff()} requests cut off`,
    );
  },
  ROUNDS * ROUND_TIMEOUT_MS,
);
