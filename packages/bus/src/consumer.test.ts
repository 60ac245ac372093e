import { jetstreamManager } from '@nats-io/jetstream';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { currentTrace } from '@tollgate/tracing/current-trace';
import { parseTraceContext } from '@tollgate/tracing/trace-context';
import Type, { type TSchema } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createRecordingLogger } from '../test/recording-logger.ts';
import { type Bus, connectBus } from './connection.ts';
import { type ConsumedMessage, type ConsumeOptions, consume, PoisonMessage } from './consumer.ts';
import { type DeadLetter, discardDeadLetter, listDeadLetters, replayDeadLetter } from './dead-letters.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { ensureStreams } from './streams.ts';

let server: TestServer;
let bus: Bus;
let publisher: Publisher;
/** The consumers that moved a message to the dead letters. */
const reported: string[] = [];

beforeAll(async () => {
  server = await startNats();
  bus = await connectBus({
    url: server.url,
    name: 'test',
    onDeadLetter: (consumer) => void reported.push(consumer),
  });
  publisher = createPublisher(bus);
});
beforeEach(() => ensureStreams(bus));
afterEach(async () => {
  await (await jetstreamManager(bus.nats)).streams.delete('EVENTS');
});
afterAll(async () => {
  await bus.close();
  await server.dispose();
});

const logger = createRecordingLogger();

/** Consumes until the test ends. `handle` is optional. */
function consuming(options: Partial<ConsumeOptions<TSchema>> = {}) {
  const received: ConsumedMessage<unknown>[] = [];
  const { handle = async () => undefined, ...rest } = options;
  const consumer = consume(bus, {
    stream: 'EVENTS',
    durable: 'test',
    schema: Type.Unknown(),
    logger,
    ...rest,
    async handle(message) {
      received.push(message);
      await handle(message);
    },
  });
  onTestFinished(() => consumer.stop());
  const bodies = () => received.map(({ body }) => body);
  return { received, bodies, stop: () => consumer.stop() };
}

let published = 0;
async function publish(body: unknown, type = 'payment.created'): Promise<void> {
  await publisher.publish(`events.${type}`, body, { messageId: `evt_${++published}` });
}

async function pending() {
  const { consumers } = await jetstreamManager(bus.nats);
  const { num_pending, num_ack_pending } = await consumers.info('EVENTS', 'test');
  return { waiting: num_pending, delivered: num_ack_pending };
}
const NOTHING = { waiting: 0, delivered: 0 };

it('a consumer receives what was published before and after its start, in order and unchanged', async () => {
  const bodies = [
    { text: 'ß 💶 \u2028', none: null },
    JSON.parse('{"__proto__":{"a":1},"amount":999999999999}'),
    3,
  ];
  await publish(bodies[0]);
  const { received, bodies: got } = consuming();
  await publish(bodies[1], 'payment.failed');
  await publish(bodies[2]);
  await expect.poll(() => received.length).toBe(3);
  expect(got().map((body) => JSON.stringify(body))).toEqual(bodies.map((body) => JSON.stringify(body)));
  expect(received[1]).toMatchObject({ subject: 'events.payment.failed', sequence: 2, redelivered: false });
});

it('a consumer handles a message as a part of the trace that it continues', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const trace = parseTraceContext(traceparent, 'vendor=1');
  const handled: unknown[] = [];
  const { bodies } = consuming({ handle: async () => void handled.push(currentTrace()) });
  await publisher.publish('events.payment.created', 1, { messageId: 'evt_traced', trace });
  await publisher.publish('events.payment.created', 2, { messageId: 'evt_untraced' });
  await expect.poll(bodies).toEqual([1, 2]);
  expect(handled).toEqual([trace, null]);
});

