import { randomUUID } from 'node:crypto';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { confirmEntries } from '@tollgate/contracts/audit/rpc';
import type { Bus } from '../src/connection.ts';
import { consume } from '../src/consumer.ts';
import type { BusLogger } from '../src/logger.ts';
import { serveRpc } from '../src/rpc.ts';

/**
 * The part of the audit service that other services' outboxes need: confirms every entry that the stream AUDIT
 * delivered.
 */
export function serveAuditLog(bus: Bus, logger: BusLogger): { stop(): Promise<void> } {
  const received = new Set<string>();
  const consumer = consume(bus, {
    stream: 'AUDIT',
    durable: `stand-in-${randomUUID()}`,
    concurrency: 100,
    logger,
    schema: AuditEntry,
    handle: async ({ body }) => void received.add(body.id),
  });
  const server = serveRpc(
    bus,
    confirmEntries,
    async ({ entries }) => ({
      stored: entries.map(({ id }) => id).filter((id) => received.has(id)),
      rejected: [],
    }),
    { logger },
  );
  return {
    async stop() {
      await Promise.all([consumer.stop(), server.stop()]);
    },
  };
}
