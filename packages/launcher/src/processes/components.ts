import type { ProcessName } from '@tollgate/bus/permissions/process-table';
import type { DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { LOOPBACK_HOSTS } from '@tollgate/contracts/platform/loopback-hosts';
import type { DataPaths } from '../data-dir.ts';
import { publicKeysOf, type Secrets } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import type { ServerUrls } from './servers.ts';

/** An ops listener for each of eight components, and the listener of payments for gateways. */
export const INTERNAL_PORT_COUNT = 9;
/** The largest number that INDEX_AT_START_MAX_DOCUMENTS accepts. */
const UNLIMITED = '1000000000';

/** A part of the platform, which runs in a process of its own or beside the others in one. */
export interface ComponentSpec {
  name: string;
  /** Its entry point as a process of its own, relative to the checkout. */
  main: string;
  /** Its own variables: only the secrets that it reads. */
  env: Record<string, string>;
  opsPort: number;
}

/** Where mails go. Empty: none are sent, or no inbox shows them. */
export interface MailServer {
  smtpUrl: string;
  /** Sender, unless `MAIL_FROM` is set. */
  from: string;
  inboxUrl: string;
}

export interface ComponentOptions {
  settings: Omit<Settings, 'mongodbUrl' | 'natsUrl' | 'topology' | 'inboxPort' | 'smtpUrl'>;
  secrets: Secrets;
  paths: DataPaths;
  urls: ServerUrls;
  mail: MailServer;
  internalPorts: readonly number[];
  /** What every component inherits from the launcher. */
  inherited: Record<string, string>;
}

/** Lists the components on one machine, in start order. Those of a stage start together. */
export function listComponents(options: ComponentOptions): ComponentSpec[][] {
  const { settings, secrets, paths, urls, mail, inherited } = options;
  const internalPorts = [...options.internalPorts];

  const component = (name: string, main: string, env: Record<string, string>): ComponentSpec => {
    const opsPort = internalPorts.pop() ?? 0;
    return { name, main, env: { OPS_PORT: String(opsPort), ...env }, opsPort };
  };
  const live = `http://localhost:${settings.livePort}`;
  const apiUrls = {
    LIVE_API_URL: inherited['LIVE_API_URL'] || live,
    SANDBOX_API_URL: inherited['SANDBOX_API_URL'] || `http://localhost:${settings.sandboxPort}`,
  };
  const docsBaseUrl = { DOCS_BASE_URL: inherited['DOCS_BASE_URL'] || `${live}/docs` };
  const busOf = (name: ProcessName) => ({ NATS_URL: urls.natsUrlOf(name), ...docsBaseUrl });
  const storesOf = (name: DatabaseOwner) => ({
    ...busOf(name),
    MONGODB_URL: urls.mongodbUrlOf(name),
    // Nothing else uses the database, so no other process waits while an index is created.
    INDEX_AT_START_MAX_DOCUMENTS: inherited['INDEX_AT_START_MAX_DOCUMENTS'] || UNLIMITED,
  });
  /** On a developer's machine, receivers, chats, and identity providers run beside the platform. Elsewhere, an operator decides. */
  const allowPrivateNetworks = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, inherited[name] || String(isForDevelopment(settings))]));
  const { API_KEY_PEPPERS, INTERNAL_SIGNING_KEYS, ACTOR_PUBLIC_KEYS, signing } = secrets;
  const SIGNER_PUBLIC_KEYS = publicKeysOf(secrets);
  return [
    [
      component('accounts', 'services/accounts/src/main.ts', {
        ...storesOf('accounts'),
        ACCOUNTS_ENCRYPTION_KEYS: secrets.ACCOUNTS_ENCRYPTION_KEYS,
        ACTOR_SIGNING_KEY: secrets.ACTOR_SIGNING_KEY,
        ACTOR_PUBLIC_KEYS,
        SETUP_TOKEN: secrets.SETUP_TOKEN,
        SIGNING_KEYS: signing.accounts,
        SIGNER_PUBLIC_KEYS,
        DASHBOARD_URL: dashboardUrl(settings, inherited),
        SMTP_URL: mail.smtpUrl,
        MAIL_FROM: inherited['MAIL_FROM'] || mail.from,
        ...allowPrivateNetworks('CHAT_ALLOW_PRIVATE_NETWORKS', 'SSO_ALLOW_PRIVATE_NETWORKS'),
      }),
      component('applications', 'services/applications/src/main.ts', {
        ...storesOf('applications'),
        API_KEY_PEPPERS,
        ACTOR_PUBLIC_KEYS,
        SIGNING_KEYS: signing.applications,
        SIGNER_PUBLIC_KEYS,
      }),
      component('payments', 'services/payments/src/main.ts', {
        ...storesOf('payments'),
        INTERNAL_SIGNING_KEYS,
        ACTOR_PUBLIC_KEYS,
        SIGNING_KEYS: signing.payments,
        SANDBOX_API_URL: apiUrls.SANDBOX_API_URL,
        PORT: String(internalPorts.pop() ?? 0),
      }),
      component('webhooks', 'services/webhooks/src/main.ts', {
        ...storesOf('webhooks'),
        WEBHOOK_ENCRYPTION_KEYS: secrets.WEBHOOK_ENCRYPTION_KEYS,
        ACTOR_PUBLIC_KEYS,
        SIGNING_KEYS: signing.webhooks,
        SIGNER_PUBLIC_KEYS,
        ...allowPrivateNetworks('WEBHOOKS_ALLOW_PRIVATE_NETWORKS'),
      }),
      component('usage', 'services/usage/src/main.ts', {
        ...storesOf('usage'),
        ACTOR_PUBLIC_KEYS,
        SIGNER_PUBLIC_KEYS,
      }),
      component('audit', 'services/audit/src/main.ts', {
        ...storesOf('audit'),
        AUDIT_SIGNING_KEYS: secrets.AUDIT_SIGNING_KEYS,
        ACTOR_PUBLIC_KEYS,
        SIGNER_PUBLIC_KEYS,
      }),
    ],
    [
      component('gateway', 'gateway/src/main.ts', {
        ...busOf('gateway'),
        API_KEY_PEPPERS,
        INTERNAL_SIGNING_KEYS,
        SIGNING_KEYS: signing.gateway,
        SIGNER_PUBLIC_KEYS,
        LIVE_HOST: settings.host,
        SANDBOX_HOST: settings.host,
        ADMIN_HOST: settings.host,
        LIVE_PORT: String(settings.livePort),
        SANDBOX_PORT: String(settings.sandboxPort),
        ADMIN_PORT: String(settings.adminPort),
        ...apiUrls,
        USAGE_SPOOL_DIR: paths.usageSpoolDir,
      }),
    ],
    [
      component('dashboard', 'dashboard/src/server/main.ts', {
        HOST: settings.host,
        PORT: String(settings.dashboardPort),
        ...docsBaseUrl,
        DASHBOARD_URL: dashboardUrl(settings, inherited),
        DEVELOPMENT_INBOX_URL: mail.inboxUrl,
        ADMIN_API_URL: `http://127.0.0.1:${settings.adminPort}`,
        ...apiUrls,
        SESSION_COOKIE_KEYS: secrets.SESSION_COOKIE_KEYS,
      }),
    ],
  ];
}

/** False where others reach the platform: in the image, and on other addresses than loopback. */
function isForDevelopment({ isPrebuilt, host }: ComponentOptions['settings']): boolean {
  return !isPrebuilt && LOOPBACK_HOSTS.includes(host === '::1' ? '[::1]' : host);
}

/** Public URL of the dashboard, which rejects requests for another host. */
export function dashboardUrl(settings: Pick<Settings, 'dashboardPort'>, env: NodeJS.ProcessEnv): string {
  return env['DASHBOARD_URL'] || `http://localhost:${settings.dashboardPort}`;
}
