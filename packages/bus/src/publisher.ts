import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { StreamName } from '@tollgate/contracts/platform/streams';
import { inSpan } from '@tollgate/tracing/span';
import type { TraceContext } from '@tollgate/tracing/trace-context';
import type { Bus } from './connection.ts';
import { isUnstored } from './jetstream-errors.ts';
import { ensureStream, streamOfSubject } from './streams.ts';
import { setTraceHeaders } from './trace-headers.ts';

const ACK_TIMEOUT_MS = 5_000;

export interface Publisher {
  /**
   * Resolves when the stream has stored the message. Within the dedupe window, a message id is stored once. Rejects
   * when NATS is down, disconnects, or does not confirm in time. The message may still be stored: publish it again with
   * the same id.
   */
  publish(
    subject: string,
    body: unknown,
    options: {
      messageId: string;
      /** The trace of the change that the message tells of, which is seldom the current one: outboxes publish later. */
      trace?: TraceContext | null;
    },
  ): Promise<void>;
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
    async publish(subject, body, { messageId, trace: parent = null }) {
      const stream = streamOfSubject(subject);
      const text = JSON.stringify(body);
      if (text === undefined)
        throw new TypeError(`The body of ${messageId} on ${subject} cannot be represented as JSON.`);
      const span = { component: bus.name, name: `publish ${subject}`, kind: 'producer', parent } as const;
      const send = async (trace: TraceContext | null) => {
        const message = { subject, text, messageId, trace };
        try {
          await publishOnce(client, message);
        } catch (error) {
          if (!isUnstored(error)) throw error;
          await restore(stream);
          await publishOnce(client, message);
        }
      };
      await bus.whileConnected(() => inSpan(span, send));
    },
  };
}

async function publishOnce(
  client: JetStreamClient,
  message: { subject: string; text: string; messageId: string; trace: TraceContext | null },
): Promise<void> {
  const sent = headers();
  setTraceHeaders(sent, message.trace);
  await client.publish(message.subject, message.text, { msgID: message.messageId, headers: sent });
}
