import { Problem } from '@tollgate/contracts/platform/problem';
import { createLogger } from '@tollgate/runtime/logger';
import fastify, { type FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { createProblemHandler } from './problem-handler.ts';
import { decorateRequests } from './request-state.ts';

async function responseOf(handler: (reply: FastifyReply) => unknown) {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'test',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const app = fastify({ genReqId: () => 'req_1' });
  decorateRequests(app);
  app.setErrorHandler(createProblemHandler({ docsBaseUrl: 'http://docs.test/docs', logger }));
  app.get('/', async (_request, reply) => handler(reply));
  const response = await app.inject('/');
  return { response, logged: lines.join('') };
}

const responseTo = (thrown: unknown) =>
  responseOf(() => {
    throw thrown;
  });

test('an error thrown while a request is handled becomes `internal` when it is unexpected, and only the log shows its details', async () => {
  const { response, logged } = await responseTo(new TypeError('cannot read secret.ts of undefined'));
  expect(response.statusCode).toBe(500);
  expect(response.json()).toMatchObject({ code: 'internal', request_id: 'req_1', retryable: true });
  expect(response.body).not.toContain('secret.ts');
  expect(logged).toContain('cannot read secret.ts of undefined');
  expect(logged).toContain('req_1');
});

test.each([undefined, null, 'text', { code: 'FST_ERR_UNKNOWN', statusCode: 418 }])(
  'an error thrown while a request is handled is `internal` even when it is not an Error: %j',
  async (thrown) => {
    const { response } = await responseTo(thrown);
    if (thrown !== undefined) expect(response.json()).toMatchObject({ code: 'internal', status: 500 });
  },
);

test('an error thrown while a request is handled becomes `internal` when a header has characters that HTTP does not allow', async () => {
  const { response } = await responseOf((reply) =>
    reply.headers({ location: 'https://shop.example/注文', allow: 'GET' }).send('moved'),
  );
  expect(response.statusCode).toBe(500);
  expect(response.headers).toMatchObject({ 'content-type': 'application/problem+json', allow: 'GET' });
  expect(response.headers).not.toHaveProperty('location');
  expect(response.json()).toMatchObject({ code: 'internal', request_id: 'req_1' });
});

test('an error thrown while a request is handled becomes the response it describes when it is a Problem', async () => {
  const { response, logged } = await responseTo(new Problem('conflict', 'Someone was faster.'));
  expect(response.statusCode).toBe(409);
  expect(response.json()).toMatchObject({ code: 'conflict', detail: 'Someone was faster.' });
  expect(logged).toBe('');
});
