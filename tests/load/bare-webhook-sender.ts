import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'undici';

/**
 * The baseline: undici and an HMAC, nothing stored and nothing checked. Each message has a target, a number of
 * requests, and the body that each of them sends.
 *
 * Usage: fork with the number of concurrent requests as the argument
 */
const CONCURRENCY = Number(process.argv[2]);
const SECRET = 'secret';

export interface BareSending {
  url: string;
  count: number;
  body: string;
}

const agent = new Agent({ connections: CONCURRENCY, pipelining: 1 });

async function send({ url, count, body: text }: BareSending): Promise<void> {
  const body = Buffer.from(text);
  let left = count;
  async function sendInTurn(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const id = randomUUID();
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.`).update(body);
      const { body: response } = await request(url, {
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
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
}

process.on('disconnect', () => process.exit());
for (;;) {
  const [sending] = (await once(process, 'message')) as [BareSending];
  await send(sending);
}
