import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { headSignatureHolds } from '@tollgate/audit-log/head';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAuditConfig } from '../src/config.ts';
import { anEntry, type Harness, startHarness } from './harness.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

it('the process becomes ready, counts what it appends, and exits with status 0 within seconds after SIGTERM', async () => {
  const running = startProcessUnderTest(MAIN, harness.processEnv);
  await running.ready();
  const entry = anEntry(newId('team'));
  await harness.publish(entry);
  let shown = '';
  await eventually('it is counted', async () => {
    shown = await (await fetch(`${running.opsUrl()}/metrics`)).text();
    return /^tollgate_audit_records_appended_total\{.*\} 1$/m.test(shown);
  });
  expect(shown).not.toContain(entry.team_id);
  expect(await running.end('SIGTERM')).toEqual([0, null]);
});

it('an invalid configuration is rejected with the name of every invalid variable, and without a key', () => {
  const wrong = {
    NATS_URL: 'http://x',
    MONGODB_URL: '',
    ACTOR_PUBLIC_KEYS: '',
    SIGNER_PUBLIC_KEYS: 'x',
    AUDIT_SIGNING_KEYS: '1:c2VjcmV0',
    AUDIT_WITNESS_URL: 'ftp://x',
  };
  expect(() => readAuditConfig(wrong)).toThrow(
    expect.toSatisfy(
      ({ message }: Error) =>
        Object.keys(wrong).every((name) => message.includes(name)) && !message.includes('c2VjcmV0'),
    ),
  );
});

it('a witness receives every signed tree head, including those created while it was rejecting requests', async () => {
  const heads: AuditHead[] = [];
  let rejections = 2;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      rejections -= 1;
      if (rejections >= 0) return response.writeHead(503).end();
      heads.push(JSON.parse(Buffer.concat(chunks).toString()) as AuditHead);
      return response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service = await harness.startService({
    isStarted: false,
    witnessUrl: `http://127.0.0.1:${port}/heads`,
  });
  const teamId = newId('team');
  for (let count = 0; count < 2; count += 1) {
    await service.app.context.appender.append(anEntry(teamId));
    await service.app.signTreeHeads();
  }
  const own = () => heads.filter(({ team_id }) => team_id === teamId);
  await eventually('it has both', () => own().length === 2);
  expect(own().map(({ number, size }) => [number, size])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  for (const head of own()) expect(headSignatureHolds(head, harness.publicKeys)).toBe(true);
  server.close();
});
