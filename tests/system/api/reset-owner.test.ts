import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';
import { runTollgate } from '../../support/platform/run-tollgate.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

const NEW_PASSWORD = 'a password that nobody forgets';

let platform: SharedPlatform;

beforeAll(async () => {
  platform = await joinSharedPlatform();
});
afterAll(() => platform?.leave());

const resetOwner = (...args: string[]) =>
  runTollgate(['reset-owner', ...args], {
    PATH: process.env['PATH'],
    NATS_URL: platform.natsUrl,
    DASHBOARD_URL: 'https://pay.example.com',
  });

/** Output with the values that differ between runs replaced with those of the guide. */
function asInGuide(out: string): string {
  return out
    .replace(/(Team: +).*/, '$1Example Ltd')
    .replace(/https:.*/, 'http://localhost:3000/reset/…')
    .replace(/until .*/, 'until 2026-11-27T13:00:00.000Z.');
}

it('tollgate reset-owner is called, and prints, as in the guide', async () => {
  const [command = '', printed = ''] = codeBlocksOf('operating/reset-an-owner').map(({ code }) => code);
  const { owner } = await platform.createTeam();
  const args = /tollgate reset-owner (.*)/.exec(command)?.[1]?.replace('ada@example.com', owner.email);
  const { out } = await resetOwner(...(args?.split(' ') ?? []));
  expect(asInGuide(out)).toBe(printed);
});

it('tollgate reset-owner lets an owner who cannot sign in set a password, and the audit log names the operator', async () => {
  const { owner } = await platform.createTeam();
  const { code, out, err } = await resetOwner(owner.email);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const token = /https:\/\/pay\.example\.com\/reset\/(\S+)/.exec(out)?.[1] ?? '';

  const reset = await platform.admin
    .as(null)
    .call(ADMIN_ROUTES.resetPassword, { token, password: NEW_PASSWORD });
  expect(reset.problem).toBeNull();
  const session = await platform.signIn(owner.email, NEW_PASSWORD);
  const records = async () => {
    const query = { action: 'member.reset_link_created' as const };
    return (await platform.admin.as(session).call(ADMIN_ROUTES.listRecords, query)).body.data;
  };
  await eventually('the record is in the log', async () => (await records()).length > 0);
  const [record] = await records();
  expect(record).toMatchObject({
    actor: { type: 'system', id: null, name: 'Operator' },
    target: { type: 'member', id: owner.id },
  });
});

it('tollgate reset-owner names no team of an email that no owner has', async () => {
  expect(await resetOwner('nobody@example.com')).toEqual({
    code: 1,
    out: '',
    err: 'No owner of a team has the email "nobody@example.com".\n',
  });
});
