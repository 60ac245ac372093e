import { PermissionViolationError } from '@nats-io/transport-node';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import {
  contractsOf,
  MAX_REPLY_BYTES,
  type RpcCaller,
  type RpcContract,
  rpcSubject,
} from '@tollgate/contracts/platform/rpc-contract';
import { Time } from '@tollgate/contracts/platform/schema';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { currentTrace, runInTrace } from '@tollgate/tracing/current-trace';
import { parseTraceContext } from '@tollgate/tracing/trace-context';
import Type, { type TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRecordingLogger } from '../test/recording-logger.ts';
import { token } from '../test/token.ts';
import { type Bus, connectBus } from './connection.ts';
import { callRpc, MAX_REQUEST_BYTES, serveRpc } from './rpc.ts';

const greeterRpc = contractsOf('greeter');
const greet = greeterRpc('greet', 'service', {
  request: { name: Type.String({ minLength: 1 }), at: Type.Optional(Time) },
  reply: Type.Object({ text: Type.String() }),
});
const enroll = greeterRpc('enroll', 'service', {
  idempotent: true,
  request: { name: Type.String() },
  reply: Type.Object({ text: Type.String() }),
});
const whoAmI = greeterRpc('who_am_i', 'member', { reply: Type.Object({ role: Type.String() }) });
/** The same method as `greet`, as a caller of another version may define it. */
const greetLoosely = { ...greet, request: Type.Unknown(), reply: Type.Unknown() };

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const ACTOR: Actor = {
  type: 'member',
  member_id: newId('member'),
  team_id: newId('team'),
  role: 'admin',
  address: null,
  session_id: newId('session'),
  authenticated_at: '2999-01-01T00:00:00.000Z',
  name: 'Ada',
  user_agent: 'test',
  request_id: null,
};

let server: TestServer;
let serving: Bus;
let calling: Bus;

beforeAll(async () => {
  server = await startNats();
  serving = await connectBus({ url: server.url, name: 'serving' });
  calling = await connectBus({ url: server.url, name: 'calling' });
});
afterAll(async () => {
  await serving.close();
  await calling.close();
  await server.dispose();
});

const logger = createRecordingLogger();

const OUTAGE = 'connection lost';
const isOutage = ({ message }: Error) => message === OUTAGE;

/** Serves until the test ends. Resolves when the server knows the subscription. */
async function serve<Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  contract: RpcContract<Caller, Request, Reply>,
  handler: Parameters<typeof serveRpc<Caller, Request, Reply>>[2],
  verifyActor?: (token: string, subject: string) => Promise<Actor>,
) {
  const options = { logger, isUnavailable: isOutage, ...(verifyActor && { verifyActor }) };
  const served = serveRpc(serving, contract, handler, options);
  onTestFinished(() => served.stop());
  await serving.nats.flush();
  return served;
}

async function problemOf(call: Promise<unknown>) {
  const outcome = await call.then(
    (reply) => ({ reply }),
    (error: unknown) => error,
  );
  if (!(outcome instanceof Problem)) throw new Error('Expected a Problem.', { cause: outcome });
  return outcome.details;
}

