import { API_TOKEN_ROLES, type ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import { createToken, revokeToken } from '@tollgate/contracts/accounts/rpc';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { type Access, type AdminRoute, roleAllows } from '@tollgate/contracts/admin-api/route';
import {
  ADMIN_ROUTES,
  type AdminRouteName,
  PAYMENTS_CSV_PATH,
  STREAM_PATH,
  USAGE_CSV_PATH,
} from '@tollgate/contracts/admin-api/routes';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { ROLES, type Role } from '@tollgate/contracts/platform/roles';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';
import { createApiToken } from './admin-requests/create-api-token.ts';
import type { Caller, Prepared, Scene } from './admin-requests/prepared-request.ts';
import { PREPARE } from './admin-requests/requests.ts';

const OWNERSHIPS = ['own', 'other'] as const;
/** Credentials that the gateway rejects. */
const INVALID = ['ended', 'garbled', 'revoked token'] as const;
const WITHOUT_SESSION = {
  none: 'unauthenticated',
  ended: 'invalid-session',
  garbled: 'invalid-session',
  'revoked token': 'invalid-api-token',
} as const;

type Ownership = (typeof OWNERSHIPS)[number];
type NoSession = keyof typeof WITHOUT_SESSION;

/** A member with this role; if `token` is set, an API token. */
interface Reader {
  role: Role;
  of: Ownership;
  token?: boolean;
}

type CellCaller = Reader | { session: NoSession };

/** One cell of the matrix: a route, a kind of caller, and the expected status. */
interface Cell {
  name: AdminRouteName;
  route: AdminRoute;
  environment: Environment;
  by: CellCaller;
  status: number;
  title: string;
}

/** Requests that fail even for callers with a sufficient role, because the state never allows them. */
const DENIED_TO_ALL: Partial<Record<AdminRouteName, Partial<Record<Environment, number>>>> = {
  // The installation is already set up.
  setUp: { sandbox: 409 },
  // The sandbox processor settles sandbox payments itself.
  settlePayment: { sandbox: 409 },
  // The outcome of live payments cannot be simulated.
  simulatePayment: { live: 409 },
};

/** Routes whose body, and not the path, contains the id of an application. */
const NAMED_IN_BODY: ReadonlySet<AdminRouteName> = new Set(['createEndpoint']);

/** Routes whose path names something that all teams share. */
const OF_EVERY_TEAM: ReadonlySet<AdminRouteName> = new Set([
  'getReconciliation',
  // A login belongs to a team only once a member approves it.
  'getDeviceAuthorization',
  'approveDeviceAuthorization',
  'denyDeviceAuthorization',
]);

const ROUTES = Object.entries(ADMIN_ROUTES) as [AdminRouteName, AdminRoute][];

/** Both environments when the permission depends on the environment of the resource. */
function environmentsOf(name: AdminRouteName, { access }: AdminRoute): readonly Environment[] {
  return (typeof access === 'object' && 'live' in access) || name === 'simulatePayment'
    ? ENVIRONMENTS
    : ['sandbox'];
}

function expectedStatus(
  name: AdminRouteName,
  route: AdminRoute,
  environment: Environment,
  by: CellCaller,
): number {
  const done = DENIED_TO_ALL[name]?.[environment] ?? route.status;
  if (route.access === 'public') return done;
  if ('session' in by) return 401;
  if (by.token && !route.tokens) return 403;
  // Checked before the role, so that the response does not reveal resources of another team.
  if (by.of === 'other' && namesResource(name, route)) return 404;
  return roleAllows(route.access, by.role, environment) ? done : 403;
}

/** Whether a request names a resource of one team. */
function namesResource(name: AdminRouteName, { path }: AdminRoute): boolean {
  return NAMED_IN_BODY.has(name) || (path.includes(':') && !OF_EVERY_TEAM.has(name));
}

/** The highest role that does not suffice, and the lowest that does. Roles but the auditor are ordered, so these two stand for them. */
function boundaryOf<Name extends Role>(
  roles: readonly Name[],
  { access }: Pick<AdminRoute, 'access'>,
  environment: Environment,
): { insufficient: Name[]; sufficient: Name[] } {
  const suffices = (role: Name) => roleAllows(access, role, environment);
  return {
    insufficient: roles.filter((role) => !suffices(role)).slice(-1),
    sufficient: roles.filter(suffices).slice(0, 1),
  };
}

type Allowed = Pick<AdminRoute, 'access' | 'tokens'>;

function readersOfOwnTeam(route: Allowed, environment: Environment): Reader[] {
  // The auditor comes first: a role that suffices may remove the resource.
  const members = new Set<Role>(['auditor', ...Object.values(boundaryOf(ROLES, route, environment)).flat()]);
  const tokens = Object.values(boundaryOf(API_TOKEN_ROLES, route, environment)).flat();
  return [
    ...[...members].map((role) => ({ role, of: 'own' as const })),
    ...(route.tokens ? tokens : API_TOKEN_ROLES.slice(-1)).map((role) => ({
      role,
      of: 'own' as const,
      token: true,
    })),
  ];
}

/** Where the request names a resource, also a caller whose role would not suffice: the response must not reveal the resource. */
function readersOfOtherTeam(route: Allowed, environment: Environment, isNamed: boolean): Reader[] {
  const members = boundaryOf(ROLES, route, environment);
  const tokens = route.tokens ? boundaryOf(API_TOKEN_ROLES, route, environment).sufficient : [];
  return [
    ...[...(isNamed ? members.insufficient : []), ...members.sufficient].map((role) => ({
      role,
      of: 'other' as const,
    })),
    ...tokens.map((role) => ({ role, of: 'other' as const, token: true })),
  ];
}

function nameOf(by: CellCaller): string {
  if ('session' in by) return `session: ${by.session}`;
  return `${by.token ? 'token: ' : ''}${by.role} of the ${by.of} team`;
}

/** The gateway rejects a credential before it knows the route, so each route gets one of the invalid ones. */
function withoutSession(index: number): CellCaller[] {
  return [{ session: 'none' }, { session: INVALID[index % INVALID.length] as NoSession }];
}

/** Only the role that suffices depends on the environment, so the other kinds of callers send to one. */
function callersOf(name: AdminRouteName, route: AdminRoute, environment: Environment): CellCaller[] {
  const isFirst = environmentsOf(name, route)[0] === environment;
  const index = ROUTES.findIndex(([other]) => other === name);
  return [
    ...(isFirst ? withoutSession(index) : []),
    ...(route.access === 'public' ? [] : readersOfOwnTeam(route, environment)),
    ...(route.access === 'public' || !isFirst
      ? []
      : readersOfOtherTeam(route, environment, namesResource(name, route))),
  ];
}

const CELLS: Cell[] = ROUTES.flatMap(([name, route]) =>
  environmentsOf(name, route).flatMap((environment) =>
    callersOf(name, route, environment).map((by) => {
      const status = expectedStatus(name, route, environment, by);
      return { name, route, environment, by, status, title: `${nameOf(by)} → ${status}` };
    }),
  ),
);

let scene: Scene;
let callers: Record<Ownership, Record<Role, Caller>>;
/** Credentials of API tokens. */
let tokens: Record<Ownership, Record<ApiTokenRole, string>>;
let sessions: Record<NoSession, string | null>;
/** Ids of the caller's own team, which responses to the other team must not contain. */
let ownIds: string[];
let installationAdmin: TestMember;

beforeAll(async () => {
  const platform = await joinSharedPlatform();
  const [own, other] = [await platform.createTeam(), await platform.createTeam()];
  const application = await platform.createApplication(own);
  scene = { platform, team: own, application };
  callers = { own: await membersOf(own), other: await membersOf(other) };
  tokens = { own: await tokensOf(own), other: await tokensOf(other) };
  installationAdmin = platform.installationAdmin;
  const ended = await platform.signIn(own.owner.email, own.owner.password);
  await platform.admin.as(ended).call(ADMIN_ROUTES.revokeSession, { session_id: 'current' });
  sessions = { none: null, ended, garbled: 'nonsense', 'revoked token': await revokedToken(own) };
  const { request } = await PREPARE.getPayment(scene, { environment: 'live', caller: callers.own.owner });
  ownIds = [own.id, own.owner.id, application.id, request.payment_id];
});
afterAll(() => scene?.platform.leave());

async function membersOf(team: TestTeam): Promise<Record<Role, Caller>> {
  const made = {} as Record<Role, Caller>;
  for (const role of ROLES) {
    made[role] = { team, member: role === 'owner' ? team.owner : await team.createMember(role) };
  }
  return made;
}

async function tokensOf(team: TestTeam): Promise<Record<ApiTokenRole, string>> {
  const secrets = {} as Record<ApiTokenRole, string>;
  for (const role of API_TOKEN_ROLES) secrets[role] = await createApiToken(team, { role });
  return secrets;
}

async function revokedToken({ owner }: TestTeam): Promise<string> {
  const { id, secret } = await owner.call(createToken, { name: 'Revoked', role: 'admin' });
  await owner.call(revokeToken, { token_id: id });
  return shownOnce(secret);
}

/** Rejected requests change nothing, so they can share one resource of the own team. */
const shared = new Map<string, Promise<Prepared>>();
function preparedOnce(name: AdminRouteName, environment: Environment): Promise<Prepared> {
  const key = `${name} ${environment}`;
  const prepared = shared.get(key) ?? PREPARE[name](scene, { environment, caller: callers.own.owner });
  shared.set(key, prepared);
  return prepared;
}

async function send({ name, route, environment, by, status }: Cell) {
  const isRejected = [401, 403, 404].includes(status);
  const caller = 'role' in by ? callers[by.of][by.role] : callers.own.owner;
  const prepared = isRejected
    ? await preparedOnce(name, environment)
    : await PREPARE[name](scene, { environment, caller });
  const { request } = prepared;
  const credential = credentialOf(by, isRejected ? undefined : prepared);
  const ifMatch = route.ifMatch === 'required' ? { ifMatch: '*' as const } : {};
  return scene.platform.admin.as(credential).call(route, request as never, ifMatch);
}

function credentialOf(by: CellCaller, ofRequest?: Prepared): string | null {
  if ('session' in by) return sessions[by.session];
  if (by.token) return ofRequest?.apiToken ?? tokens[by.of][by.role as ApiTokenRole];
  return ofRequest?.session ?? callers[by.of][by.role].member.session;
}

describe('the route table', () => {
  it('the route table has a request for every route, and no other', () => {
    expect(Object.keys(PREPARE).toSorted()).toEqual(Object.keys(ADMIN_ROUTES).toSorted());
  });

  it.each(ROUTES)(
    '%s allows a role everything that a lower role may do, and live nothing that the sandbox denies',
    (_name, { access }) => {
      for (const environment of ENVIRONMENTS) {
        const ordered = ROLES.filter((role) => role !== 'auditor');
        const allowed = ordered.map((role) => roleAllows(access, role, environment));
        expect(allowed).toEqual(allowed.toSorted((one, other) => Number(one) - Number(other)));
      }
      for (const role of ROLES.filter((each) => roleAllows(access, each, 'live')))
        expect(roleAllows(access, role, 'sandbox')).toBe(true);
    },
  );
});

for (const [name, route] of ROUTES) {
  for (const environment of environmentsOf(name, route)) {
    describe(`${name} (${route.method} ${route.path}), ${environment}`, () => {
      it.each(CELLS.filter((cell) => cell.name === name && cell.environment === environment))(
        '$title',
        async (cell) => {
          const response = await send(cell);
          expect({ status: response.status, problem: response.problem?.detail }).toEqual({
            status: cell.status,
            problem: cell.status < 400 ? undefined : expect.any(String),
          });
          expect(response.problem?.code).toEqual(expectedCode(cell));
          if (
            response.problem === null &&
            'of' in cell.by &&
            cell.by.of === 'other' &&
            route.access !== 'public'
          ) {
            const text = JSON.stringify(response.body);
            for (const id of ownIds) expect(text).not.toContain(id);
          }
        },
      );
    });
  }
}

function expectedCode({ status, by }: Cell): string | undefined {
  if (status === 401 && 'session' in by) return WITHOUT_SESSION[by.session];
  return { 403: 'forbidden', 404: 'not-found', 409: 'conflict' }[status];
}

describe('createTeam', () => {
  it('the installation admin → 201', async () => {
    const { request } = await PREPARE.createTeam(scene, {
      environment: 'sandbox',
      caller: callers.own.owner,
    });
    const response = await scene.platform.admin
      .as(installationAdmin.session)
      .call(ADMIN_ROUTES.createTeam, request);
    expect(response.status).toBe(201);
  });
});

interface Export {
  path: string;
  query: Record<string, string>;
  access: Access;
  /** Ids of the own team that its file contains. */
  ids: () => string[];
}

const readersOfEitherTeam = (allowed: Allowed) => [
  ...readersOfOwnTeam(allowed, 'live'),
  ...readersOfOtherTeam(allowed, 'live', false),
];

const EXPORTS: Export[] = [
  { path: PAYMENTS_CSV_PATH, query: {}, access: 'viewer', ids: () => ownIds.slice(2) },
  {
    path: USAGE_CSV_PATH,
    query: {
      from: new Date(Date.now() - DAY_MS).toISOString(),
      to: new Date(Date.now() + DAY_MS).toISOString(),
      granularity: 'day',
      group_by: 'application',
    },
    access: 'viewer',
    ids: () => [scene.application.id],
  },
  {
    path: AUDIT_EXPORT_PATH,
    query: { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' },
    access: { toRead: 'admin' },
    ids: () => [scene.team.id],
  },
];

describe.each(EXPORTS)('GET $path', ({ path, query, access, ids }) => {
  const fetchFile = (session: string | null) =>
    scene.platform.admin.as(session).fetch(`${path}?${new URLSearchParams(query)}`);

  beforeAll(async () => {
    await eventually(
      'the file of the own team contains its ids',
      async () => {
        const text = await (await fetchFile(callers.own.owner.member.session)).text();
        return ids().every((id) => text.includes(id));
      },
      { timeoutMs: 30_000, intervalMs: 250 },
    );
  });

  const readers = readersOfEitherTeam({ access, tokens: true });
  it.each(
    readers.map((by) => ({ by, name: nameOf(by), status: roleAllows(access, by.role, 'live') ? 200 : 403 })),
  )('$name → $status, with nothing of another team', async ({ by, status }) => {
    const response = await fetchFile(credentialOf(by));
    expect(response.status).toBe(status);
    const text = await response.text();
    if (response.ok) for (const id of ids()) expect(text.includes(id)).toBe(by.of === 'own');
  });

  it.each(Object.keys(WITHOUT_SESSION) as NoSession[])('session: %s → 401', async (session) => {
    expect((await fetchFile(sessions[session])).status).toBe(401);
  });
});

describe(`GET ${STREAM_PATH}`, () => {
  const readers = readersOfEitherTeam({ access: 'viewer', tokens: true });
  it.each(readers.map((by) => ({ by, name: nameOf(by) })))('$name → 200', async ({ by }) => {
    const stop = new AbortController();
    const response = await scene.platform.admin
      .as(credentialOf(by))
      .fetch(STREAM_PATH, { signal: stop.signal });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    stop.abort();
  });

  it.each(Object.keys(WITHOUT_SESSION) as NoSession[])('session: %s → 401', async (session) => {
    expect((await scene.platform.admin.as(sessions[session]).fetch(STREAM_PATH)).status).toBe(401);
  });
});
