import { connectBus } from '@tollgate/bus/connection';
import type { Environment } from '@tollgate/contracts/environment';
import { callWithSession } from '@tollgate/launcher/first-run/member-session';
import { inject } from 'vitest';
import { createTestApplication, type TestApplication } from '../../platform/test-application.ts';
import { createFurtherTeam, type TestMember, type TestTeam } from '../../platform/test-team.ts';

/** The address of the platform that all journeys share, and its installation admin. */
export interface SharedPlatformAddress {
  dashboardUrl: string;
  baseUrl: Record<Environment, string>;
  natsUrl: string;
  owner: Omit<TestMember, 'call'>;
}

export interface SharedPlatform {
  dashboardUrl: string;
  baseUrl: Record<Environment, string>;
  /** The only owner who sees the page that creates further teams. */
  installationAdmin: TestMember;
  createTeam(): Promise<TestTeam>;
  createApplication(team: TestTeam): Promise<TestApplication>;
  leave(): Promise<void>;
}

/** Each journey has its own team: it does not see the others, and must not stop a process. */
export async function joinSharedPlatform(): Promise<SharedPlatform> {
  const { dashboardUrl, baseUrl, natsUrl, owner } = inject('sharedPlatform') as SharedPlatformAddress;
  const bus = await connectBus({ url: natsUrl, name: 'journeys' });
  const installationAdmin = { ...owner, call: callWithSession(bus, owner.session) };
  return {
    dashboardUrl,
    baseUrl,
    installationAdmin,
    createTeam: () => createFurtherTeam(bus, installationAdmin),
    createApplication: ({ id, owner: teamOwner }) => createTestApplication(teamOwner.call, id, baseUrl),
    leave: () => bus.close(),
  };
}
