import { jetstreamManager } from '@nats-io/jetstream';
import { millis } from '@nats-io/transport-node';
import { STREAMS, type StreamName } from '@tollgate/contracts/platform/streams';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Bus, connectBus } from './connection.ts';
import { createPublisher } from './publisher.ts';
import { ensureStream, ensureStreams, streamOfSubject } from './streams.ts';

let server: TestServer;
let bus: Bus;

beforeAll(async () => {
  server = await startNats();
  bus = await connectBus({ url: server.url, name: 'test' });
});
afterEach(async () => {
  const { streams } = await jetstreamManager(bus.nats);
  for await (const { config } of streams.list()) await streams.delete(config.name);
});
afterAll(async () => {
  await bus.close();
  await server.dispose();
});

async function configOf(name: string) {
  return (await (await jetstreamManager(bus.nats)).streams.info(name)).config;
}

it.each(Object.keys(STREAMS) as StreamName[])(
  '%s is stored in files for its maximum age, even after it was consumed',
  async (name) => {
    await ensureStreams(bus);
    const config = await configOf(name);
    expect(config).toMatchObject({
      subjects: STREAMS[name].subjects,
      retention: 'limits',
      storage: 'file',
      discard: 'old',
    });
    expect(millis(config.max_age)).toBe(STREAMS[name].maxAgeMs);
  },
);

it('a stream has a size, beyond which the oldest messages are discarded', async () => {
  const small = await connectBus({ url: server.url, name: 'test', streamMaxBytes: 100_000 });
  await ensureStreams(small);
  expect(await configOf('EVENTS')).toMatchObject({ max_bytes: 100_000, discard: 'old' });
  const publisher = createPublisher(small);
  for (const id of Array.from({ length: 30 }, (_, index) => `${index}`)) {
    await publisher.publish('events.payment.created', { text: 'x'.repeat(10_000) }, { messageId: id });
  }
  const { state } = await (await jetstreamManager(bus.nats)).streams.info('EVENTS');
  expect(state.last_seq).toBe(30);
  expect(state.first_seq).toBeGreaterThan(20);
  expect(state.bytes).toBeLessThanOrEqual(100_000);
  await small.close();
});

it('a stream that does not fit on the disk of NATS is reported with what to do', async () => {
  const huge = await connectBus({ url: server.url, name: 'test', streamMaxBytes: 2 ** 50 });
  await expect(ensureStream(huge, 'EVENTS')).rejects.toThrow(
    'NATS has no room for the stream EVENTS of 1125899906842624 bytes. Set NATS_STREAM_MAX_BYTES lower',
  );
  await huge.close();
});

it('many processes can create the streams concurrently', async () => {
  await Promise.all(Array.from({ length: 20 }, () => ensureStreams(bus)));
  expect((await configOf('EVENTS')).subjects).toEqual(STREAMS.EVENTS.subjects);
});

it("an existing stream keeps its operator's configuration", async () => {
  const { streams } = await jetstreamManager(bus.nats);
  await streams.add({ name: 'USAGE', subjects: ['usage.old', 'usage.windows'], max_msgs: 7 });
  await ensureStreams(bus);
  expect(await configOf('USAGE')).toMatchObject({ subjects: ['usage.old', 'usage.windows'], max_msgs: 7 });
});

it('a stream that does not store a subject is reported with what to do, and not changed', async () => {
  const { streams } = await jetstreamManager(bus.nats);
  await streams.add({ name: 'USAGE', subjects: ['usage.old'] });
  await expect(ensureStream(bus, 'USAGE')).rejects.toThrow(
    'does not store usage.windows. Add it as the NATS user operator',
  );
  expect((await configOf('USAGE')).subjects).toEqual(['usage.old']);
});

it.each([
  ['events.payment.created', 'EVENTS'],
  ['audit.application.created', 'AUDIT'],
  ['usage.windows', 'USAGE'],
])('%s is stored by %s', (subject, stream) => {
  expect(streamOfSubject(subject)).toBe(stream);
});

it.each(['events.payment', 'events.payment.', 'events.paymentx.created', 'usage.windows.more', ''])(
  '"%s" is not stored by any stream',
  (subject) => {
    expect(() => streamOfSubject(subject)).toThrow('No stream stores the subject');
  },
);
