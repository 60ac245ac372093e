import { jetstreamManager } from '@nats-io/jetstream';
import type { Bus } from '../src/connection.ts';

/** What has not been consumed: null for a stream without consumers. */
export interface Backlog {
  stream: string;
  consumer: string | null;
  /** Messages that were not delivered yet; of a stream without consumers, all messages. */
  waiting: number;
  /** Messages that were delivered and not acknowledged. */
  unacknowledged: number;
}

/** Lists the backlog of every consumer, and every stream that has messages and no consumer. Omits KV buckets. */
export async function streamBacklog(bus: Bus): Promise<Backlog[]> {
  const manager = await jetstreamManager(bus.nats);
  const backlog: Backlog[] = [];
  for await (const { config, state } of manager.streams.list()) {
    if (config.name.startsWith('KV_')) continue;
    const stream = config.name;
    let consumers = 0;
    for await (const { name: consumer, num_pending, num_ack_pending } of manager.consumers.list(stream)) {
      consumers += 1;
      backlog.push({ stream, consumer, waiting: num_pending, unacknowledged: num_ack_pending });
    }
    if (consumers === 0) backlog.push({ stream, consumer: null, waiting: state.messages, unacknowledged: 0 });
  }
  return backlog.filter(({ waiting, unacknowledged }) => waiting + unacknowledged > 0);
}