describe('a call', () => {
  it('a call passes the request to the service and returns its reply', async () => {
    await serve(greet, async ({ name }) => ({ text: `Hello ${name}` }));
    expect(await callRpc(calling, greet, { name: 'Zoë' })).toEqual({ text: 'Hello Zoë' });
  });

  it("a call is handled by one of the service's instances", async () => {
    let calls = 0;
    const count = async () => ({ text: String(++calls) });
    await serve(greet, count);
    await serve(greet, count);
    await Promise.all(Array.from({ length: 20 }, () => callRpc(calling, greet, { name: 'x' })));
    expect(calls).toBe(20);
  });

  it('a call carries the id of the admin request, and drops an invalid one', async () => {
    await serve(greet, async (_request, { requestId }) => ({ text: requestId ?? 'none' }));
    const requestId = newId('request');
    expect(await callRpc(calling, greet, { name: 'x' }, { requestId })).toEqual({ text: requestId });
    expect(await callRpc(calling, greet, { name: 'x' }, { requestId: 'req_1' })).toEqual({ text: 'none' });
    expect(await callRpc(calling, greet, { name: 'x' })).toEqual({ text: 'none' });
  });

  it('a call carries an idempotency key, bound to the method and the request', async () => {
    await serve(enroll, async (_request, { idempotentCall }) => ({ text: JSON.stringify(idempotentCall) }));
    const { text } = await callRpc(calling, enroll, { name: 'x' }, { idempotencyKey: 'a:b"\\' });
    expect(JSON.parse(text)).toEqual({
      key: 'a:b"\\',
      operation: 'rpc.greeter.enroll',
      request: { name: 'x' },
    });
    expect((await callRpc(calling, enroll, { name: 'x' })).text).toBe('null');
  });

  it('a call is rejected with an invalid idempotency key', async () => {
    await serve(enroll, async () => ({ text: 'enrolled' }));
    for (const idempotencyKey of ['a b', 'k'.repeat(256)]) {
      const problem = await problemOf(callRpc(calling, enroll, { name: 'x' }, { idempotencyKey }));
      expect(problem.code).toBe('invalid-idempotency-key');
    }
  });

  it('a call has no idempotency key if the method takes none', async () => {
    await serve(greet, async (_request, { idempotentCall }) => ({ text: String(idempotentCall) }));
    expect((await callRpc(calling, greet, { name: 'x' }, { idempotencyKey: 'k' })).text).toBe('null');
  });

  it('a call tells whether the reply is replayed', async () => {
    await serve(enroll, async ({ name }, { idempotentCall }) => {
      if (name === 'known') idempotentCall?.markReplayed();
      return { text: name };
    });
    const replayed: string[] = [];
    for (const name of ['new', 'known']) {
      const onReplayed = () => replayed.push(name);
      await callRpc(calling, enroll, { name }, { idempotencyKey: name, onReplayed });
    }
    expect(replayed).toEqual(['known']);
  });

  it('a call continues the trace of its caller', async () => {
    await serve(greet, async () => ({ text: currentTrace()?.traceparent ?? 'none' }));
    const call = async (options = {}) => (await callRpc(calling, greet, { name: 'x' }, options)).text;
    const trace = parseTraceContext(TRACEPARENT);
    expect(await call({ trace })).toBe(TRACEPARENT);
    expect(await runInTrace(trace, call)).toBe(TRACEPARENT);
    expect(await call()).toBe('none');
  });

  it('a call is rejected as unavailable when no instance listens', async () => {
    expect(await problemOf(callRpc(calling, greet, { name: 'x' }))).toEqual({
      code: 'unavailable',
      detail: 'The greeter service is unavailable.',
      retryAfterS: 1,
    });
  });

  it('a call fails immediately when NATS denies it', async () => {
    const limited = await startNats(
      ({ name, password }) =>
        `authorization { users: [{ user: ${name}, password: "${password}", permissions: { publish: { deny: "rpc.>" } } }] }\n`,
    );
    onTestFinished(() => limited.dispose());
    const bus = await connectBus({ url: limited.url, name: 'member' });
    onTestFinished(() => bus.close());
    await expect(callRpc(bus, greet, { name: 'x' })).rejects.toBeInstanceOf(PermissionViolationError);
  });

  it('times out at its deadline', async () => {
    const response = Promise.withResolvers<{ text: string }>();
    await serve(greet, () => response.promise);
    const problem = await problemOf(callRpc(calling, greet, { name: 'x' }, { deadlineMs: 50 }));
    response.resolve({ text: 'late' });
    expect(problem.code).toBe('upstream-timeout');
  });

  it('a call is rejected as unavailable immediately while NATS is down, and is not carried out later', async () => {
    const own = await startNats();
    const bus = await connectBus({ url: own.url, name: 'test' });
    onTestFinished(async () => {
      await bus.close();
      await own.dispose();
    });
    let calls = 0;
    serveRpc(bus, greet, async () => ({ text: String(++calls) }), { logger });
    await own.kill();
    await expect.poll(() => bus.isConnected()).toBe(false);
    expect((await problemOf(callRpc(bus, greet, { name: 'x' }))).code).toBe('unavailable');
    await own.start();
    await expect.poll(() => bus.isConnected()).toBe(true);
    expect(await callRpc(bus, greet, { name: 'x' })).toEqual({ text: '1' });
  });
});