it('a consumer receives a message again when its handler failed, and the others meanwhile', async () => {
  let failures = 2;
  const { received } = consuming({
    async handle({ body }) {
      if (body === 'hard' && failures-- > 0) throw new Error('not now');
    },
  });
  await publish('hard');
  await publish('easy');
  await expect.poll(() => received.length).toBe(4);
  expect(received.map(({ body, redelivered }) => [body, redelivered])).toEqual([
    ['hard', false],
    ['easy', false],
    ['hard', true],
    ['hard', true],
  ]);
  await expect.poll(pending).toEqual(NOTHING);
});

describe('a message that cannot be handled', () => {
  const schema = Type.Object({ amount: Type.Integer() });
  async function deadLetters(): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    for await (const letter of listDeadLetters(bus)) letters.push(letter);
    return letters;
  }

  beforeEach(async () => {
    reported.length = 0;
    for (const { sequence } of await deadLetters()) await discardDeadLetter(bus, sequence);
  });

  it.each([
    ['is not JSON', '{', 'The message is not JSON.'],
    ['does not match the schema', '{"amount":"ten"}', 'The message is invalid: /amount must be integer.'],
    ['is rejected by the handler', '{"amount":-1}', 'negative amount'],
  ])(
    'a message that cannot be handled becomes a dead letter when it %s, and the next one is handled',
    async (_what, body, reason) => {
      const { bodies } = consuming({
        schema,
        async handle({ body }) {
          if ((body as { amount: number }).amount < 0) throw new PoisonMessage('negative amount');
        },
      });
      bus.nats.publish('events.payment.created', body);
      await publish({ amount: 1 });
      await expect.poll(bodies).toContainEqual({ amount: 1 });
      await expect.poll(deadLetters).toMatchObject([
        {
          consumer: 'test',
          stream: 'EVENTS',
          subject: 'events.payment.created',
          reason,
          deliveries: 1,
          body,
        },
      ]);
      await expect.poll(pending).toEqual(NOTHING);
      expect(reported).toEqual(['test']);
      expect(logger.messages).toContain('moved a message that cannot be handled to the dead letters');
    },
  );

  it('a message that cannot be handled is one that fails verification, as it was received, and blocks no other', async () => {
    const { bodies } = consuming({
      schema: Type.Object({ amount: Type.Integer(), note: Type.String({ default: '' }) }),
      verify: (received) => ('note' in (received as object) ? 'It fails verification.' : null),
    });
    await publish({ amount: 1, note: 'forged' });
    await publish({ amount: 2 });
    await expect.poll(bodies).toEqual([{ amount: 2, note: '' }]);
    await expect
      .poll(async () => (await deadLetters()).map(({ reason }) => reason))
      .toEqual(['It fails verification.']);
  });

  it('a message that cannot be handled becomes a dead letter when it failed too often', async () => {
    const { received } = consuming({
      maxDeliveries: 2,
      async handle() {
        throw new Error('database is down');
      },
    });
    await publish('hard');
    await expect
      .poll(deadLetters)
      .toMatchObject([{ reason: 'database is down', deliveries: 2, body: '"hard"' }]);
    expect(received).toHaveLength(2);
  });

  it('a message that cannot be handled is handled after the fix, when its dead letter is replayed', async () => {
    const broken = consuming({ schema: Type.String() });
    await publish({ amount: 7 });
    await expect.poll(deadLetters).toHaveLength(1);
    await broken.stop();
    const fixed = consuming({ schema });
    const [letter] = await deadLetters();
    expect(await replayDeadLetter(bus, letter?.sequence ?? 0)).toBe(true);
    await expect.poll(fixed.bodies).toEqual([{ amount: 7 }]);
    expect(await deadLetters()).toEqual([]);
    expect(await replayDeadLetter(bus, letter?.sequence ?? 0)).toBe(false);
  });

  it('a message that cannot be handled has a reason of one line, however the message was rejected', async () => {
    consuming({
      async handle() {
        throw new PoisonMessage(`line 1\r\nline 2 ${'ß'.repeat(2_000)}${'x'.repeat(2_000)}`);
      },
    });
    await publish('hard');
    await expect.poll(deadLetters).toHaveLength(1);
    expect((await deadLetters())[0]?.reason).toMatch(/^line 1 line 2 {2}x{400,500}$/);
  });
});

