import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import type { AdminCaller } from '../../support/platform/admin-client.ts';
import { followChanges, type LiveStream } from '../../support/platform/live-stream.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { createWebhookEndpoint } from '../../support/platform/webhook-endpoint.ts';

let platform: SharedPlatform;
let team: TestTeam;
let foreignTeam: TestTeam;
let application: TestApplication;
let foreignApplication: TestApplication;
let owner: AdminCaller;
let stranger: AdminCaller;
const opened: { close(): unknown }[] = [];

beforeAll(async () => {
  platform = await joinSharedPlatform();
  [team, foreignTeam] = [await platform.createTeam(), await platform.createTeam()];
  owner = platform.admin.as(team.owner.session);
  stranger = platform.admin.as(foreignTeam.owner.session);
});
afterAll(() => platform?.leave());
beforeEach(async () => {
  application = await platform.createApplication(team);
  foreignApplication = await platform.createApplication(foreignTeam);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function follow(member: AdminCaller, environment?: Environment) {
  const stream = await followChanges(member, environment);
  opened.push(stream);
  return stream;
}

async function anEndpoint(member: AdminCaller, of: TestApplication) {
  const endpoint = await createWebhookEndpoint(member, of);
  opened.push(endpoint.receiver);
  return endpoint;
}

async function aPayment({ keys }: TestApplication) {
  const api = apiClient(platform.baseUrl.sandbox, keys.sandbox);
  const { body } = await api.create({ amount: 100, currency: 'EUR', payment_method: 'pm_hold' });
  return body;
}

const deliveriesIn = ({ events }: LiveStream) =>
  events.filter(({ name }) => name === 'delivery').map(({ data }) => data);
const delivered = (stream: LiveStream) =>
  eventually('the delivery is told to have succeeded', () =>
    deliveriesIn(stream).some(({ status }) => status === 'succeeded'),
  );

it('a member who follows changes sees a delivery when it is queued and when it is attempted, with the same data as the API returns', async () => {
  const endpoint = await anEndpoint(owner, application);
  const stream = await follow(owner);
  const payment = await aPayment(application);
  await delivered(stream);
  const { body } = await owner.call(ADMIN_ROUTES.listDeliveries, { payment_id: payment.id });
  const [delivery, ...others] = body.data;
  expect(others).toEqual([]);
  const common = {
    environment: 'sandbox',
    application_id: application.id,
    delivery_id: delivery?.id,
    endpoint_id: endpoint.id,
    event_id: delivery?.event_id,
    payment_id: payment.id,
  };
  expect(deliveriesIn(stream)).toEqual([
    { ...common, status: 'pending', attempts: 0 },
    { ...common, status: 'succeeded', attempts: 1 },
  ]);
});

it('a member who follows changes sees that an endpoint was changed and deleted', async () => {
  const { id: endpoint_id } = await anEndpoint(owner, application);
  const stream = await follow(owner);
  const news = () => stream.events.filter(({ name }) => name === 'webhook_endpoint');
  const { body } = await owner.call(
    ADMIN_ROUTES.updateEndpoint,
    { endpoint_id, description: 'Shop' },
    { ifMatch: '*' },
  );
  await eventually('the change is told', () => news().length === 1);
  await owner.call(ADMIN_ROUTES.deleteEndpoint, { endpoint_id }, { ifMatch: body.version });
  await eventually('the deletion is told', () => news().length === 2);
  for (const { data } of news())
    expect(data).toEqual({ environment: 'sandbox', application_id: application.id, endpoint_id });
});

it('a member who follows changes sees nothing of another team or the other environment', async () => {
  await anEndpoint(owner, application);
  const foreignEndpoint = await anEndpoint(stranger, foreignApplication);
  const mine = await follow(owner, 'sandbox');
  const live = await follow(owner, 'live');
  const theirs = await follow(stranger);
  await aPayment(application);
  await delivered(mine);
  const foreignPayment = await aPayment(foreignApplication);
  await delivered(theirs);
  for (const { data } of mine.events) expect(data['application_id']).toBe(application.id);
  for (const { data } of theirs.events) expect(data['application_id']).toBe(foreignApplication.id);
  expect(deliveriesIn(theirs)).toMatchObject([
    { endpoint_id: foreignEndpoint.id, payment_id: foreignPayment.id, status: 'pending' },
    { endpoint_id: foreignEndpoint.id, payment_id: foreignPayment.id, status: 'succeeded' },
  ]);
  expect(live.events).toEqual([]);
});
