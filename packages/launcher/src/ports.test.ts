import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { findFreePort, findFreePorts } from '@tollgate/local-servers/free-ports';
import { expect, test } from 'vitest';
import { requireFreePorts } from './ports.ts';

test('a busy port is reported with its variable', async () => {
  const busy = createServer().listen({ port: 0, host: '127.0.0.1' });
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;

  const rejection = requireFreePorts([{ port, variable: 'LIVE_PORT', purpose: 'live API' }]);

  await expect(rejection).rejects.toThrow(
    new RegExp(
      `^Port ${port} \\(live API\\) is in use by another program\\. Choose another: LIVE_PORT=\\d+ npm start$`,
    ),
  );
  busy.close();
});

test('free ports are accepted and stay free', async () => {
  const port = await findFreePort();
  const named = [{ port, variable: 'LIVE_PORT', purpose: 'live API' }];
  await requireFreePorts(named);
  await requireFreePorts(named);
});

test('free ports found together are different', async () => {
  expect(new Set(await findFreePorts(50)).size).toBe(50);
});
