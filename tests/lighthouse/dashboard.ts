import { parseArgs } from 'node:util';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { spreadOf } from '../load/statistics.ts';
import { apiClient } from '../support/api-client.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { CATEGORIES, createLighthouse, DEVICES, type Device, type Scores } from './lighthouse.ts';

/**
 * Measures pages of the dashboard with Lighthouse, as a phone and as a desktop, and prints the medians:
 * `npm run lighthouse:dashboard --workspace tests -- [--runs 5]`. Fails if a median is below 95, or below 90 on the phone.
 */
const LOWEST_SCORE: Record<Device, number> = { phone: 90, desktop: 95 };
const PAYMENTS = 60;
const METHODS = ['pm_succeed', 'pm_decline', 'pm_hold'];

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const runs = Number(values.runs);
const scoresOf = await createLighthouse();
const platform = await startPlatform({ dashboard: true });
try {
  const paymentId = await makeData(platform);
  const cookie = await signIn(platform);
  const pages = ['', '/payments', `/payments/${paymentId}`, '/usage', '/webhooks'].map(
    (page) => `/sandbox${page}`,
  );
  const rows: ({ page: string; device: Device } & Scores)[] = [];
  for (const page of pages) {
    for (const device of DEVICES) {
      const loads: Scores[] = [];
      for (let run = 0; run < runs; run += 1)
        loads.push(await scoresOf(platform.dashboardUrl + page, device, { cookie }));
      rows.push({ page: page.replace(paymentId, ':payment_id'), device, ...medianOf(loads) });
    }
  }
  console.table(rows);
  if (rows.some((row) => CATEGORIES.some((category) => row[category] < LOWEST_SCORE[row.device])))
    process.exitCode = 1;
} finally {
  await platform.stop();
}

/** Returns the id of a payment. */
async function makeData({ baseUrl, admin, owner, createApplication }: Platform): Promise<string> {
  const application = await createApplication();
  await admin.as(owner.session).call(ADMIN_ROUTES.createEndpoint, {
    application_id: application.id,
    environment: 'sandbox',
    url: 'http://localhost:9/hooks',
    event_types: [...PAYMENT_EVENT_TYPES],
  });
  const api = apiClient(baseUrl.sandbox, application.keys.sandbox);
  const created = await Promise.all(
    Array.from({ length: PAYMENTS }, (_, index) =>
      api.create({
        amount: 1_000 + index,
        currency: 'EUR',
        reference: `order-${index}`,
        payment_method: METHODS[index % METHODS.length],
      }),
    ),
  );
  return (created[0] as (typeof created)[number]).body.id;
}

/** Returns the header `Cookie` of a signed-in member. */
async function signIn({ dashboardUrl, owner }: Platform): Promise<string> {
  const response = await fetch(`${dashboardUrl}/sign-in?/password`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: dashboardUrl },
    body: new URLSearchParams({ email: owner.email, password: owner.password }),
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  if (cookies.length === 0) throw new Error(`The sign-in was rejected with status ${response.status}.`);
  return cookies.join('; ');
}

function medianOf(loads: readonly Scores[]): Scores {
  return Object.fromEntries(
    CATEGORIES.map((category) => [category, spreadOf(loads.map((scores) => scores[category])).median]),
  ) as Scores;
}