it('a consumer receives only the subject it requests', async () => {
  const { bodies } = consuming({ filterSubject: 'events.payment.failed' });
  await publish('created');
  await publish('failed', 'payment.failed');
  await expect.poll(bodies).toEqual(['failed']);
});

it('a consumer shares the messages with other instances of the same name', async () => {
  const [first, second] = [consuming(), consuming()];
  const count = 100;
  await Promise.all(Array.from({ length: count }, (_, n) => publish(n)));
  const all = () => [...first.bodies(), ...second.bodies()] as number[];
  await expect.poll(() => all().length).toBe(count);
  expect(new Set(all()).size).toBe(count);
});

it('a consumer handles as many messages concurrently as its limit allows', async () => {
  let inFlight = 0;
  let most = 0;
  const release = Promise.withResolvers<void>();
  const { received } = consuming({
    concurrency: 3,
    async handle() {
      most = Math.max(most, ++inFlight);
      await release.promise;
      inFlight--;
    },
  });
  for (let n = 0; n < 10; n++) await publish(n);
  await expect.poll(() => inFlight).toBe(3);
  release.resolve();
  await expect.poll(() => received.length).toBe(10);
  expect(most).toBe(3);
});

it('a consumer continues after the server was killed and receives what is published then, or stops immediately meanwhile', async () => {
  const { bodies } = consuming();
  const stopping = consuming({ durable: 'stopping' });
  await publish('before');
  await expect.poll(bodies).toEqual(['before']);
  await expect.poll(stopping.bodies).toEqual(['before']);
  await expect.poll(pending).toEqual(NOTHING);
  await server.kill();
  await expect.poll(() => bus.isConnected()).toBe(false);
  const before = performance.now();
  await stopping.stop();
  expect(performance.now() - before).toBeLessThan(1_000);
  await server.start();
  await expect.poll(() => bus.isConnected()).toBe(true);
  await publish('after');
  await expect.poll(bodies).toContain('after');
});

it('a consumer continues after the server lost its store', async () => {
  const { bodies } = consuming();
  await publish('before');
  await expect.poll(bodies).toEqual(['before']);
  await server.deleteStore();
  await expect.poll(() => bus.isConnected()).toBe(false);
  await server.start();
  await expect.poll(() => bus.isConnected()).toBe(true);
  await publish('after');
  await expect.poll(bodies).toEqual(['before', 'after']);
});

it.each(['stream', 'consumer'])('a consumer continues after its %s was deleted', async (what) => {
  const { bodies } = consuming();
  await publish('before');
  await expect.poll(bodies).toEqual(['before']);
  const { streams, consumers } = await jetstreamManager(bus.nats);
  if (what === 'stream') await streams.delete('EVENTS');
  else await consumers.delete('EVENTS', 'test');
  await publish('after');
  await expect.poll(bodies, { timeout: 8_000 }).toContain('after');
});

it('a consumer handles what has arrived when it is stopped, and leaves the rest to the next one', async () => {
  for (const body of ['in flight', 'second', 'third']) await publish(body);
  const release = Promise.withResolvers<void>();
  const first = consuming({ handle: () => release.promise });
  await expect.poll(first.bodies).toEqual(['in flight']);
  await expect.poll(async () => (await pending()).delivered).toBe(3);
  // The reply to a flush follows everything that the server sent before it.
  await bus.nats.flush();
  const stopping = first.stop();
  release.resolve();
  await stopping;
  expect(first.bodies()).toEqual(['in flight', 'second', 'third']);
  await publish('later');
  const next = consuming();
  await expect.poll(next.bodies, { timeout: 4_000 }).toEqual(['later']);
});