describe('a request', () => {
  it('a request that breaks the contract is not sent', async () => {
    let calls = 0;
    await serve(greet, async () => ({ text: String(++calls) }));
    const problem = await problemOf(callRpc(calling, greet, { name: '', surprise: 1 } as { name: string }));
    expect(problem.code).toBe('invalid-request');
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/name', '/surprise']),
    );
    expect(calls).toBe(0);
  });

  it('a request that breaks the contract is rejected by the service too', async () => {
    let calls = 0;
    await serve(greet, async () => ({ text: String(++calls) }));
    expect(await problemOf(callRpc(calling, greetLoosely, {}))).toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '/name', code: 'missing' }],
    });
    expect(calls).toBe(0);
  });

  it.each(['soon', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00Z[Europe/Berlin]'])(
    'a request with the time "%s" is rejected',
    async (at) => {
      await serve(greet, async () => ({ text: '' }));
      const problem = await problemOf(callRpc(calling, greetLoosely, { name: 'x', at }));
      expect(problem.errors).toMatchObject([{ pointer: '/at' }]);
    },
  );

  it.each(['', '{', 'undefined', '\u0000'])('a request that is not JSON (%j) gets a reply', async (text) => {
    await serve(greet, async () => ({ text: '' }));
    const answer = await calling.nats.request(rpcSubject(greet), text);
    expect(answer.json()).toMatchObject({ problem: { code: 'malformed-request' } });
  });

  it('larger than the limit is rejected before NATS rejects it', async () => {
    const problem = await problemOf(callRpc(calling, greet, { name: 'x'.repeat(MAX_REQUEST_BYTES) }));
    expect(problem.code).toBe('content-too-large');
    expect(calling.isConnected()).toBe(true);
  });
});

describe('an actor', () => {
  const verifyActor = async (text: string) => {
    if (text === 'of an API token') return token();
    if (text !== 'good') throw new Problem('forbidden', 'The token is not valid.');
    return ACTOR;
  };

  it('an actor reaches the handler when its token is valid', async () => {
    await serve(whoAmI, async (_request, { actor }) => ({ role: actor.role }), verifyActor);
    expect(await callRpc(calling, whoAmI, {}, { actorToken: 'good' })).toEqual({ role: 'admin' });
  });

  it('an actor that is an API token reaches only the handlers that accept one', async () => {
    const whoEverIAm = contractsOf('test')('who_ever_i_am', 'member-or-token', { reply: whoAmI.reply });
    let calls = 0;
    await serve(whoAmI, async () => ({ role: String(++calls) }), verifyActor);
    await serve(whoEverIAm, async (_request, { actor }) => ({ role: actor.type }), verifyActor);
    const options = { actorToken: 'of an API token' };
    expect(await callRpc(calling, whoEverIAm, {}, options)).toEqual({ role: 'token' });
    expect((await problemOf(callRpc(calling, whoAmI, {}, options))).code).toBe('forbidden');
    expect(calls).toBe(0);
  });

  it('an actor is verified for the subject of the call', async () => {
    const subjects: string[] = [];
    await serve(
      whoAmI,
      async (_request, { actor }) => ({ role: actor.role }),
      async (_token, subject) => {
        subjects.push(subject);
        return ACTOR;
      },
    );
    await callRpc(calling, whoAmI, {}, { actorToken: 'good' });
    expect(subjects).toEqual([rpcSubject(whoAmI)]);
  });

  it('an actor is requested for the RPCs that the caller names', async () => {
    const exchange = contractsOf('test')('exchange', 'service', { reply: Type.Array(Type.String()) });
    await serve(exchange, async (_request, { actorFor }) => actorFor);
    expect(await callRpc(calling, exchange, {}, { actorFor: [whoAmI, exchange] })).toEqual([
      rpcSubject(whoAmI),
      rpcSubject(exchange),
    ]);
    expect(await callRpc(calling, exchange, {})).toEqual([]);
  });

  it.each([{ actorToken: 'bad' }, {}])(
    'an actor with the token %j is rejected before the handler',
    async (options) => {
      let calls = 0;
      await serve(whoAmI, async () => ({ role: String(++calls) }), verifyActor);
      expect((await problemOf(callRpc(calling, whoAmI, {}, options))).code).toBe('forbidden');
      expect(calls).toBe(0);
    },
  );

  it('an actor is required by a member contract: serving one without a verifier fails at startup', () => {
    expect(() => serveRpc(serving, whoAmI, async () => ({ role: '' }), { logger })).toThrow('verifyActor');
  });
});

