import { type Bus, connectBus } from '@tollgate/bus/connection';
import { serveRpc } from '@tollgate/bus/rpc';
import { createRecordingLogger } from '@tollgate/bus/test/recording-logger';
import type { SignedAuditEntry } from '@tollgate/contracts/audit';
import { newId } from '@tollgate/contracts/ids';
import { confirmEntries, confirmRecords } from '@tollgate/contracts/rpc/audit';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { confirmAuditEntries } from '../src/confirm-audit-entries.ts';

let nats: TestServer;
let bus: Bus;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'test' });
});
afterAll(async () => {
  await bus.close();
  await nats.dispose();
});

it('does not confirm an entry by its id alone while the database of audit is unreachable', async () => {
  const entry = { id: newId('audit'), team_id: newId('team') } as SignedAuditEntry;
  const options = { logger: createRecordingLogger(), isUnavailable: () => true };
  const servers = [
    serveRpc(
      bus,
      confirmEntries,
      async () => {
        throw new Error('connection lost');
      },
      options,
    ),
    serveRpc(bus, confirmRecords, async ({ ids }) => ({ stored: ids }), options),
  ];
  await bus.nats.flush();
  await expect(confirmAuditEntries(bus, [entry])).rejects.toMatchObject({ details: { code: 'unavailable' } });
  await servers[0]?.stop();
  await bus.nats.flush();
  expect(await confirmAuditEntries(bus, [entry])).toEqual([entry.id]);
});
