import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import { type DeliveryCopies, openDeliveryCopies } from './delivery-copies.ts';

/**
 * The baselines: undici and an HMAC, without checks, either without a store, or with the two writes that no delivery can do
 * without: before it is sent, and after the response. Each message has a target, a number of requests, and the body that
 * each of them sends.
 *
 * Usage: fork with the number of concurrent requests as the argument, and the MongoDB URL and the database for the writes
 */
const [concurrency = '1', url, database = ''] = process.argv.slice(2);
const CONCURRENCY = Number(concurrency);
const BATCH = 64;
/** One stores while others send. */
const BATCHES_AT_ONCE = 4;
const SECRET = 'secret';

export interface BareSending {
  url: string;
  count: number;
  body: string;
}

const agent = new Agent({ connections: CONCURRENCY, pipelining: 1 });

async function send(target: string, body: Buffer): Promise<void> {
  const id = randomUUID();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.`).update(body);
  const { body: response } = await request(target, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature.digest('base64')}`,
    },
    body,
  });
  await response.dump();
}

async function sendAll({ url: target, count, body: text }: BareSending): Promise<void> {
  const body = Buffer.from(text);
  let left = count;
  async function sendInTurn(): Promise<void> {
    while (left > 0) {
      left -= 1;
      await send(target, body);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
}

async function storeAndSendAll(
  copies: DeliveryCopies,
  { url: target, count, body: text }: BareSending,
): Promise<void> {
  const body = Buffer.from(text);
  let left = count;
  async function sendBatches(): Promise<void> {
    while (left > 0) {
      const size = Math.min(BATCH, left);
      left -= size;
      const ids = await copies.insert(size);
      await Promise.all(ids.map(() => send(target, body)));
      await copies.record(ids);
    }
  }
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, sendBatches));
}

process.on('disconnect', () => process.exit());
let copies: DeliveryCopies | undefined;
for (;;) {
  const [sending] = (await once(process, 'message')) as [BareSending];
  if (url === undefined) {
    await sendAll(sending);
  } else {
    copies ??= await openDeliveryCopies(url, database);
    await storeAndSendAll(copies, sending);
  }
}