it('a problem arrives with all its members', async () => {
  const details = {
    code: 'conflict',
    detail: 'Someone was faster.',
    errors: [{ pointer: '/name', code: 'taken', detail: 'This is taken.' }],
    extensions: { version: 3 },
    retryAfterS: 2,
  } as const;
  const { code, detail, ...more } = details;
  await serve(greet, async () => {
    throw new Problem(code, detail, { ...more, errors: [...more.errors] });
  });
  expect(await problemOf(callRpc(calling, greet, { name: 'x' }))).toEqual(details);
});

it('a problem is snake_case on the wire, like all JSON', async () => {
  await serve(greet, async () => {
    throw new Problem('unavailable', 'Later.', { retryAfterS: 2 });
  });
  const reply = await calling.nats.request(rpcSubject(greet), JSON.stringify({ name: 'x' }));
  expect(reply.json()).toEqual({
    problem: { code: 'unavailable', status: 503, detail: 'Later.', retry_after_s: 2 },
  });
});

it('a problem that is unexpected is logged, and returned without its message', async () => {
  const failure = new Error('the password is hunter2');
  await serve(greet, async () => {
    throw failure;
  });
  expect(await problemOf(callRpc(calling, greet, { name: 'x' }))).toEqual({
    code: 'internal',
    detail: 'The service failed to process the request.',
  });
  expect(logger.errors).toContain(failure);
});

it('a problem of an outage is logged, and returned as unavailable with an unknown outcome', async () => {
  const failure = new Error(OUTAGE);
  await serve(greet, async () => {
    throw failure;
  });
  expect(await problemOf(callRpc(calling, greet, { name: 'x' }))).toEqual({
    code: 'unavailable',
    detail: 'The service cannot reach its database. The request may have been processed.',
    retryAfterS: 1,
    outcomeUnknown: true,
  });
  expect(logger.errors).toContain(failure);
});

it('the subject of a reply is random in each request, whatever the client would choose', async () => {
  const subjects: string[] = [];
  const listening = serving.nats.subscribe(rpcSubject(greet), {
    callback: (_error, message) => {
      subjects.push(message.reply as string);
      message.respond(JSON.stringify({ ok: { text: 'hello' } }));
    },
  });
  onTestFinished(() => listening.unsubscribe());
  await serving.nats.flush();
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  for (const name of ['a', 'b', 'c']) await callRpc(calling, greet, { name });
  random.mockRestore();
  expect(new Set(subjects)).toHaveLength(3);
  for (const subject of subjects) expect(subject).toMatch(/^_INBOX_?[A-Za-z0-9_-]*\.rpc\.[0-9a-f]{32}$/);
});

it('the subject of a reply outside an inbox gets no reply, and the request is not handled', async () => {
  const names: string[] = [];
  await serve(greet, async ({ name }) => {
    names.push(name);
    return { text: name };
  });
  const published: string[] = [];
  const target = serving.nats.subscribe('$KV.bucket.key', {
    callback: (_error, message) => void published.push(message.string()),
  });
  onTestFinished(() => target.unsubscribe());
  await serving.nats.flush();
  const attack = JSON.stringify({ name: 'attacker' });
  calling.nats.publish(rpcSubject(greet), attack, { reply: '$KV.bucket.key' });
  calling.nats.publish(rpcSubject(greet), attack);
  await callRpc(calling, greet, { name: 'caller' });
  await serving.nats.flush();
  expect(names).toEqual(['caller']);
  expect(published).toEqual([]);
});

