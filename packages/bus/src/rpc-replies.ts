import { randomUUID } from 'node:crypto';
import {
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NoRespondersError,
  PermissionViolationError,
  TimeoutError,
} from '@nats-io/transport-node';
import type { Bus } from './connection.ts';

/** The status of the message with which NATS tells that nobody listens on the subject of a request. */
const NO_RESPONDERS = 503;

interface Pending {
  subject: string;
  timer: NodeJS.Timeout;
  resolve(reply: Msg): void;
  reject(error: Error): void;
}

/** Sends requests of one connection and receives their replies. */
export interface Replies {
  /** Rejects with a TimeoutError, NoRespondersError, or PermissionViolationError. */
  request(
    subject: string,
    text: string,
    options: { timeoutMs: number; headers: MsgHdrs | undefined },
  ): Promise<Msg>;
}

const repliesOfConnections = new WeakMap<NatsConnection, Replies>();

/** Returns the replies of a connection, which subscribes to them at its first request. */
export function repliesOf(bus: Bus): Replies {
  let replies = repliesOfConnections.get(bus.nats);
  if (replies === undefined) {
    replies = createReplies(bus);
    repliesOfConnections.set(bus.nats, replies);
  }
  return replies;
}

/**
 * One subscription receives all replies: a subscription for each request would cost more than the request. The client
 * has one too, but its reply subjects can be predicted: a service that gets requests could send the reply to one that
 * is for another service.
 */
function createReplies({ nats, inbox }: Bus): Replies {
  const prefix = `${inbox}.rpc.`;
  const pending = new Map<string, Pending>();

  function take(replySubject: string): Pending | undefined {
    const request = pending.get(replySubject);
    if (request === undefined) return undefined;
    pending.delete(replySubject);
    clearTimeout(request.timer);
    return request;
  }

  function rejectDenied(error: PermissionViolationError): void {
    const denied = [...pending].filter(([, { subject }]) => subject === error.subject);
    for (const [replySubject] of denied) take(replySubject)?.reject(error);
  }

  async function followDenials(): Promise<void> {
    for await (const status of nats.status()) {
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        rejectDenied(status.error);
    }
  }

  nats.subscribe(`${prefix}*`, {
    callback(error, reply) {
      // A denial, which the status reports as well.
      if (error !== null) return;
      const request = take(reply.subject);
      if (reply.data.length === 0 && reply.headers?.code === NO_RESPONDERS)
        request?.reject(new NoRespondersError(request.subject));
      else request?.resolve(reply);
    },
  });
  void followDenials();

  return {
    request(subject, text, { timeoutMs, headers }) {
      const replySubject = prefix + randomUUID().replaceAll('-', '');
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => take(replySubject)?.reject(new TimeoutError()), timeoutMs);
        pending.set(replySubject, { subject, timer, resolve, reject });
        try {
          nats.publish(subject, text, { reply: replySubject, ...(headers && { headers }) });
        } catch (error) {
          take(replySubject);
          reject(error);
        }
      });
    },
  };
}
