import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { ensureStreams } from '@tollgate/bus/streams';
import { serveAuditLog } from '@tollgate/bus/test/stand-in-audit-log';
import type { Actor, Role } from '@tollgate/contracts/actor';
import { newId } from '@tollgate/contracts/ids';
import * as contract from '@tollgate/contracts/rpc/accounts';
import type { RpcContract } from '@tollgate/contracts/rpc/contract';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import { createActorSigner, createActorVerifier } from '@tollgate/security/actor-token';
import { parseKeyring } from '@tollgate/security/keyring';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import type { Connection } from 'mongoose';
import type { Static, TSchema } from 'typebox';
import { type App, buildApp } from '../src/app.ts';
import { createPasswordHasher, type PasswordHasher } from '../src/passwords/password.ts';
import { totpCode, totpStep } from '../src/second-factor/totp.ts';

export const ADDRESS = '198.51.100.7';
export const USER_AGENT = 'Mozilla/5.0 (test)';
/** Of requests that carry no actor token. */
export const ORIGIN = { address: ADDRESS, user_agent: USER_AGENT };
export const PASSWORD = 'correct horse battery';
const SETUP_TOKEN = 'the setup token of these tests';
/** Weak on purpose: these tests are about what is done with passwords, and hash hundreds of them. */
export const TEST_PASSWORD_PARAMETERS = { memoryKib: 64, passes: 1, parallelism: 1 };

/** One instance of the service with connections of its own. */
export interface Service {
  app: App;
  bus: Bus;
  connection: Connection;
  stop(): Promise<void>;
}

/** A member as the tests know one: with the password, and an actor for calls. */
export interface Person {
  id: string;
  email: string;
  password: string;
  actor: Actor;
}

export interface Harness {
  infra: Infra;
  clock: FakeClock;
  logger: Logger;
  /** Every line that instances of the service have logged. */
  logLines: string[];
  verifyActor: (token: string) => Promise<Actor>;
  /** Environment of a process of the service on the same servers and secrets. */
  processEnv: Record<string, string>;
  setupToken: string;
  /** A caller's connection, apart from the service's. */
  client: Bus;
  /** A new instance; `isStarted: false` leaves it wired but idle, for tests that drive its parts. */
  startService(options?: { isStarted?: boolean; passwords?: PasswordHasher }): Promise<Service>;
  /** Calls over NATS as the gateway does for somebody who is not signed in. */
  callAnonymously<Request extends TSchema, Reply extends TSchema>(
    method: RpcContract<'service', Request, Reply>,
    request: Static<Request>,
  ): Promise<Static<Reply>>;
  /** Calls over NATS with the actor's signed token. */
  call<Request extends TSchema, Reply extends TSchema>(
    actor: Actor,
    method: RpcContract<'member', Request, Reply>,
    request: Static<Request>,
  ): Promise<Static<Reply>>;
  stop(): Promise<void>;
}

export async function startHarness(): Promise<Harness> {
  const infra = await startInfra();
  const clock = createFakeClock();
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'accounts', level: 'trace', destination });
  const encryptionKeysText = `1:${randomBytes(32).toString('base64')}`;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signActor = createActorSigner(privateKey, clock);
  const verifyActor = createActorVerifier([publicKey], clock);
  const client = await connectBus({ url: infra.natsUrl, name: 'test' });
  const auditLog = serveAuditLog(client, logger);
  const services = new Set<Service>();

  return {
    infra,
    clock,
    logger,
    logLines,
    verifyActor,
    processEnv: {
      NATS_URL: infra.natsUrl,
      MONGODB_URL: infra.mongodbUrl,
      ACCOUNTS_ENCRYPTION_KEYS: encryptionKeysText,
      ACTOR_SIGNING_KEY: privateKey,
      ACTOR_PUBLIC_KEYS: publicKey,
      SETUP_TOKEN,
    },
    setupToken: SETUP_TOKEN,
    client,

    async startService({ isStarted = true, passwords } = {}) {
      const bus = await connectBus({ url: infra.natsUrl, name: 'accounts', logger });
      await ensureStreams(bus);
      const connection = await connectMongoDB({
        url: infra.mongodbUrl,
        database: 'tollgate_accounts',
        appName: 'accounts',
        logger,
      });
      const app = await buildApp({
        bus,
        connection,
        passwords: passwords ?? createPasswordHasher({ parameters: TEST_PASSWORD_PARAMETERS }),
        encryptionKeys: parseKeyring(encryptionKeysText),
        signActor,
        verifyActor,
        setupToken: SETUP_TOKEN,
        clock,
        logger,
      });
      if (isStarted) {
        app.start();
        // The server has heard of the subscriptions once it answers what was sent after them.
        await bus.nats.flush();
      }
      const service: Service = {
        app,
        bus,
        connection,
        async stop() {
          services.delete(service);
          await app.stop();
          await bus.close();
          await connection.close();
        },
      };
      services.add(service);
      return service;
    },

    callAnonymously: (method, request) => callRpc(client, method, request),

    async call(actor, method, request) {
      return callRpc(client, method, request, { actorToken: await signActor(actor) });
    },

    async stop() {
      for (const service of services) await service.stop();
      await auditLog.stop();
      await client.close();
      await infra.stop();
    },
  };
}

