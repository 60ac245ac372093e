import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentSummary } from '@tollgate/contracts/payments/payment-history';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import type { Role } from '@tollgate/contracts/platform/roles';
import { firstPaymentCommand, keyToComplete } from '#lib/applications/first-payment.ts';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { allows } from '#lib/server/access.ts';
import { failureReasons, homePeriod, periodFigures, volumes } from '#lib/server/home/period-figures.ts';
import { readAttention } from '#lib/server/home/read-attention.ts';
import { readWebhookHealth } from '#lib/server/home/read-webhook-health.ts';
import { volumeChart } from '#lib/server/home/volume-chart.ts';
import { orNull } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { PERIOD_MS } from '#lib/server/usage/usage-range.ts';
import type { PageServerLoad } from './$types';

const RECENT_PAYMENTS = 8;
/** The newest endpoints; the endpoints page lists them all. */
const ENDPOINTS_LOOKED_AT = 100;

/** Payments, processors, and webhooks, whose changes live updates announce. */
export const load: PageServerLoad = async ({ locals, params: { environment }, url, depends, parent }) => {
  depends(PAYMENTS_KEY);
  const period = homePeriod(url);
  const currency = url.searchParams.get('currency')?.toUpperCase() ?? '';
  const { admin, timeZone } = locals;
  const nowMs = Date.now();
  const endpoints = admin
    .call(ADMIN_ROUTES.listEndpoints, { environment, limit: ENDPOINTS_LOOKED_AT })
    .then(({ data }) => data);
  const [summary, recent, attention, webhookHealth] = await Promise.all([
    pagePart(
      'figures',
      admin.call(ADMIN_ROUTES.summarizePayments, {
        environment,
        period,
        ...(CURRENCY_EXPONENTS.has(currency) && { currency }),
      }),
    ),
    pagePart(
      'payments',
      admin.call(ADMIN_ROUTES.listPayments, { environment, limit: RECENT_PAYMENTS }).then(({ data }) => data),
    ),
    readAttention(admin, environment, { endpoints: orNull(endpoints), timeZone, nowMs }),
    pagePart(
      'webhooks',
      readWebhookHealth(admin, environment, { endpoints, since: new Date(nowMs - PERIOD_MS[period]) }),
    ),
  ]);
  const payments = recent.ok ? recent.data : [];
  const hasEndpoint = (await orNull(endpoints))?.length !== 0;
  // A team without endpoints that has created more payments needs none.
  const isStarting =
    recent.ok && (payments.length === 0 || (payments.length < RECENT_PAYMENTS && !hasEndpoint));
  return {
    period,
    summary: summary.ok ? { ok: true as const, ...periodView(summary.data, { timeZone, nowMs }) } : summary,
    recent,
    /** Null once there are payments in this environment, and a webhook endpoint. */
    firstSteps: isStarting
      ? {
          hasPayment: payments.length > 0,
          ...(await firstSteps(locals, environment, (await parent()).me.role)),
        }
      : null,
    attention,
    webhookHealth,
    now: nowMs,
  };
};

function periodView(summary: PaymentSummary, viewer: { timeZone: string; nowMs: number }) {
  return {
    figures: periodFigures(summary),
    volumes: volumes(summary),
    failures: failureReasons(summary),
    currencies: summary.currencies.map(({ currency }) => currency),
    currency: summary.currency,
    chart: volumeChart(summary, viewer),
    /** Null unless the period has more payments than one summary counts. */
    countedFrom: summary.counted_from > summary.from ? summary.counted_from : null,
  };
}

/** The completed steps towards the first payment, and the command that creates it. */
async function firstSteps({ admin, apiUrls }: App.Locals, environment: Environment, role: Role) {
  const newest = { status: 'active', limit: 1 } as const;
  const applications = await orNull(admin.call(ADMIN_ROUTES.listApplications, newest));
  const application = applications?.data[0];
  const keys =
    application &&
    (await orNull(
      admin.call(ADMIN_ROUTES.listKeys, { ...newest, application_id: application.id, environment }),
    ));
  const key = keys?.data[0];
  return {
    application: application ? { id: application.id, name: application.name } : null,
    hasKey: key !== undefined,
    command: firstPaymentCommand({
      baseUrl: apiUrls[environment],
      secret: keyToComplete(environment, key),
      idempotencyKey: crypto.randomUUID(),
    }),
    mayCreate: {
      application: allows(ADMIN_ROUTES.createApplication, role),
      key: allows(ADMIN_ROUTES.createKey, role, environment),
      endpoint: allows(ADMIN_ROUTES.createEndpoint, role, environment),
    },
  };
}
