import { jetstreamManager } from '@nats-io/jetstream';
import type { Bus } from '../src/connection.ts';

/** Deletes a bucket with all its entries, as the loss of NATS's store does. */
export async function deleteBucket(bus: Bus, name: string): Promise<void> {
  const manager = await jetstreamManager(bus.nats);
  await manager.streams.delete(`KV_${name}`);
}
