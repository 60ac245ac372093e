import { startMailInbox } from '@tollgate/local-servers/mail-inbox/start-mail-inbox';
import type { TestProject } from 'vitest/node';
import { type Platform, startPlatform } from './platform.ts';
import { generateScannerKey } from './secret-scanner.ts';
import type { SharedPlatformDetails } from './shared-platform.ts';

/** Starts the platform that the test files share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scanner = generateScannerKey();
  const isAllInOne = process.env['TEST_TOPOLOGY'] === 'all-in-one';
  const inbox = await startMailInbox({ smtp: 0, http: 0 });
  const platform = await startPlatform({
    topology: isAllInOne ? 'all-in-one' : 'separate',
    dashboard: true,
    env: {
      SMTP_URL: inbox.smtpUrl,
      MAIL_FROM: 'Tollgate <tollgate@example.com>',
      DEVELOPMENT_INBOX_URL: inbox.url,
    },
    instances: { payments: isAllInOne ? 1 : 2 },
    gatewayEnvs: [
      {
        SECRET_SCANNING_PUBLIC_KEYS: scanner.configuration,
        // A test reads every page of the dashboard as one member, faster than a person could.
        ADMIN_MEMBER_RATE_LIMIT: '1000/10000',
        ADMIN_TEAM_RATE_LIMIT: '1000/10000',
      },
    ],
  });
  const { baseUrl, docsBaseUrl, adminUrl, dashboardUrl, setupToken, infra } = platform;
  // Omits the function, which cannot be serialized for the test processes.
  const { call: _, ...installationAdmin } = platform.owner;
  project.provide('sharedPlatform', {
    baseUrl,
    docsBaseUrl,
    adminUrl,
    dashboardUrl,
    inboxUrl: inbox.secretUrl,
    setupToken,
    natsUrl: infra.natsUrl,
    mongodbUrl: infra.mongodbUrl,
    opsUrls: opsUrlsOf(platform.processes),
    signing: platform.signing,
    paymentsUrl: platform.paymentsUrl,
    internalSigningKeys: platform.internalSigningKeys,
    pids: platform.pids().filter((pid) => pid !== null),
    installationAdmin,
    scannerPrivateKey: scanner.privateKey,
  });
  return async () => {
    await platform.stop();
    await inbox.stop();
  };
}

function opsUrlsOf(processes: Platform['processes']): SharedPlatformDetails['opsUrls'] {
  const { accounts, applications, payments, webhooks, usage, audit, gateway, dashboard } = processes;
  if (dashboard === undefined) throw new Error('The shared platform has a dashboard.');
  return {
    accounts: accounts.opsUrl,
    applications: applications.opsUrl,
    payments: payments.opsUrl,
    webhooks: webhooks.opsUrl,
    usage: usage.opsUrl,
    audit: audit.opsUrl,
    gateway: gateway.opsUrl,
    dashboard: dashboard.opsUrl,
  };
}
