import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

const CALLER_SPAN = 'b7ad6b7169203331';
const headersOf = (traceId: string) => ({ traceparent: `00-${traceId}-${CALLER_SPAN}-01` });

let collector: OtlpReceiver;
let platform: Platform;
let application: TestApplication;
let endpoint: TestEndpoint;

beforeAll(async () => {
  collector = await startOtlpReceiver();
  platform = await startPlatform({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      LOG_LEVEL: 'info',
    },
    gatewayLogLevel: 'info',
    dashboard: true,
  });
  application = await platform.createApplication();
  endpoint = await createWebhookEndpoint(platform.admin.as(platform.owner.session), application, {
    eventTypes: ['payment.created'],
  });
});
afterAll(async () => {
  await endpoint?.receiver.close();
  await platform?.stop();
  await collector?.close();
});

/** The spans of a trace, once these have arrived, by "service name". */
async function spansOf(traceId: string, wanted: string[]): Promise<Map<string, ReceivedSpan>> {
  const ofTrace = () =>
    new Map(
      collector.spans
        .filter((span) => span.traceId === traceId)
        .map((span) => [`${span.service} ${span.kind} ${span.name}`, span]),
    );
  await eventually(`the spans of ${traceId}`, () => wanted.every((name) => ofTrace().has(name)));
  return ofTrace();
}

/** Expects each span to be the parent of the next one. */
function expectChain(spans: Map<string, ReceivedSpan>, names: string[]): void {
  let parentId = CALLER_SPAN;
  for (const name of names) {
    const span = spans.get(name);
    expect(span?.parentId, `the parent of ${name}`).toBe(parentId);
    expect(span?.hasFailed).toBe(false);
    parentId = span?.spanId ?? '';
  }
}

it('a trace leads from the request of an application to the webhook that its receiver gets', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const response = await fetch(`${platform.baseUrl.sandbox}/v1/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${application.keys.sandbox}`,
      'content-type': 'application/json',
      'idempotency-key': 'traced',
      ...headersOf(traceId),
    },
    body: JSON.stringify({ amount: 1_000, currency: 'EUR' }),
  });
  expect(response.status).toBe(201);
  const chain = [
    'gateway server POST create_payment',
    'gateway client payments create_payment',
    'payments server POST /v1/payments',
    'payments producer publish events.payment.created',
    'webhooks consumer process events.payment.created',
    'webhooks client webhook attempt',
  ];
  const spans = await spansOf(traceId, chain);
  expectChain(spans, chain);

  await eventually('the webhook came', () => endpoint.receiver.received.length === 1);
  const attempt = spans.get('webhooks client webhook attempt');
  expect(endpoint.receiver.received[0]?.headers['traceparent']).toBe(`00-${traceId}-${attempt?.spanId}-01`);

  // Each process that handled the request says so in its log.
  for (const process of ['gateway', 'payments'] as const) {
    const lines = platform.processes[process].logLines().filter((line) => line['trace_id'] === traceId);
    expect(
      lines.map(({ msg }) => msg),
      process,
    ).toContain('request');
  }
});

it('a trace leads from a request to the admin API to the services that it calls', async () => {
  const traceId = '1bf7651916cd43dd8448eb211c80319d';
  const { path } = ADMIN_ROUTES.listApplications;
  const response = await fetch(`${platform.adminUrl}${path}`, {
    headers: { authorization: `Bearer ${platform.owner.session}`, ...headersOf(traceId) },
  });
  expect(response.status).toBe(200);
  const call = ['gateway client rpc.applications.list', 'applications server rpc.applications.list'];
  const exchange = ['gateway client rpc.accounts.actor_token', 'accounts server rpc.accounts.actor_token'];
  const server = 'gateway server GET applications.list';
  const spans = await spansOf(traceId, [server, ...call, ...exchange]);
  expectChain(spans, [server, ...call]);
  expectChain(spans, [server, ...exchange]);
});

it('a trace begins with a page of the dashboard', async () => {
  const response = await fetch(`${platform.dashboardUrl}/sign-in`);
  expect(response.status).toBe(200);
  await eventually('the page and its call are recorded', () => {
    const page = collector.spans.find(({ service }) => service === 'dashboard');
    return collector.spans.some(
      ({ service, parentId }) => service === 'gateway' && parentId === page?.spanId,
    );
  });
});

it('a trace that the caller does not record is passed on, and not recorded', async () => {
  const traceId = '2cf7651916cd43dd8448eb211c80319e';
  const send = (traceparent: string) =>
    fetch(`${platform.baseUrl.sandbox}/v1/payments/pay_unknown`, {
      headers: { authorization: `Bearer ${application.keys.sandbox}`, traceparent },
    });
  await send(`00-${traceId}-${CALLER_SPAN}-00`);
  const later = '3df7651916cd43dd8448eb211c80319f';
  await send(`00-${later}-${CALLER_SPAN}-01`);
  await spansOf(later, ['gateway server GET read_payment', 'payments server GET /v1/payments/:payment_id']);
  expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  const logged = platform.processes.payments.logLines().map((line) => line['trace_id']);
  expect(logged).toContain(traceId);
});
