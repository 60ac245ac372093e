import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';
import { parseNatsUrl } from '@tollgate/bus/nats-url';
import { PROCESS_NAMES, type ProcessName } from '@tollgate/bus/permissions/process-table';
import { subjectsOf } from '@tollgate/bus/permissions/subjects';
import { PRINCIPALS_BUCKET } from '@tollgate/contracts/applications/principal';
import { AUDIT_HEADS_BUCKET } from '@tollgate/contracts/audit/audit-log';
import { ERASURES_BUCKET, STREAMS } from '@tollgate/contracts/platform/streams';
import { generateSecrets } from '@tollgate/launcher/secrets';
import { natsAuthorization } from '@tollgate/launcher/server-users';
import { eventually } from '@tollgate/test-kit/eventually';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireNoDenial, serverUrls } from '../../support/platform/platform-infra.ts';

/** An attacker who has the password of a process. */
interface Attacker {
  connection: NatsConnection;
  /** Subjects on which the server did not let it publish. */
  denied: Set<string>;
}

const NEVER_ALLOWED = 'attacks.end';

let infra: Infra;
const attackers = {} as Record<ProcessName, Attacker>;

async function connectWith(url: string): Promise<Attacker> {
  const { servers, user, password } = parseNatsUrl(url);
  const connection = await connect({
    servers,
    user: user as string,
    pass: password as string,
    maxReconnectAttempts: 0,
  });
  const denied = new Set<string>();
  (async () => {
    for await (const status of connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue;
      if (status.error.operation === 'publish') denied.add(status.error.subject);
    }
  })();
  return { connection, denied };
}

beforeAll(async () => {
  const secrets = generateSecrets();
  infra = await startInfra({ nats: true }, { nats: () => natsAuthorization(secrets) });
  for (const name of PROCESS_NAMES) {
    attackers[name] = await connectWith(serverUrls(infra, secrets).natsUrlOf(name));
  }
});
afterAll(async () => {
  await Promise.all(Object.values(attackers).map(({ connection }) => connection.close()));
  await infra?.stop();
});

/** Returns those of the subjects on which the server does not let this process publish. */
async function deniedToPublish(name: ProcessName, subjects: readonly string[]): Promise<string[]> {
  const { connection, denied } = attackers[name];
  denied.clear();
  for (const subject of [...subjects, NEVER_ALLOWED]) connection.publish(subject);
  // The server reports violations in order.
  await eventually('the last one is reported', () => denied.has(NEVER_ALLOWED));
  return [...denied].filter((subject) => subject !== NEVER_ALLOWED).sort();
}

/** Returns those of the subjects to which the server does not let this process subscribe. */
async function deniedToSubscribe(name: ProcessName, subjects: readonly string[]): Promise<string[]> {
  const { connection } = attackers[name];
  const denied: string[] = [];
  const subscriptions = subjects.map((subject) =>
    connection.subscribe(subject, {
      callback: (error) => {
        if (error instanceof PermissionViolationError) denied.push(subject);
      },
    }),
  );
  await connection.flush();
  for (const subscription of subscriptions) subscription.unsubscribe();
  await connection.flush();
  return denied.sort();
}

const permissions = Object.fromEntries(PROCESS_NAMES.map((name) => [name, subjectsOf(name)])) as Record<
  ProcessName,
  ReturnType<typeof subjectsOf>
>;
const OPERATIONS = ['STREAM.DELETE', 'STREAM.PURGE', 'STREAM.UPDATE', 'STREAM.MSG.DELETE', 'STREAM.MSG.GET'];
const BUCKET_STREAM = `KV_${PRINCIPALS_BUCKET}`;