export function setupRequest(harness: Harness, fields: Partial<Static<typeof contract.setUp.request>> = {}) {
  return {
    token: harness.setupToken,
    email: 'founder@example.com',
    name: 'Founder',
    password: PASSWORD,
    team_name: 'Founders',
    ...ORIGIN,
    ...fields,
  };
}

/** The first owner of the installation, who may make teams. */
export async function setUpFounder(harness: Harness): Promise<Person> {
  const { member, team } = await harness.callAnonymously(contract.setUp, setupRequest(harness));
  const actor = {
    member_id: member.id,
    team_id: team.id,
    role: member.role,
    address: ADDRESS,
    session_id: newId('session'),
    name: member.name,
    user_agent: USER_AGENT,
    request_id: null,
  };
  return { id: member.id, email: member.email, password: PASSWORD, actor };
}

let emails = 0;

export function newEmail(): string {
  emails += 1;
  return `person-${emails}@example.com`;
}

/** A team of its own, made by the founder, with one owner. */
export async function createTeamWithOwner(harness: Harness, founder: Person): Promise<Person> {
  const { team, invitation } = await harness.call(founder.actor, contract.createTeam, {
    name: 'Shop',
    owner_email: newEmail(),
  });
  return accept(harness, team.id, invitation);
}

/** A further member of the owner's team. */
export async function addMember(harness: Harness, owner: Person, role: Role): Promise<Person> {
  const invitation = await harness.call(owner.actor, contract.createInvitation, { email: newEmail(), role });
  return accept(harness, owner.actor.team_id, invitation);
}

async function accept(
  harness: Harness,
  teamId: string,
  { token, email, role }: { token: string; email: string; role: Role },
): Promise<Person> {
  const { id } = await harness.callAnonymously(contract.acceptInvitation, {
    token,
    name: `Name of ${email}`,
    password: PASSWORD,
    ...ORIGIN,
  });
  const actor = {
    member_id: id,
    team_id: teamId,
    role,
    address: ADDRESS,
    session_id: newId('session'),
    name: `Name of ${email}`,
    user_agent: USER_AGENT,
    request_id: null,
  };
  return { id, email, password: PASSWORD, actor };
}

export function signIn(
  harness: Harness,
  person: { email: string; password: string },
  fields: { totp?: string; recovery_code?: string; address?: string | null } = {},
) {
  const { email, password } = person;
  return harness.callAnonymously(contract.signIn, {
    email,
    password,
    ...ORIGIN,
    ...fields,
  });
}

/** Exchanges a session token for what the gateway would act with. */
export async function actorOf(harness: Harness, sessionToken: string): Promise<Actor> {
  const { actor_token } = await harness.callAnonymously(contract.issueActorToken, {
    session_token: sessionToken,
    ...ORIGIN,
  });
  return harness.verifyActor(actor_token);
}

/** The member with a session, as after a sign-in. */
export async function signedIn(harness: Harness, person: Person): Promise<Person & { token: string }> {
  const { token } = await signIn(harness, person);
  return { ...person, token, actor: await actorOf(harness, token) };
}

/** What an app that was given the secret shows at the moment. */
export function currentTotp(harness: Harness, secret: string): string {
  return totpCode(decodeBase32(secret), totpStep(harness.clock.now()));
}

export function decodeBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
