import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { StreamName } from '@tollgate/contracts/streams';
import type { Bus } from './connection.ts';
import { isUnstored } from './jetstream-errors.ts';
import { ensureStream, streamOfSubject } from './streams.ts';

const ACK_TIMEOUT_MS = 5_000;

export interface Publisher {
  /**
   * Resolves when the stream has stored the message. Within the dedupe window, a message id is stored once. Rejects
   * when NATS is down or does not confirm in time. The message may still be stored: publish it again with the same id.
   */
  publish(subject: string, body: unknown, options: { messageId: string }): Promise<void>;
}

export function createPublisher(bus: Bus): Publisher {
  const client = jetstream(bus.nats, { timeout: ACK_TIMEOUT_MS });
  const restoring = new Map<StreamName, Promise<void>>();

  /** Restores a stream once, however many messages find it missing. */
  function restore(stream: StreamName): Promise<void> {
    const current =
      restoring.get(stream) ?? ensureStream(bus, stream).finally(() => restoring.delete(stream));
    restoring.set(stream, current);
    return current;
  }

  return {
    async publish(subject, body, { messageId }) {
      const stream = streamOfSubject(subject);
      const text = JSON.stringify(body);
      if (text === undefined)
        throw new TypeError(`The body of ${messageId} on ${subject} cannot be represented as JSON.`);
      // While disconnected, the client would buffer the message and report a timeout seconds later.
      if (!bus.isConnected()) throw new Error('NATS is not connected; publish the message again later.');
      try {
        await publishOnce(client, subject, text, messageId);
      } catch (error) {
        if (!isUnstored(error)) throw error;
        await restore(stream);
        await publishOnce(client, subject, text, messageId);
      }
    },
  };
}

async function publishOnce(
  client: JetStreamClient,
  subject: string,
  text: string,
  messageId: string,
): Promise<void> {
  await client.publish(subject, text, { msgID: messageId });
}
