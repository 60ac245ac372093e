import { connectBus } from '@tollgate/bus/connection';
import { callWithSession, startMemberSession } from '@tollgate/launcher/first-run/member-session';
import type { ReceivedMail } from '@tollgate/local-servers/mail-inbox/received-mail';
import { inject } from 'vitest';
import { adminClient } from './admin-client.ts';
import type { Platform } from './platform.ts';
import type { ProcessName } from './platform-process.ts';
import { createTestApplication, type TestApplication } from './test-application.ts';
import { createFurtherTeam, type TestMember, type TestTeam } from './test-team.ts';

type Addresses = Pick<Platform, 'baseUrl' | 'docsBaseUrl' | 'adminUrl' | 'dashboardUrl' | 'setupToken'>;

/** What a test process needs to know to join the platform: values that can be serialized. */
export interface SharedPlatformDetails extends Addresses {
  /** Opens the page with the mails of the platform, with its secret. */
  inboxUrl: string;
  natsUrl: string;
  mongodbUrl: string;
  /** Addresses of the health and metrics of each process, of its first instance. */
  opsUrls: Record<ProcessName, string>;
  /** Signing keys of each issuer, with which a test acts as a service. */
  signing: Platform['signing'];
  /** Address of the first instance of payments, for requests that bypass the gateway. */
  paymentsUrl: string;
  /** Keys with which the gateway signs these requests. */
  internalSigningKeys: string;
  pids: number[];
  installationAdmin: Omit<TestMember, 'call'>;
  /** Signs alerts of a secret scanner. */
  scannerPrivateKey: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    sharedPlatform: SharedPlatformDetails;
  }
}

/** The platform that test files share, with a dashboard and two instances of payments. */
export interface SharedPlatform
  extends Addresses,
    Pick<SharedPlatformDetails, 'inboxUrl' | 'natsUrl' | 'mongodbUrl' | 'opsUrls'>,
    Pick<SharedPlatformDetails, 'signing' | 'paymentsUrl' | 'internalSigningKeys'>,
    Pick<Platform, 'admin' | 'signIn'> {
  /** Ids of all processes of the platform. */
  pids: number[];
  /** The only owner who may create further teams. */
  installationAdmin: TestMember;
  /** Signs alerts of a secret scanner. */
  scannerPrivateKey: string;
  createTeam(): Promise<TestTeam>;
  createApplication(team: TestTeam): Promise<TestApplication>;
  /** The newest mail first. */
  listMails(): Promise<ReceivedMail[]>;
  leave(): Promise<void>;
}

/** Each test file has teams of its own: it does not see the others, and must not stop a process. */
export async function joinSharedPlatform(): Promise<SharedPlatform> {
  const details = inject('sharedPlatform');
  const bus = await connectBus({ url: details.natsUrl, name: 'tests' });
  const installationAdmin = {
    ...details.installationAdmin,
    call: callWithSession(bus, details.installationAdmin.session),
  };
  return {
    ...details,
    installationAdmin,
    admin: adminClient(details.adminUrl),
    signIn: async (email, password) => (await startMemberSession(bus, { email, password })).token,
    createTeam: () => createFurtherTeam(bus, installationAdmin),
    createApplication: ({ id, owner }) => createTestApplication(owner.call, id, details.baseUrl),
    listMails: async () => {
      const response = await fetch(details.inboxUrl.replace('?', 'mails.json?'));
      return (await response.json()) as ReceivedMail[];
    },
    leave: () => bus.close(),
  };
}
