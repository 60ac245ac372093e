import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addMember,
  createResetLink,
  createTeamWithOwner,
  type Harness,
  invite,
  newEmail,
  ORIGIN,
  PASSWORD,
  type Person,
  setUpFounder,
  setupRequest,
  signIn,
  startHarness,
} from './harness.ts';

/** In the list that comes with Tollgate. */
const LEAKED = 'qwerty123456';
const IS_LEAKED = { code: 'invalid-request', errors: [{ pointer: '/password', code: 'leaked' }] };

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

describe('a password of the list that comes with Tollgate', () => {
  let owner: Person;

  beforeAll(async () => {
    await harness.startService();
    const setUp = harness.callAnonymously(contract.setUp, setupRequest(harness, { password: LEAKED }));
    expect(await rejection(setUp)).toMatchObject(IS_LEAKED);
    // A rejected setup leaves the installation to be set up.
    await setUpFounder(harness);
    owner = await createTeamWithOwner(harness);
  });

  it.each([LEAKED, 'QWERTY123456'])(
    'a password of the list that comes with Tollgate is rejected as %s for the account of an invited person',
    async (password) => {
      const { token } = await invite(harness, owner, { email: newEmail(), role: 'viewer' });
      const accept = { token, name: 'Ada', password, ...ORIGIN };
      expect(await rejection(harness.callAnonymously(contract.acceptInvitation, accept))).toMatchObject(
        IS_LEAKED,
      );
    },
  );

  it('a password of the list that comes with Tollgate is rejected for a password change, and the current password stays', async () => {
    const member = await addMember(harness, owner, 'viewer');
    const change = { current_password: PASSWORD, new_password: LEAKED };
    expect(await rejection(harness.call(member.actor, contract.changePassword, change))).toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '/new_password', code: 'leaked' }],
    });
    await signIn(harness, member);
  });

  it('a password of the list that comes with Tollgate is rejected for a reset, and the link keeps working', async () => {
    const member = await addMember(harness, owner, 'viewer');
    const token = await createResetLink(harness, owner, member.id);
    const reset = (password: string) =>
      harness.callAnonymously(contract.resetPassword, { token, password, ...ORIGIN });
    expect(await rejection(reset(LEAKED))).toMatchObject(IS_LEAKED);
    await reset('another long password');
  });
});

describe("the operator's API of leaked passwords", () => {
  let server: Server;
  let respond: RequestListener;
  let paths: string[];

  beforeEach(async () => {
    paths = [];
    server = createServer((request, response) => {
      paths.push(request.url ?? '');
      respond(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  /** Sets a password with a service that uses the API. */
  async function setPassword(password: string): Promise<unknown> {
    const { port } = server.address() as AddressInfo;
    const service = await harness.startService({
      env: { LEAKED_PASSWORDS_URL: `http://127.0.0.1:${port}/range/` },
      isStarted: false,
    });
    try {
      return await service.app.context.leakedPasswords.has(password);
    } finally {
      await service.stop();
    }
  }

  function sha1(password: string): string {
    return createHash('sha1').update(password).digest('hex').toUpperCase();
  }

  it("the operator's API of leaked passwords gets five characters of the digest, and its range decides", async () => {
    const [leaked, other] = ['a password from a leak', 'a password of nobody'];
    respond = (_request, response) => {
      const rest = sha1(leaked).slice(5);
      response.end(`0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n${rest}:4\r\n`);
    };
    expect(await setPassword(leaked)).toBe(true);
    expect(await setPassword(other)).toBe(false);
    expect(paths).toEqual([`/range/${sha1(leaked).slice(0, 5)}`, `/range/${sha1(other).slice(0, 5)}`]);
  });

  it("the operator's API of leaked passwords does not reject a password for a line of padding", async () => {
    const password = 'a password of nobody';
    respond = (_request, response) => response.end(`${sha1(password).slice(5)}:0`);
    expect(await setPassword(password)).toBe(false);
  });

  it("the operator's API of leaked passwords is not asked for a password of the list", async () => {
    respond = (_request, response) => response.end();
    expect(await setPassword(LEAKED)).toBe(true);
    expect(paths).toEqual([]);
  });

  it.each<[string, RequestListener]>([
    ['fails', (_request, response) => response.writeHead(503).end()],
    ['redirects', (_request, response) => response.writeHead(302, { location: '/' }).end()],
    ['closes the connection', (_request, response) => response.destroy()],
    ['never ends', (_request, response) => void response.write('0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n')],
    ['sends too much', (_request, response) => response.end('x'.repeat(2 * 1024 * 1024))],
  ])(
    "the operator's API of leaked passwords that %s prevents no change of a password, and is logged",
    async (_, listener) => {
      respond = listener;
      const lines = harness.logLines.length;
      expect(await setPassword('a password of nobody')).toBe(false);
      expect(harness.logLines.slice(lines).join('')).toContain('leaked passwords could not be searched');
    },
  );
});
