import { setTimeout as wait } from 'node:timers/promises';
import { SECOND_MS } from '@tollgate/contracts/durations';
import { send } from '../api/admin-api.ts';
import { UsageError } from '../command.ts';

/** Addresses of an installation, as its dashboard publishes them. */
export interface Installation {
  admin_api_url: string;
  live_api_url: string;
  sandbox_api_url: string;
  device_verification_url: string;
}

/** What the person confirms in the dashboard. */
export interface DeviceAuthorization {
  device_code: string;
  user_code: string;
  expires_in: number;
  interval: number;
}

/** The state of the confirmation, with the names of RFC 8628. */
type TokenResponse =
  | { status: 'authorization_pending' | 'slow_down'; interval: number }
  | { status: 'access_denied' | 'expired_token' }
  | { status: 'approved'; token: string; team: { id: string; name: string } };

const ENDED = {
  access_denied: 'The login was rejected in the dashboard.',
  expired_token: 'The code has expired. Run tollgate login again.',
};

export type Approval = Extract<TokenResponse, { status: 'approved' }>;

export function findInstallation(dashboardUrl: URL): Promise<Installation> {
  return send(new URL('/.well-known/tollgate', dashboardUrl), {
    redirect: 'error',
    signal: AbortSignal.timeout(10 * SECOND_MS),
  });
}

export function requestAuthorization(
  { admin_api_url }: Installation,
  clientName: string,
): Promise<DeviceAuthorization> {
  return post(admin_api_url, '/admin/v1/device-authorizations', { client_name: clientName });
}

/**
 * Waits until the person has confirmed the code.
 *
 * @throws UsageError if they rejected it, or it expired
 */
export async function awaitApproval(
  { admin_api_url }: Installation,
  { device_code, interval }: DeviceAuthorization,
  signal: AbortSignal,
): Promise<Approval> {
  let intervalS = interval;
  for (;;) {
    await wait(intervalS * SECOND_MS, null, { signal });
    const response = await post<TokenResponse>(admin_api_url, '/admin/v1/device-authorizations/token', {
      device_code,
    });
    if (response.status === 'approved') return response;
    if (!('interval' in response)) throw new UsageError(ENDED[response.status]);
    intervalS = response.interval;
  }
}

function post<Response>(baseUrl: string, path: string, body: object): Promise<Response> {
  return send(new URL(path, baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(30 * SECOND_MS),
  });
}
