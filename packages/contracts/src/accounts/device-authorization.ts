import Type, { type Static } from 'typebox';
import { DAY_MS } from '../platform/durations.ts';
import { EnvironmentSchema, Nullable, Time } from '../platform/schema.ts';
import { API_TOKEN_ROLES, OwnApiToken } from './api-token.ts';

/** RFC 8628: a program without a browser asks for an API token, and a member approves it in the dashboard. */
export const DEVICE_AUTHORIZATION = {
  /** Enough to sign in with a second factor and to compare the code; short for someone who guesses codes. */
  lifetimeS: 600,
  /** RFC 8628 §3.2: the default of clients. */
  intervalS: 5,
  /** RFC 8628 §3.5: each `slow_down` raises the interval by this. */
  slowDownS: 5,
} as const;

/** An API token of a login expires after this: a forgotten laptop loses its access by itself. */
export const LOGIN_TOKEN_LIFETIME_MS = 90 * DAY_MS;

/** Names of RFC 8628 §3.5, and `approved` for the response with the token. */
export const DEVICE_CODE_STATUSES = [
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'approved',
] as const;
export type DeviceCodeStatus = (typeof DEVICE_CODE_STATUSES)[number];

/** Returned to the program that starts the authorization, and only there. */
export const StartedDeviceAuthorization = Type.Object({
  device_code: Type.String({ description: 'Secret of the program, which exchanges it for the API token' }),
  user_code: Type.String({ description: 'The code that the member compares and approves: `BCDF-GHJK`' }),
  expires_in: Type.Integer({ minimum: 1, description: 'Lifetime of both codes in seconds' }),
  interval: Type.Integer({ minimum: 1, description: 'Shortest time between two polls in seconds' }),
});
export type StartedDeviceAuthorization = Static<typeof StartedDeviceAuthorization>;

/** The state of a device code. `token`, `api_token`, and `team` are present if it is `approved`, else `interval`. */
export const DeviceCodeState = Type.Object({
  status: Type.Enum(DEVICE_CODE_STATUSES),
  interval: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Shortest time before the next poll in seconds' }),
  ),
  token: Type.Optional(Type.String({ description: 'Credential of the new API token; returned once' })),
  ...Type.Partial(OwnApiToken).properties,
});
export type DeviceCodeState = Static<typeof DeviceCodeState>;

export const DeviceAuthorization = Type.Object({
  user_code: Type.String(),
  client_name: Type.String({ description: 'The name that the program gives itself; not verified' }),
  address: Nullable(Type.String(), 'IP address of the program; null if unknown'),
  requested_at: Time,
  expires_at: Time,
});
export type DeviceAuthorization = Static<typeof DeviceAuthorization>;

/** A login that a member approved and whose program has not fetched its token yet. */
export const ApprovedDeviceAuthorization = Type.Object({
  ...DeviceAuthorization.properties,
  role: Type.Enum(API_TOKEN_ROLES, { description: 'Role that the token will have' }),
  environments: Nullable(
    Type.Array(EnvironmentSchema),
    'Environments that the token will be limited to; null for both',
  ),
});
export type ApprovedDeviceAuthorization = Static<typeof ApprovedDeviceAuthorization>;