it.each([undefined, {}, { text: 1 }, { text: 1n }])(
  'a reply that breaks the contract (%o) is not sent',
  async (reply) => {
    await serve(greet, async () => reply as unknown as { text: string });
    expect((await problemOf(callRpc(calling, greet, { name: 'x' }))).code).toBe('internal');
  },
);

it('a reply that has no JSON form is not sent', async () => {
  await serve(greetLoosely, async () => ({ amount: 1n }));
  expect((await problemOf(callRpc(calling, greetLoosely, {}))).code).toBe('internal');
});

it('a reply that breaks the contract of the caller is rejected by the caller', async () => {
  await serve(greetLoosely, async () => ({ text: 1 }));
  expect((await problemOf(callRpc(calling, greet, { name: 'x' }))).code).toBe('upstream-error');
});

it('a reply carries only the fields that its contract names, at every depth', async () => {
  const contract = greeterRpc('nested', 'service', {
    reply: Type.Object({ inner: Type.Object({ mood: Type.Enum(['good'] as const) }) }),
  });
  const loose = { ...contract, reply: Type.Unknown() };
  const stored = { inner: { mood: 'better', secret: 1 }, secret: 2 };
  await serve(contract, async () => stored as unknown as { inner: { mood: 'good' } });
  expect(await callRpc(calling, loose, {})).toEqual({ inner: { mood: 'better' } });
  expect(stored).toEqual({ inner: { mood: 'better', secret: 1 }, secret: 2 });
});

it('a reply of a later release is read with its unknown fields', async () => {
  await serve(greetLoosely, async () => ({ text: 'Hello', mood: 'good' }));
  expect(await callRpc(calling, greet, { name: 'x' })).toEqual({ text: 'Hello', mood: 'good' });
});

it.each([
  [409, 'conflict'],
  [400, 'invalid-request'],
  [418, 'upstream-error'],
  [500, 'upstream-error'],
])('a reply with a problem of a later release with status %i is the problem %s', async (status, code) => {
  const problem = { code: 'new-in-2030', status, detail: 'Something new.', extensions: { hint: 1 } };
  const later = serving.nats.subscribe(rpcSubject(greet), {
    callback: (_error, message) => void message.respond(JSON.stringify({ problem })),
  });
  onTestFinished(() => later.unsubscribe());
  await serving.nats.flush();
  expect(await problemOf(callRpc(calling, greet, { name: 'x' }))).toEqual({
    code,
    detail: 'Something new.',
    extensions: { hint: 1 },
  });
});

it.each(['', '[]', '{}', 'null', '{"problem":{"code":7,"detail":""}}'])(
  'a reply that is malformed (%s) is rejected by the caller',
  async (text) => {
    const impostor = serving.nats.subscribe(rpcSubject(greet), {
      callback: (_error, message) => void message.respond(text),
    });
    onTestFinished(() => impostor.unsubscribe());
    await serving.nats.flush();
    expect((await problemOf(callRpc(calling, greet, { name: 'x' }))).code).toBe('upstream-error');
  },
);

it('a reply is too large one byte above the limit, but not at the limit', async () => {
  const overhead = JSON.stringify({ ok: { text: '' } }).length;
  await serve(greet, async ({ name }) => ({ text: 'x'.repeat(MAX_REPLY_BYTES - overhead + Number(name)) }));
  expect((await callRpc(calling, greet, { name: '0' })).text).toHaveLength(MAX_REPLY_BYTES - overhead);
  expect((await problemOf(callRpc(calling, greet, { name: '1' }))).code).toBe('reply-too-large');
});

it('a stopped service completes the requests it has started and accepts no more', async () => {
  const answer = Promise.withResolvers<{ text: string }>();
  const begun = Promise.withResolvers<void>();
  const served = await serve(greet, () => {
    begun.resolve();
    return answer.promise;
  });
  const call = callRpc(calling, greet, { name: 'x' });
  await begun.promise;
  const stopping = served.stop();
  await serving.nats.flush();
  expect((await problemOf(callRpc(calling, greet, { name: 'late' }))).code).toBe('unavailable');
  answer.resolve({ text: 'done' });
  expect(await call).toEqual({ text: 'done' });
  await stopping;
});
