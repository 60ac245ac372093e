import { headers, type Msg, type MsgHdrs, NoRespondersError, TimeoutError } from '@nats-io/transport-node';
import { type Actor, type MemberActor, tokenNotAccepted } from '@tollgate/contracts/accounts/actor';
import { ERRORS } from '@tollgate/contracts/platform/errors';
import { HEADERS, IDEMPOTENCY_KEY } from '@tollgate/contracts/platform/headers';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { isId } from '@tollgate/contracts/platform/ids';
import { namedFields } from '@tollgate/contracts/platform/named-fields';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import { Problem, type ProblemDetails } from '@tollgate/contracts/platform/problem';
import {
  MAX_REPLY_BYTES,
  RPC_DEADLINE_MS,
  type RpcCaller,
  type RpcContract,
  rpcSubject,
} from '@tollgate/contracts/platform/rpc-contract';
import { currentTrace, runInTrace } from '@tollgate/tracing/current-trace';
import { inSpan } from '@tollgate/tracing/span';
import type { TraceContext } from '@tollgate/tracing/trace-context';
import type { Static, TSchema } from 'typebox';
import type { Bus } from './connection.ts';
import type { BusLogger } from './logger.ts';
import { parseJson } from './parse-json.ts';
import { isInbox } from './permissions/inbox.ts';
import { problemReply, type RpcReply, unwrapReply } from './rpc-envelope.ts';
import { repliesOf } from './rpc-replies.ts';
import { setTraceHeaders, traceOfHeaders } from './trace-headers.ts';
import { isValid, schemaErrors } from './validator.ts';

/** Like the limit of replies: well below that of NATS itself, 1 MiB by default. */
export const MAX_REQUEST_BYTES = 512 * 1024;

/** Subjects of one actor token. An export reads pages and records itself, which are two. */
const MAX_ACTOR_SUBJECTS = 4;
const RPC_SUBJECT = /^rpc\.[a-z_]{1,64}\.[a-z_]{1,64}$/;

const RETRY_AFTER_S = 1;

export interface RpcContext<Caller extends RpcCaller> {
  /** The verified actor; null for a `service` contract. */
  actor: Caller extends 'member' ? MemberActor : Caller extends 'member-or-token' ? Actor : null;
  /** Id of the admin request that the call is part of; null if there is none. */
  requestId: string | null;
  /** Subjects of the RPCs for which the caller of an exchange requests an actor token. */
  actorFor: string[];
  /** Null for a call without an idempotency key, and for a contract that is not `idempotent`. */
  idempotentCall: IdempotentCall | null;
}

export interface RpcServerOptions {
  /**
   * Resolves to the actor of a `tollgate-actor` token that is valid for an RPC with this subject. Throws a Problem for
   * an invalid one. Required by every contract but those for services.
   */
  verifyActor?: (token: string, subject: string) => Promise<Actor>;
  /**
   * Whether an error means that the service cannot reach something it needs, such as its database, so that the request may be
   * repeated. Without it, every such error is `internal`.
   */
  isUnavailable?: (error: Error) => boolean;
  logger: BusLogger;
}

export interface RpcServer {
  /** Accepts no more requests, and resolves when those in flight have their replies. */
  stop(): Promise<void>;
}

type Handler<Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema> = (
  request: Static<Request>,
  context: RpcContext<Caller>,
) => Promise<Static<Reply>>;

/** The handlers of a module of contracts, by the names of its exports. */
export type Handlers<Contracts> = {
  [Name in keyof Contracts as Contracts[Name] extends RpcContract ? Name : never]: HandlerOf<Contracts[Name]>;
};

type HandlerOf<Contract> =
  Contract extends RpcContract<infer Caller, infer Request, infer Reply>
    ? Handler<Caller, Request, Reply>
    : never;

/** The reply of a method that returns nothing. */
export async function nothing(work: Promise<unknown>): Promise<object> {
  await work;
  return {};
}

