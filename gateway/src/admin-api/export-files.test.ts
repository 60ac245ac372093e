import { createLogger } from '@tollgate/runtime/logger';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { createExportFiles, MAX_EXPORTS_PER_ACTOR } from './export-files.ts';

const app = fastify();
app.decorateRequest('session', null);
const exportFiles = createExportFiles(app, { logger: createLogger({ service: 'test', level: 'silent' }) });
app.get('/export', async (request, reply) => reply.send(await exportFiles.open(request, chunks())));
afterAll(() => app.close());

async function* chunks(): AsyncGenerator<string, void, void> {
  yield 'chunk';
}

test('the gateway rejects an export without an open session, before it takes a slot', async () => {
  for (let count = 0; count <= MAX_EXPORTS_PER_ACTOR; count += 1) {
    const response = await app.inject('/export');
    expect({ status: response.statusCode, message: response.json().message }).toEqual({
      status: 500,
      message: 'An export requires a session.',
    });
  }
});
