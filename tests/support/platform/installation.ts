import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDashboardBuild } from '@tollgate/launcher/dashboard-build/dashboard-build';
import type { Secrets } from '@tollgate/launcher/secrets';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { startChildServer } from '@tollgate/test-kit/child-server';
import { apiClient } from '../api-client.ts';
import { report } from '../report.ts';
import type { Platform } from './platform.ts';
import { START_TIMEOUT_MS } from './platform-process.ts';

const PORT_VARIABLES = ['LIVE_PORT', 'SANDBOX_PORT', 'ADMIN_PORT', 'DASHBOARD_PORT'];

/** A platform on one machine with a data folder, as `npm start` and the all-in-one container run it. */
export interface Installation extends Pick<Platform, 'secrets' | 'urls'> {
  sandbox: { baseUrl: string; apiKey: string };
  stop(): Promise<void>;
}

interface Quickstart {
  sandbox: { base_url: string; api_key: string };
  mongodb_url: string;
  nats_url: string;
}

export async function startInstallation(dataDir: string): Promise<Installation> {
  const buildLog = join(dataDir, '..', 'dashboard-build.log');
  await ensureDashboardBuild({ checkoutDir: CHECKOUT_DIR, logPath: buildLog, say: report });
  const ports = await findFreePorts(PORT_VARIABLES.length);
  const readJson = (name: string) => JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
  rmSync(join(dataDir, 'quickstart.json'), { force: true });
  const { stop } = await startChildServer({
    name: 'npm start',
    command: process.execPath,
    args: [join(CHECKOUT_DIR, 'packages/launcher/src/main.ts')],
    env: {
      ...process.env,
      TOLLGATE_PREBUILT: 'true',
      TOLLGATE_DATA_DIR: dataDir,
      ...Object.fromEntries(PORT_VARIABLES.map((name, index) => [name, String(ports[index])])),
    },
    async isReady() {
      return existsSync(join(dataDir, 'quickstart.json')) && acceptsKey(readJson('quickstart.json'));
    },
    timeoutMs: START_TIMEOUT_MS,
  });
  const { sandbox, mongodb_url, nats_url }: Quickstart = readJson('quickstart.json');
  const secrets: Secrets = readJson('secrets.json');
  return {
    sandbox: { baseUrl: sandbox.base_url, apiKey: sandbox.api_key },
    secrets,
    urls: {
      mongodbUrlOf: (service) => withUser(mongodb_url, service, secrets.mongodbPasswords[service]),
      natsUrlOf: (name) => withUser(nats_url, name, secrets.natsPasswords[name]),
    },
    stop,
  };
}

async function acceptsKey({ sandbox }: Quickstart): Promise<boolean> {
  const { status } = await apiClient(sandbox.base_url, sandbox.api_key).read('none');
  return status === 404;
}

function withUser(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  return url.href;
}
