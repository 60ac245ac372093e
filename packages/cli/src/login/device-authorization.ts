import { setTimeout as wait } from 'node:timers/promises';
import type { RouteReply } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { type AdminApi, send } from '../api/admin-api.ts';
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
  return send(new URL('/.well-known/tollgate', dashboardUrl), {
    redirect: 'error',
    signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
  });
}

/**
 * Waits until a member has confirmed the code.
 *
 * @throws UsageError if a member rejected it, or it expired
 */
export async function awaitApproval(
  api: AdminApi,
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
