import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { setUpSingleSignOn, type TestSingleSignOn } from '../../support/platform/single-sign-on.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

let platform: SharedPlatform;
let team: TestTeam;
let sso: TestSingleSignOn;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  sso = await setUpSingleSignOn(platform, team);
  for (const sub of ['victim', 'attacker']) addPerson(sub);
});
afterAll(async () => {
  await sso?.provider.stop();
  await platform?.leave();
});

const emailOf = (sub: string) => `${sub}@${sso.domain}`;

function addPerson(sub: string, claims: object = {}): void {
  sso.provider.addPerson({ sub, email: emailOf(sub), email_verified: true, name: sub, ...claims });
}

/** A browser without scripts: it keeps cookies, and follows no redirect. */
function openBrowser() {
  const cookies = new Map<string, string>();
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(new URL(path, platform.dashboardUrl), {
      redirect: 'manual',
      ...init,
      headers: {
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        origin: platform.dashboardUrl,
        accept: 'text/html',
        ...init.headers,
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  const cookie = (purpose: string) =>
    [...cookies].find(([name]) => name.endsWith(`tollgate_${purpose}`))?.[1] ?? null;
  return {
    cookies,
    send,
    session: () => cookie('session'),
    /** Starts a sign-in up to the page of the provider. */
    async start(sub: string, next = '/'): Promise<string> {
      const body = new URLSearchParams({ email: emailOf(sub) });
      const response = await send(`/sso?next=${encodeURIComponent(next)}`, { method: 'POST', body });
      const html = await response.text();
      const [, href = ''] = /<a href="(http[^"]+)"/.exec(html.replaceAll('&amp;', '&')) ?? [];
      expect(href).toContain(sso.provider.issuer);
      return href;
    },
    async follow(callback: URL): Promise<Response> {
      return send(`${callback.pathname}${callback.search}`);
    },
    async member(): Promise<string | null> {
      const text = await (await send('/account')).text();
      return /[\w-]+@[\w-]+\.example/.exec(text)?.[0] ?? null;
    },
  };
}

const callbackOf = (authorizationUrl: string, sub: string) => sso.provider.signIn(authorizationUrl, sub);

describe('single sign-on under attack', () => {
  it('a response is worthless in a browser that did not start the sign-in', async () => {
    const attacker = openBrowser();
    const callback = await callbackOf(await attacker.start('attacker'), 'attacker');
    // Login CSRF: the victim opens the attacker's response, without and with a started sign-in.
    const [idle, started] = [openBrowser(), openBrowser()];
    const own = await started.start('victim');
    for (const victim of [idle, started]) {
      const response = await victim.follow(callback);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('You are not signed in');
      expect(victim.session()).toBeNull();
    }
    // The attempt does not disturb the sign-in of the victim.
    expect((await started.follow(await callbackOf(own, 'victim'))).status).toBe(303);
    expect(await started.member()).toBe(emailOf('victim'));
  });

  it('a response works once', async () => {
    const browser = openBrowser();
    const callback = await callbackOf(await browser.start('victim'), 'victim');
    const stolen = new Map(browser.cookies);
    expect((await browser.follow(callback)).status).toBe(303);
    const thief = openBrowser();
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    expect((await thief.follow(callback)).status).toBe(200);
    expect(thief.session()).toBeNull();
  });

  it('a session from before the sign-in is not used after it', async () => {
    const attacker = openBrowser();
    await attacker.follow(await callbackOf(await attacker.start('attacker'), 'attacker'));
    const planted = attacker.session() as string;
    const victim = openBrowser();
    const authorization = await victim.start('victim');
    const name = [...attacker.cookies.keys()].find((key) => key.endsWith('tollgate_session')) as string;
    victim.cookies.set(name, planted);
    await victim.follow(await callbackOf(authorization, 'victim'));
    expect(victim.session()).not.toBe(planted);
    expect(await victim.member()).toBe(emailOf('victim'));
    expect(await attacker.member()).toBe(emailOf('attacker'));
  });

  it.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
  ])('a sign-in never leads to another site: %j', async (next) => {
    const browser = openBrowser();
    const response = await browser.follow(await callbackOf(await browser.start('victim', next), 'victim'));
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/');
  });

  it('an identity with an unverified email is linked to no member', async () => {
    const browser = openBrowser();
    const authorization = await browser.start('victim');
    addPerson('impostor', { email: team.owner.email, email_verified: false });
    const response = await browser.follow(await callbackOf(authorization, 'impostor'));
    expect(await response.text()).toContain('does not confirm your email');
    expect(browser.session()).toBeNull();
  });

  it('an identity with the verified email of another domain is linked to no member', async () => {
    const browser = openBrowser();
    const authorization = await browser.start('victim');
    addPerson('foreigner', { email: team.owner.email });
    const response = await browser.follow(await callbackOf(authorization, 'foreigner'));
    expect(await response.text()).toContain('not verified for this team');
    expect(browser.session()).toBeNull();
  });

  it('the text of a hostile response is not shown', async () => {
    const browser = openBrowser();
    const { searchParams } = new URL(await browser.start('victim'));
    const query = new URLSearchParams({
      state: searchParams.get('state') as string,
      error: 'Call 555-0100',
      error_description: 'Call 555-0100',
    });
    const text = await (await browser.send(`/sso/callback/${team.id}?${query}`)).text();
    expect(text).toContain('You are not signed in');
    expect(text).not.toContain('rejected the sign-in (Call');
  });

  it.each(['http://169.254.169.254', 'https://169.254.169.254', 'https://[fd00:ec2::254]'])(
    'an owner cannot make Tollgate connect to %s',
    async (issuer) => {
      const hostile = await platform.createTeam();
      const settings = {
        issuer,
        client_id: 'x',
        client_secret: 'x',
        role_claim: null,
        role_rules: [],
        default_role: null,
        is_required: false,
      };
      const owner = platform.admin.as(hostile.owner.session);
      const saved = await owner.call(ADMIN_ROUTES.setSingleSignOn, settings, { ifMatch: '*' });
      const code = issuer.startsWith('http:') ? 'invalid' : 'not-allowed';
      expect(saved.problem).toMatchObject({ status: 400, errors: [{ pointer: '/issuer', code }] });
    },
  );
});
