import { jetstreamManager } from '@nats-io/jetstream';
import type { StreamName } from '@tollgate/contracts/platform/streams';
import type { Bus } from '../src/connection.ts';

/** The bodies of all messages of a stream, oldest first. */
export async function streamBodies(bus: Bus, stream: StreamName): Promise<string[]> {
  const manager = await jetstreamManager(bus.nats);
  const { state } = await manager.streams.info(stream);
  const bodies: string[] = [];
  for (let sequence = Math.max(1, state.first_seq); sequence <= state.last_seq; sequence += 1) {
    const message = await manager.streams.getMessage(stream, { seq: sequence });
    if (message) bodies.push(message.string());
  }
  return bodies;
}
