import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { Bus } from './connection.ts';
import { isUnstored } from './jetstream-errors.ts';
import { ensureStreams, streamOfSubject } from './streams.ts';

const ACK_TIMEOUT_MS = 5_000;

export interface Publisher {
  /**
   * Resolves when the stream has stored the message. Within the dedupe window a message id is stored once.
   * Rejects when NATS is unavailable or does not confirm in time: the message may have been stored all the same; publish it again under the same id.
   */
  publish(subject: string, body: unknown, options: { messageId: string }): Promise<void>;
}

export function createPublisher(bus: Bus): Publisher {
  const client = jetstream(bus.nats, { timeout: ACK_TIMEOUT_MS });
  let restoring: Promise<void> | null = null;

  /** One restoration at a time, however many publishers find the stream missing. */
  function restoreStreams(): Promise<void> {
    restoring ??= ensureStreams(bus).finally(() => {
      restoring = null;
    });
    return restoring;
  }

  return {
    async publish(subject, body, { messageId }) {
      streamOfSubject(subject);
      const text = JSON.stringify(body);
      if (text === undefined) throw new TypeError(`The body of ${messageId} on ${subject} has no JSON form.`);
      // While disconnected the client would buffer the message and report a time-out seconds later.
      if (!bus.isConnected()) throw new Error('NATS is not connected; publish the message again later.');
      try {
        await publishOnce(client, subject, text, messageId);
      } catch (error) {
        if (!isUnstored(error)) throw error;
        await restoreStreams();
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
