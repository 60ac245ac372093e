import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { newId } from '@tollgate/contracts/platform/ids';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import type { SignatureCheck } from '@tollgate/contracts/webhooks/webhook';
import { eventually } from '@tollgate/test-kit/eventually';
import type { Static } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import type { Receiver } from './receiver.ts';

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
});
afterEach(() => receiver.stop());

type Received = Omit<Static<typeof contract.checkSignature.request>, 'endpoint_id'>;

function check(actor: Actor, endpointId: string, received: Received): Promise<SignatureCheck> {
  return harness.call(actor, contract.checkSignature, { endpoint_id: endpointId, ...received });
}

const codes = async (endpointId: string, received: Received) =>
  (await check(application.developer, endpointId, received)).findings.map(({ code }) => code);

/** What the receiver got of an event that it is owed now. */
async function aDelivery(): Promise<Received> {
  const count = receiver.received.length;
  await service.app.fanOut(anEvent(application));
  await eventually('it came', () => receiver.received.length > count);
  const { headers, body } = receiver.received[count] as Receiver['received'][number];
  return {
    webhook_id: String(headers['webhook-id']),
    webhook_timestamp: String(headers['webhook-timestamp']),
    webhook_signature: String(headers['webhook-signature']),
    body: body.toString(),
  };
}

/** An instance uses what it has read of an endpoint for a second at most. */
const untilTheSecretIsUsed = () => harness.clock.advance(1_000);

it('the signature check accepts a request as it was sent, and explains how a changed one differs', async () => {
  const { id } = await harness.anEndpoint(application, receiver.url);
  const received = await aDelivery();
  expect(await check(application.developer, id, received)).toEqual({
    matches: true,
    secret: 'current',
    age_s: expect.any(Number),
    findings: [],
  });
  const rewritten = JSON.stringify(JSON.parse(received.body), null, 2);
  expect(await codes(id, { ...received, body: rewritten })).toEqual(['body-reserialized']);
  expect(await codes(id, { ...received, body: received.body.replace('1250', '1251') })).toEqual([
    'body-differs',
  ]);
  expect(await codes(id, { ...received, webhook_id: newId('event') })).toEqual(['event-unknown']);
  harness.clock.advance(301_000);
  const late = await check(application.developer, id, received);
  expect([late.matches, late.findings.map(({ code }) => code)]).toEqual([true, ['timestamp-too-old']]);
});

it('the signature check distinguishes the current secret from the old one, and names an expired one', async () => {
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  const before = await aDelivery();
  await harness.call(application.developer, contract.rotateSecret, { endpoint_id, overlap_s: 60 });
  untilTheSecretIsUsed();
  const during = await aDelivery();
  const verdictOf = async (received: Received) =>
    (await check(application.developer, endpoint_id, received)).secret;
  expect(await verdictOf(before)).toBe('old');
  expect(await verdictOf(during)).toBe('current');
  const [, bySecond] = during.webhook_signature.split(' ');
  expect(await verdictOf({ ...during, webhook_signature: String(bySecond) })).toBe('old');
  harness.clock.advance(61_000);
  expect(await verdictOf(during)).toBe('current');
  expect(await codes(endpoint_id, before)).toEqual(['secret-expired']);
});

it('the signature check names another endpoint of the application that a request was signed for, and none of another application', async () => {
  const { id } = await harness.anEndpoint(application, receiver.url);
  const received = await aDelivery();
  const sibling = await harness.anEndpoint(application, 'http://127.0.0.1:9/sibling');
  const { findings } = await check(application.developer, sibling.id, received);
  expect(findings.map(({ code }) => code)).toEqual(['secret-of-other-endpoint']);
  expect(findings[0]?.detail).toContain(id);

  const ofTeam = await harness.anEndpoint(application, 'https://1.1.1.1/', { environment: 'live' });
  expect(await codes(ofTeam.id, received)).toEqual(['event-of-other-environment']);

  const stranger = await harness.anApplication();
  const theirs = await harness.anEndpoint(stranger, 'http://127.0.0.1:9/theirs');
  const response = await check(stranger.developer, theirs.id, { ...received, body: '{}' });
  expect(response.findings.map(({ code }) => code)).toEqual(['event-unknown']);
});

it('the signature check rejects a viewer, hides the endpoint from another team, and neither logs nor returns a secret', async () => {
  const { id, secret } = await harness.anEndpoint(application, receiver.url);
  const received = await aDelivery();
  expect((await rejection(check(application.viewer, id, received))).code).toBe('forbidden');
  expect((await rejection(check(member('owner'), id, received))).code).toBe('not-found');
  const wrong = { ...received, webhook_timestamp: String(Number(received.webhook_timestamp) + 1) };
  const answer = JSON.stringify(await check(application.developer, id, wrong));
  for (const text of [answer, harness.logLines.join()]) expect(text).not.toContain(secret.slice(6, 30));
});