/** Concrete subjects: all that any process may publish, and what the administrator of a server could. */
const PUBLISHED = [
  ...new Set([
    ...PROCESS_NAMES.flatMap((name) => permissions[name].publish.map(concrete)),
    ...[...Object.keys(STREAMS), BUCKET_STREAM].flatMap((stream) => [
      ...[
        ...OPERATIONS,
        'STREAM.SNAPSHOT',
        'STREAM.RESTORE',
        'STREAM.LEADER.STEPDOWN',
        'STREAM.PEER.REMOVE',
      ].map((operation) => `$JS.API.${operation}.${stream}`),
      `$JS.API.DIRECT.GET.${stream}`,
      `$JS.API.CONSUMER.CREATE.${stream}`,
      `$JS.API.CONSUMER.CREATE.${stream}.attacker`,
      `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.attacker`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.attacker`,
      `$JS.API.CONSUMER.LIST.${stream}`,
      ...['webhooks', 'audit', 'usage'].map((durable) => `$JS.API.CONSUMER.DELETE.${stream}.${durable}`),
    ]),
    '$JS.API.STREAM.CREATE.ATTACKER',
    '$JS.API.STREAM.LIST',
    '$JS.API.STREAM.NAMES',
    '$JS.API.META.LEADER.STEPDOWN',
    '$SYS.REQ.SERVER.PING',
    `$KV.${PRINCIPALS_BUCKET}.x`,
    '$KV.other.x',
    '_INBOX.x',
    'rpc.accounts.sign_in.x',
    'rpc.other.x',
    'other',
  ]),
];

const SUBSCRIBED = [
  '>',
  '*',
  'rpc.>',
  'rpc.*.*',
  '$JS.>',
  '$KV.>',
  '$SYS.>',
  '_INBOX.>',
  ...Object.values(STREAMS).flatMap(({ subjects }) => subjects),
  ...PROCESS_NAMES.map((name) => `_INBOX_${name}.>`),
  ...PUBLISHED,
];

describe.each(PROCESS_NAMES)('an attacker with the password of %s', (name) => {
  it('an attacker with the password of one process can publish on the subjects of the table, and on no other', async () => {
    const allowed = permissions[name].publish;
    const outside = PUBLISHED.filter((subject) => !allowed.some((pattern) => covers(pattern, subject)));
    expect(outside.length).toBeGreaterThan(PUBLISHED.length / 2);
    expect(await deniedToPublish(name, PUBLISHED)).toEqual(outside.sort());
  });

  it('an attacker with the password of one process can subscribe to the subjects of the table, and to no other', async () => {
    // A subscription without the queue group of a service, which would get a copy of every request, is denied, too.
    const allowed = permissions[name].subscribe.filter((subject) => !subject.includes(' '));
    const outside = SUBSCRIBED.filter((subject) => !allowed.some((pattern) => covers(pattern, subject)));
    expect(await deniedToSubscribe(name, SUBSCRIBED)).toEqual(outside.sort());
  });
});

/** Written by hand, so that a mistake in the table itself is noticed. */
describe('on NATS', () => {
  it.each([
    ['write a principal', `$KV.${PRINCIPALS_BUCKET}.abc`, ['applications']],
    ['write a tree head', `$KV.${AUDIT_HEADS_BUCKET}.abc`, ['audit']],
    ['publish a payment event', 'events.payment.succeeded', ['payments', 'operator']],
    ['publish a usage window', 'usage.windows', ['gateway', 'operator']],
    ['announce a payments instance', 'announce.payments', ['payments']],
    [
      'publish an audit entry',
      'audit.key.created',
      ['accounts', 'applications', 'payments', 'webhooks', 'operator'],
    ],
    ['create an API key', 'rpc.applications.create_key', ['gateway', 'launcher']],
    ['issue an actor token', 'rpc.accounts.actor_token', ['gateway', 'launcher']],
    ['set up the installation', 'rpc.accounts.setup', ['gateway', 'launcher']],
    [
      'reply to the gateway',
      '_INBOX_gateway.x.1',
      ['accounts', 'applications', 'payments', 'webhooks', 'usage', 'audit'],
    ],
    ['acknowledge what webhooks consumes', '$JS.ACK.EVENTS.webhooks.1.1.1.1.1', ['webhooks']],
    [
      'acknowledge it with the domain and the account',
      '$JS.ACK._.SFnL3qLM.EVENTS.webhooks.1.1.1.1.1',
      ['webhooks'],
    ],
    ['delete a stream', '$JS.API.STREAM.DELETE.AUDIT', []],
    ['empty a stream', '$JS.API.STREAM.PURGE.EVENTS', []],
    ['delete a message of the audit stream', '$JS.API.STREAM.MSG.DELETE.AUDIT', []],
    ['change a stream', '$JS.API.STREAM.UPDATE.EVENTS', ['operator']],
    ['change the bucket of API keys', `$JS.API.STREAM.UPDATE.${BUCKET_STREAM}`, ['operator']],
    ['delete the bucket of API keys', `$JS.API.STREAM.DELETE.${BUCKET_STREAM}`, []],
    ['discard a dead letter', '$JS.API.STREAM.MSG.DELETE.DEAD_LETTERS', ['operator', 'payments']],
    ['delete a payment event', '$JS.API.STREAM.MSG.DELETE.EVENTS', ['payments']],
    ['change the bucket of erasures', `$JS.API.STREAM.UPDATE.KV_${ERASURES_BUCKET}`, ['operator']],
  ])('only the processes that need it can %s', async (_, subject, expected) => {
    const allowed: string[] = [];
    for (const name of PROCESS_NAMES) {
      if ((await deniedToPublish(name, [subject])).length === 0) allowed.push(name);
    }
    expect(allowed.sort()).toEqual([...expected].sort());
  });

  it('no process can read the replies to another, or all messages', async () => {
    for (const name of PROCESS_NAMES) {
      const inboxes = PROCESS_NAMES.filter((other) => other !== name).map((other) => `_INBOX_${other}.>`);
      const wanted = ['>', 'rpc.>', 'audit.>', '$KV.>', ...inboxes];
      expect(await deniedToSubscribe(name, wanted)).toEqual(wanted.sort());
    }
  });

  it('every denial is in the log of the server', async () => {
    await deniedToPublish('usage', ['$JS.API.STREAM.DELETE.AUDIT']);
    await expect(requireNoDenial(infra)).rejects.toThrow(
      // 2.9 names the user behind the violation, 2.12 before it.
      /^(?=.*usage).*Publish Violation .*STREAM\.DELETE\.AUDIT/m,
    );
  });

  it('nobody can connect without a user, or with the password of another', async () => {
    const { servers } = parseNatsUrl(infra.natsUrl);
    const anonymous = connect({ servers, maxReconnectAttempts: 0 });
    await expect(anonymous).rejects.toThrow(/authorization/i);
    const mixed = connect({ servers, user: 'payments', pass: 'wrong', maxReconnectAttempts: 0 });
    await expect(mixed).rejects.toThrow(/authorization/i);
  });
});

/** Replaces wildcards, so that the result is a subject to publish on. */
function concrete(pattern: string): string {
  return pattern.replaceAll('*', 'x').replace(/>$/, 'x.y');
}

/** Whether the pattern covers every subject that the other, which may be a pattern as well, does. */
function covers(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const given = subject.split('.');
  for (const [at, token] of wanted.entries()) {
    if (token === '>') return given.length > at;
    const other = given[at];
    if (other === undefined || other === '>') return false;
    if (token !== '*' && token !== other) return false;
  }
  return wanted.length === given.length;
}
