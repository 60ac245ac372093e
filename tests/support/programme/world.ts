import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { createKey } from '@tollgate/contracts/applications/rpc';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { type Platform, startPlatform, type TestApplication, type TestTeam } from '../platform/platform.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../platform/webhook-receiver.ts';
import type { HistoryIntegration } from './history.ts';
import { type AcmeProcessor, startAcmeProcessor } from './processor/acme-processor.ts';

const TEAMS = 2;
const APPLICATIONS_PER_TEAM = 2;
/** Each of so many first deliveries gets a 503, and arrives again after about five seconds. */
const REJECT_EVERY = 50;
/** That of a gateway without the variable. */
const DEFAULT_STALENESS_MS = 15 * MINUTE_MS;
/** Receivers respond after up to this time, so that requests are in flight at any time. */
const MAX_RESPONSE_DELAY_MS = 40;

/** An application in one environment, with a key of the driver and, in the sandbox, an endpoint. */
export interface Integration extends HistoryIntegration {
  team: TestTeam;
  key: { id: string; secret: string };
}

/** The platform of a run, and everything around it. */
export interface World {
  platform: Platform;
  integrations: readonly Integration[];
  receiver: WebhookReceiver;
  processor: AcmeProcessor;
  principalsMaxStalenessMs: number;
  maxClockErrorMs: number;
  /** ISO time before the first payment, also by a clock that is wrong. */
  since: string;
  /** Addresses for the request with this index. */
  addressesFor(index: number): { baseUrl: Record<Environment, string>; adminUrl: string };
  stop(): Promise<void>;
}

export interface WorldOptions {
  platform?: Parameters<typeof startPlatform>[0];
  /** After so long without a confirmation by NATS, gateways trust no key. */
  principalsMaxStalenessMs?: number;
  /** The error that faults add to the clock of a process. */
  maxClockErrorMs?: number;
  /** The URL at which payments reaches the adapter, for a proxy between them. */
  advertiseAdapter?: (adapterUrl: string) => Promise<string>;
  /** The URL at which clients reach a listener of a gateway, for a proxy between them. */
  advertiseGateway?: (gatewayUrl: string) => Promise<string>;
}

/** Starts a platform with two teams of two applications each, receivers, and a processor with its adapter. */
export async function startWorld({
  platform: platformOptions = {},
  principalsMaxStalenessMs = DEFAULT_STALENESS_MS,
  maxClockErrorMs = 0,
  advertiseAdapter = async (url) => url,
  advertiseGateway = async (url) => url,
}: WorldOptions = {}): Promise<World> {
  const since = new Date(Date.now() - maxClockErrorMs - MINUTE_MS).toISOString();
  const processor = await startAcmeProcessor(advertiseAdapter);
  const receiver = await startWebhookReceiver({ respond: unreliably() });
  const paymentsEnv = { ...processor.paymentsEnv, ...platformOptions.paymentsEnv };
  const env = { PRINCIPALS_MAX_STALENESS: `${principalsMaxStalenessMs}ms`, ...platformOptions.env };
  const platform = await startPlatform({ ...platformOptions, paymentsEnv, paymentsEnvOf, env });
  async function stop(): Promise<void> {
    await platform.stop();
    await processor.stop();
    await receiver.close();
  }
  try {
    const integrations = await createIntegrations(platform, receiver);
    const addresses = await Promise.all(
      platform.gateways.map(async ({ baseUrl, adminUrl }) => ({
        baseUrl: {
          live: await advertiseGateway(baseUrl.live),
          sandbox: await advertiseGateway(baseUrl.sandbox),
        },
        adminUrl: await advertiseGateway(adminUrl),
      })),
    );
    return {
      platform,
      integrations,
      receiver,
      processor,
      principalsMaxStalenessMs,
      maxClockErrorMs,
      since,
      addressesFor: (index) => addresses[index % addresses.length] as (typeof addresses)[number],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The adapter calls the first instance; the others need a port of their own. */
async function paymentsEnvOf(index: number): Promise<Record<string, string>> {
  return index === 0 ? {} : { CALLBACK_PORT: String(await findFreePort()) };
}

async function createIntegrations(platform: Platform, receiver: WebhookReceiver): Promise<Integration[]> {
  const integrations: Integration[] = [];
  for (let index = 0; index < TEAMS; index += 1) {
    const team = index === 0 ? platform.team : await platform.createTeam();
    for (let count = 0; count < APPLICATIONS_PER_TEAM; count += 1) {
      const application = await platform.createApplication(team);
      for (const environment of ENVIRONMENTS) {
        integrations.push(await createIntegration(platform, team, application, environment, receiver));
      }
    }
  }
  return integrations;
}

async function createIntegration(
  platform: Platform,
  team: TestTeam,
  { id: application_id }: TestApplication,
  environment: Environment,
  receiver: WebhookReceiver,
): Promise<Integration> {
  const { id, secret } = await team.owner.call(createKey, { application_id, name: 'driver', environment });
  const integration = {
    team,
    teamId: team.id,
    applicationId: application_id,
    environment,
    key: { id, secret: shownOnce(secret) },
  };
  if (environment === 'live') return { ...integration, endpoint: null };
  const path = `/hooks/${application_id}`;
  const { body } = await platform.admin.as(team.owner.session).call(ADMIN_ROUTES.createEndpoint, {
    application_id,
    environment,
    url: new URL(path, receiver.url).href,
    event_types: [...PAYMENT_EVENT_TYPES],
  });
  return { ...integration, endpoint: { id: body.id, path, secret: shownOnce(body.secret) } };
}

/** Slow at times, and rejects some deliveries once. */
function unreliably(): WebhookReceiver['respond'] {
  const seen = new Set<string>();
  return ({ id }) => {
    const isFirst = !seen.has(id);
    seen.add(id);
    const delayMs = seen.size % MAX_RESPONSE_DELAY_MS;
    return isFirst && seen.size % REJECT_EVERY === 0 ? { status: 503, delayMs } : { delayMs };
  };
}
