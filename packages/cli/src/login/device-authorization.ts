import { setTimeout as wait } from 'node:timers/promises';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { RouteReply } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { createApiClient } from '../api/api-client.ts';
import { UsageError } from '../command.ts';

const DISCOVERY_TIMEOUT_MS = 10 * SECOND_MS;

/** Addresses of an installation, as its dashboard publishes them. */
export interface Installation {
  admin_api_url: string;
  live_api_url: string;
  sandbox_api_url: string;
  device_verification_url: string;
}

export type DeviceAuthorization = RouteReply<typeof ADMIN_ROUTES.createDeviceAuthorization>;
type TokenResponse = RouteReply<typeof ADMIN_ROUTES.exchangeDeviceCode>;
export type Approval = Required<Pick<TokenResponse, 'token' | 'team'>>;

const ENDED: Partial<Record<TokenResponse['status'], string>> = {
  access_denied: 'The login was rejected in the dashboard.',
  expired_token: 'The code has expired. Run tollgate login again.',
};

export function findInstallation(dashboardUrl: URL): Promise<Installation> {
  return createApiClient(dashboardUrl.origin, null, DISCOVERY_TIMEOUT_MS).read('/.well-known/tollgate');
}

/**
 * Waits until a member has confirmed the code.
 *
 * @throws UsageError if a member rejected it, or it expired
 */
export async function awaitApproval(
  api: AdminClient,
  { device_code, interval }: DeviceAuthorization,
  signal: AbortSignal,
): Promise<Approval> {
  let intervalS = interval;
  for (;;) {
    await wait(intervalS * SECOND_MS, null, { signal });
    const response: TokenResponse = await api.call(ADMIN_ROUTES.exchangeDeviceCode, { device_code });
    const { status, token, team } = response;
    if (token && team) return { token, team };
    if (ENDED[status]) throw new UsageError(ENDED[status]);
    intervalS = response.interval ?? interval;
  }
}
