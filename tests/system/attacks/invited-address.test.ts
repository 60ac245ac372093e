import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminCaller } from '../../support/platform/admin-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

const ATTACKERS_PASSWORD = 'the password of the attacker';
const VICTIMS_PASSWORD = 'the password of the victim';

let platform: SharedPlatform;
let attacker: AdminCaller;
let attackersTeam: string;
let other: AdminCaller;
let othersTeam: string;
/** The address of a person whom the attacker invites. */
let email: string;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  const [one, two] = [await platform.createTeam(), await platform.createTeam()];
  [attackersTeam, othersTeam] = [one.id, two.id];
  [attacker, other] = [platform.admin.as(one.owner.session), platform.admin.as(two.owner.session)];
});
afterAll(() => platform?.leave());

async function invite(owner: AdminCaller): Promise<string> {
  const { status, body } = await owner.call(ADMIN_ROUTES.createInvitation, { email, role: 'viewer' });
  expect(status).toBe(201);
  return body.token as string;
}

const accept = (token: string, password: string) =>
  platform.admin.as(null).call(ADMIN_ROUTES.acceptInvitation, { token, name: 'Victim', password });

/** The team in which the password opens an account of the address; null when it opens none. */
async function teamOf(password: string): Promise<string | null> {
  const signedIn = await platform.admin.as(null).call(ADMIN_ROUTES.signIn, { email, password });
  if (signedIn.status !== 201) return null;
  const { body } = await platform.admin.as(signedIn.body.token).call(ADMIN_ROUTES.getMe, {});
  return body.team.id;
}

describe('accepting an invitation of a stranger in their place', () => {
  beforeEach(async () => {
    email = `victim-${randomUUID()}@example.com`;
    expect((await accept(await invite(attacker), ATTACKERS_PASSWORD)).status).toBe(201);
  });

  it('accepting an invitation of a stranger in their place does not keep another team from inviting the person', async () => {
    expect((await accept(await invite(other), VICTIMS_PASSWORD)).status).toBe(201);
    expect(await teamOf(VICTIMS_PASSWORD)).toBe(othersTeam);
  });

  it('accepting an invitation of a stranger in their place gives no access to another team that invites the person', async () => {
    const link = await invite(other);
    expect(await teamOf(ATTACKERS_PASSWORD)).toBe(attackersTeam);
    expect((await accept(link, VICTIMS_PASSWORD)).status).toBe(201);
    expect(await teamOf(ATTACKERS_PASSWORD)).toBe(attackersTeam);
    expect((await accept(link, ATTACKERS_PASSWORD)).problem).toMatchObject({ code: 'not-found' });
  });

  it('accepting an invitation of a stranger in their place does not show the attacker that another team has invited the person', async () => {
    await accept(await invite(other), VICTIMS_PASSWORD);
    const { body } = await attacker.call(ADMIN_ROUTES.listMembers, {});
    expect(body.data.filter((member) => member.email === email)).toHaveLength(1);
    expect((await other.call(ADMIN_ROUTES.listMembers, {})).body.data).toContainEqual(
      expect.objectContaining({ email }),
    );
  });
});
