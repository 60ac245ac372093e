import { jetstreamManager } from '@nats-io/jetstream';
import type { StreamName } from '@tollgate/contracts/platform/streams';
import type { Bus } from './connection.ts';
import { isMessageNotFound, isStreamNotFound } from './jetstream-errors.ts';

const READ_AT_ONCE = 64;

/**
 * Reads the whole stream and deletes the messages whose body matches. The server overwrites them on the disk. Messages that
 * are stored meanwhile are left to the next call. Stops between two batches once `stopping` is aborted. Resolves to the number of
 * deleted messages.
 */
export async function eraseMessages(
  bus: Bus,
  stream: StreamName,
  matches: (body: string) => boolean,
  stopping: AbortSignal,
): Promise<number> {
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  const range = await rangeOf();
  let erased = 0;
  for (let first = range.first; first <= range.last && !stopping.aborted; first += READ_AT_ONCE) {
    const count = Math.min(READ_AT_ONCE, range.last - first + 1);
    const results = await Promise.all(Array.from({ length: count }, (_, index) => eraseIf(first + index)));
    erased += results.filter(Boolean).length;
  }
  return erased;

  async function rangeOf(): Promise<{ first: number; last: number }> {
    try {
      const { state } = await manager.streams.info(stream);
      return { first: Math.max(1, state.first_seq), last: state.last_seq };
    } catch (error) {
      if (isStreamNotFound(error)) return { first: 1, last: 0 };
      throw error;
    }
  }

  async function eraseIf(sequence: number): Promise<boolean> {
    const message = await manager.streams.getMessage(stream, { seq: sequence });
    if (message === null || !matches(message.string())) return false;
    try {
      return await manager.streams.deleteMessage(stream, sequence);
    } catch (error) {
      // It expired since it was read, or another instance deleted it.
      if (isMessageNotFound(error)) return false;
      throw error;
    }
  }
}