/** Serves every method of a module of contracts. The methods stop together. */
export function serve<Contracts extends object>(
  bus: Bus,
  contracts: Contracts,
  handlers: Handlers<Contracts>,
  options: RpcServerOptions,
): RpcServer {
  const contractOf = contracts as Record<string, RpcContract>;
  const servers = Object.entries<HandlerOf<RpcContract>>(handlers).map(([name, handler]) =>
    serveRpc(bus, contractOf[name] as RpcContract, handler, options),
  );
  return {
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/**
 * Serves `rpc.<service>.<method>` and shares the load with every other instance of the service. A Problem that the
 * handler throws becomes the reply. Any other error is logged, and the reply is `unavailable` or `internal`.
 */
export function serveRpc<Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  bus: Bus,
  contract: RpcContract<Caller, Request, Reply>,
  handler: Handler<Caller, Request, Reply>,
  { verifyActor, isUnavailable, logger }: RpcServerOptions,
): RpcServer {
  const subject = rpcSubject(contract);
  if (contract.caller !== 'service' && verifyActor === undefined) {
    throw new Error(`Members call ${subject}, so serveRpc requires verifyActor.`);
  }
  const inFlight = new Set<Promise<unknown>>();

  async function carryOut(message: Msg): Promise<RpcReply> {
    const actor =
      contract.caller === 'service' ? null : await verifiedActor(contract, message.headers, verifyActor);
    const request = parseJson(message.string());
    if (request === undefined) throw new Problem('malformed-request', 'The request is not JSON.');
    assertRequest(contract, request);
    let isReplay = false as boolean;
    const key = contract.idempotent ? idempotencyKeyOf(message.headers) : null;
    const markReplayed = () => {
      isReplay = true;
    };
    const reply = await handler(request as Static<Request>, {
      actor: actor as RpcContext<Caller>['actor'],
      requestId: requestIdOf(message.headers),
      actorFor: actorForOf(message.headers),
      idempotentCall: key === null ? null : { key, operation: subject, request, markReplayed },
    });
    return { ok: outgoing(contract, reply), ...(isReplay && { replayed: true }) };
  }

  async function replyText(message: Msg, parent: TraceContext | null): Promise<string> {
    try {
      const span = { component: bus.name, name: subject, kind: 'server', parent, isFailure } as const;
      return serialize(await inSpan(span, () => carryOut(message)), subject);
    } catch (error) {
      if (error instanceof Problem) return serialize(problemReply(error.details), subject);
      logger.error({ err: error, subject }, 'RPC handler failed');
      const isTemporary = error instanceof Error && isUnavailable?.(error) === true;
      return serialize(problemReply(isTemporary ? DEPENDENCY_UNAVAILABLE : INTERNAL), subject);
    }
  }

  async function respond(message: Msg): Promise<void> {
    try {
      const parent = traceOfHeaders(message.headers);
      message.respond(await runInTrace(parent, () => replyText(message, parent)));
    } catch (error) {
      logger.error({ err: error, subject }, 'failed to send an RPC reply');
    }
  }

  const subscription = bus.nats.subscribe(subject, {
    queue: contract.service,
    callback(error, message) {
      if (error !== null) {
        logger.error({ err: error, subject }, 'RPC subscription denied');
        return;
      }
      // A reply anywhere else would publish on a subject that the caller chose, with the permissions of this service.
      if (message.reply === undefined || !isInbox(message.reply)) {
        logger.warn({ subject }, 'an RPC request without an inbox for its reply was dropped');
        return;
      }
      const responded: Promise<unknown> = respond(message).then(() => inFlight.delete(responded));
      inFlight.add(responded);
    },
  });

  return {
    async stop() {
      if (bus.isConnected() && !subscription.isClosed()) await subscription.drain();
      else subscription.unsubscribe();
      await Promise.all(inFlight);
    },
  };
}

export interface RpcCallOptions {
  /** Signed actor token. Required by every contract but those for services. */
  actorToken?: string;
  /** The trace that the call is part of; the current one if absent. */
  trace?: TraceContext | null;
  /** Id of the admin request that the call is part of. */
  requestId?: string;
  /** Set for an exchange: the contracts for which the actor token must be valid. */
  actorFor?: readonly RpcContract[];
  /** Set for `idempotent` contracts: a repeated call with the same key returns what the first one created. */
  idempotencyKey?: string;
  /** Called before the reply is returned if it is that of an earlier call with the same key. */
  onReplayed?: () => void;
  deadlineMs?: number;
}

/**
 * Calls a method of a service. Throws a Problem: the service's own; `invalid-request` if the request breaks the
 * contract (it is not sent); `unavailable` if no instance listens; `upstream-timeout` after the deadline (the request
 * may have been processed); `upstream-error` if the reply breaks the contract.
 */
export async function callRpc<Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  bus: Bus,
  contract: RpcContract<Caller, Request, Reply>,
  request: Static<Request>,
  options: RpcCallOptions = {},
): Promise<Static<Reply>> {
  const { deadlineMs = RPC_DEADLINE_MS, onReplayed, trace: parent = currentTrace() } = options;
  assertRequest(contract, request);
  const text = JSON.stringify(request);
  if (Buffer.byteLength(text) > MAX_REQUEST_BYTES) {
    throw new Problem('content-too-large', `The request is larger than ${MAX_REQUEST_BYTES} bytes.`);
  }
  const { value, isReplay } = await inSpan(
    { component: bus.name, name: rpcSubject(contract), kind: 'client', parent, isFailure },
    async (trace) => {
      const response = await send(bus, contract, text, headersOf(options, trace), deadlineMs);
      return unwrapReply(response.string(), contract.service);
    },
  );
  const reply = openReader(contract.reply).read(value);
  if (reply === null) {
    throw new Problem(
      'upstream-error',
      `The ${contract.service} service sent a reply that violates its contract.`,
    );
  }
  if (isReplay) onReplayed?.();
  return reply;
}

