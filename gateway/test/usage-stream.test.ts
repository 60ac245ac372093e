import { inspectStream } from '@tollgate/bus/inspect-streams';
import { eventually } from '@tollgate/test-kit/eventually';
import { expect, onTestFinished, test } from 'vitest';
import { startGatewayUnderTest } from './support/gateway-under-test.ts';

test('a gateway that publishes usage first creates the stream as it is configured', async () => {
  const gateway = await startGatewayUnderTest({ env: { NATS_STREAM_MAX_BYTES: '2097152' } });
  onTestFinished(() => gateway.stop());
  const key = await gateway.putKey('sandbox', { application_id: await gateway.putApplication() });
  await gateway.settled();
  await fetch(`${gateway.urls.sandbox}/v1/payments`, { headers: { authorization: `Bearer ${key}` } });
  const created = () => inspectStream(gateway.bus, 'USAGE');
  await eventually('the stream exists', async () => (await created()) !== 'missing');
  expect(await created()).toMatchObject({ maxBytes: 2_097_152, replicas: 1 });
});
