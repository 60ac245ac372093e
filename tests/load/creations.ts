import { apiClient } from '../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../support/platform/platform.ts';
import { CREATE_BODY, measure, pidOf, type Target } from './measure.ts';

/** A platform whose gateway, payments, and store create payments. */
export interface CreatingPlatform {
  platform: Platform;
  /** Creates payments through the gateway as fast as they are acknowledged, and returns their number per second. */
  create(seconds: number): Promise<number>;
}

/**
 * Starts a platform and creates a first payment. Consumers of the events are stopped: a response does not wait for
 * them, and they would use the same two cores.
 */
export async function startCreatingPlatform(): Promise<CreatingPlatform> {
  const platform = await startPlatform({ gatewayLogLevel: 'info', paymentsEnv: { LOG_LEVEL: 'info' } });
  try {
    const application = await platform.createApplication();
    await apiClient(platform.baseUrl.sandbox, application.keys.sandbox).create(JSON.parse(CREATE_BODY));
    const { webhooks, usage, audit } = platform.processes;
    await Promise.all([webhooks, usage, audit].map((consumer) => consumer.stop()));
    const target = targetOf(platform, application);
    return {
      platform,
      async create(seconds) {
        const { requestsPerSecond } = await measure({
          target,
          method: 'POST',
          path: '/v1/payments',
          until: { seconds },
        });
        return requestsPerSecond;
      },
    };
  } catch (error) {
    await platform.stop();
    throw error;
  }
}

function targetOf({ processes, baseUrl }: Platform, { keys }: TestApplication): Target {
  return {
    name: 'gateway',
    url: baseUrl.sandbox,
    pid: pidOf(processes.gateway),
    headers: { authorization: `Bearer ${keys.sandbox}` },
  };
}
