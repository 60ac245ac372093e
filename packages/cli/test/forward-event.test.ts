import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@tollgate/contracts/platform/ids';
import type { WebhookEvent } from '@tollgate/contracts/webhooks/webhook';
import { newSecret, parseSecrets } from '@tollgate/processor-adapter/contract/signature';
import { expect, it, onTestFinished } from 'vitest';
import { forwardEvent } from '../src/listen/forward-event.ts';

async function forwardTo(
  respond: (response: ServerResponse) => void,
  signal: AbortSignal = new AbortController().signal,
) {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    received.push((await request.toArray()).join(''));
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const event = { id: newId('event'), body: '{}' } as WebhookEvent;
  const forwarded = await forwardEvent(
    new URL(`http://127.0.0.1:${port}/hooks`),
    parseSecrets(newSecret()),
    event,
    signal,
  );
  return { status: forwarded.status, received };
}

it('an event is forwarded once to a receiver that sends an informational response first', async () => {
  const forwarded = await forwardTo((response) => {
    response.writeContinue();
    response.writeHead(204).end();
  });
  expect(forwarded).toEqual({ status: 204, received: ['{}'] });
});

it('a receiver that sends too large headers is not unreachable, so that the event is not sent again', async () => {
  const forwarded = await forwardTo((response) =>
    response.writeHead(200, { 'x-large': 'a'.repeat(20_000) }).end(),
  );
  expect(forwarded).toEqual({ status: 'invalid response', received: ['{}'] });
});

it('an interrupted forward ends without an error', async () => {
  const interrupt = new AbortController();
  expect(await forwardTo(() => interrupt.abort(), interrupt.signal)).toMatchObject({ status: 'unreachable' });
});