function headersOf(
  { actorToken, requestId, actorFor = [], idempotencyKey }: RpcCallOptions,
  trace: TraceContext | null,
): MsgHdrs | undefined {
  const sent = headers();
  if (actorToken !== undefined) sent.set(HEADERS.actor, actorToken);
  setTraceHeaders(sent, trace);
  if (requestId !== undefined) sent.set(HEADERS.rpcRequestId, requestId);
  if (actorFor.length > 0) sent.set(HEADERS.rpcActorFor, actorFor.map(rpcSubject).join(' '));
  if (idempotencyKey !== undefined) sent.set(HEADERS.rpcIdempotencyKey, idempotencyKey);
  return sent.keys().length > 0 ? sent : undefined;
}

async function send(
  bus: Bus,
  contract: RpcContract,
  text: string,
  sent: MsgHdrs | undefined,
  deadlineMs: number,
): Promise<Msg> {
  // The client would buffer the request while NATS is down, and send it after the caller has timed out.
  if (!bus.isConnected()) throw unavailable(contract.service);
  try {
    return await repliesOf(bus).request(rpcSubject(contract), text, { timeoutMs: deadlineMs, headers: sent });
  } catch (error) {
    if (error instanceof TimeoutError) {
      throw new Problem(
        'upstream-timeout',
        `The ${contract.service} service did not reply within ${deadlineMs} ms.`,
      );
    }
    if (error instanceof NoRespondersError) throw unavailable(contract.service);
    if (!bus.isConnected()) throw unavailable(contract.service);
    throw error;
  }
}

async function verifiedActor(
  contract: RpcContract,
  received: MsgHdrs | undefined,
  verifyActor: RpcServerOptions['verifyActor'],
): Promise<Actor> {
  const token = received?.get(HEADERS.actor) ?? '';
  if (token === '' || verifyActor === undefined) {
    throw new Problem('forbidden', 'The request has no actor.');
  }
  const actor = await verifyActor(token, rpcSubject(contract));
  if (contract.caller === 'member' && actor.type !== 'member') throw tokenNotAccepted();
  return actor;
}

function assertRequest(contract: RpcContract, request: unknown): void {
  if (isValid(contract.request, request)) return;
  const errors = schemaErrors(contract.request, request);
  throw new Problem('invalid-request', 'The request has invalid fields. `errors` names them.', {
    errors,
  });
}

/**
 * The fields of a reply that its contract names. A stored document may hold fields and values of enumerations that only
 * a later release knows: the fields are left out, and the values are passed on.
 */
function outgoing(contract: RpcContract, reply: unknown): unknown {
  const named = namedFields(contract.reply, reply);
  const reader = openReader(contract.reply);
  if (reader.read(named) !== null) return named;
  const mismatch = reader.describeMismatch(named);
  throw new Error(`The reply of ${rpcSubject(contract)} violates its contract: ${mismatch}.`);
}

function serialize(reply: RpcReply, subject: string): string {
  const text = JSON.stringify(reply);
  if (Buffer.byteLength(text) <= MAX_REPLY_BYTES) return text;
  const detail = `The reply of ${subject} is larger than ${MAX_REPLY_BYTES} bytes. Request fewer rows.`;
  return JSON.stringify(problemReply({ code: 'reply-too-large', detail }));
}

/** A request that the service rejects is no failure of the service. */
function isFailure(error: unknown): boolean {
  return !(error instanceof Problem) || ERRORS[error.details.code].status >= 500;
}

function requestIdOf(received: MsgHdrs | undefined): string | null {
  const value = received?.get(HEADERS.rpcRequestId) ?? '';
  return isId('request', value) ? value : null;
}

/** A missing or malformed header yields no subject, and so a token that no RPC accepts. */
function actorForOf(received: MsgHdrs | undefined): string[] {
  if (!received?.has(HEADERS.rpcActorFor)) return [];
  const subjects = received.get(HEADERS.rpcActorFor).split(' ');
  return subjects.length <= MAX_ACTOR_SUBJECTS && subjects.every((subject) => RPC_SUBJECT.test(subject))
    ? subjects
    : [];
}

/** Throws `invalid-idempotency-key`: unlike a dropped key, a rejected one never creates a resource twice. */
function idempotencyKeyOf(received: MsgHdrs | undefined): string | null {
  if (!received?.has(HEADERS.rpcIdempotencyKey)) return null;
  const key = received.get(HEADERS.rpcIdempotencyKey);
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new Problem('invalid-idempotency-key', 'The idempotency key is not valid.');
}

const INTERNAL: ProblemDetails = {
  code: 'internal',
  detail: 'The service failed to process the request.',
};

const DEPENDENCY_UNAVAILABLE: ProblemDetails = {
  code: 'unavailable',
  detail: 'The service cannot reach its database. The request may have been processed.',
  retryAfterS: RETRY_AFTER_S,
  // A write that got no reply may still have happened.
  outcomeUnknown: true,
};

function unavailable(service: string): Problem {
  return new Problem('unavailable', `The ${service} service is unavailable.`, {
    retryAfterS: RETRY_AFTER_S,
  });
}
