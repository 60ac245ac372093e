import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import { DEVICE_AUTHORIZATION } from '@tollgate/contracts/accounts/device-authorization';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';

/** What a member decided about a login. */
export type LoginDecision =
  | { readonly status: 'denied'; readonly teamId: string; readonly memberId: string }
  | Approval;

export interface Approval {
  readonly status: 'approved';
  readonly teamId: string;
  readonly memberId: string;
  /** The session in which the member approved. */
  readonly sessionId: string;
  /** The member's `sessionEpoch` when they approved. */
  readonly sessionEpoch: number;
  readonly role: ApiTokenRole;
  /** Null: both. */
  readonly environments: readonly Environment[] | null;
  /** Reserved for the API token. */
  readonly tokenId: string;
  /** When the program exchanged its device code, which works once; null until then. */
  readonly exchangedAt: Date | null;
}

/** A login of a program (RFC 8628), from its first request until some time after its codes expire. */
export interface DeviceAuthorization {
  /** SHA-256 of the device code, hex. */
  readonly deviceCodeDigest: string;
  /** Without the dash. */
  readonly userCode: string;
  readonly clientName: string;
  /** IP address of the program. */
  readonly address: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Shortest time between two polls. */
  readonly intervalS: number;
  readonly lastPolledAt: Date | null;
  /** Null until a member decides. */
  readonly decision: LoginDecision | null;
}

export type ApprovedLogin = DeviceAuthorization & { readonly decision: Approval };

/** A login that a program has not exchanged yet, and that this member approved. */
export function isPendingApproval(
  { decision }: DeviceAuthorization,
  { team_id, member_id }: Pick<MemberActor, 'team_id' | 'member_id'>,
): boolean {
  if (decision?.status !== 'approved' || decision.exchangedAt !== null) return false;
  return decision.teamId === team_id && decision.memberId === member_id;
}

export function newDeviceAuthorization(
  fields: Pick<DeviceAuthorization, 'deviceCodeDigest' | 'userCode' | 'clientName' | 'address'>,
  now: Date,
): DeviceAuthorization {
  return {
    ...fields,
    createdAt: now,
    expiresAt: new Date(now.getTime() + DEVICE_AUTHORIZATION.lifetimeS * SECOND_MS),
    intervalS: DEVICE_AUTHORIZATION.intervalS,
    lastPolledAt: null,
    decision: null,
  };
}

/** A poll before the decision. One before the interval has passed raises the interval (RFC 8628 §3.5). */
export function polled(authorization: DeviceAuthorization, now: Date): DeviceAuthorization {
  const intervalS =
    authorization.intervalS + (isTooEarly(authorization, now) ? DEVICE_AUTHORIZATION.slowDownS : 0);
  return { ...authorization, intervalS, lastPolledAt: now };
}

function isTooEarly({ lastPolledAt, intervalS }: DeviceAuthorization, now: Date): boolean {
  return lastPolledAt !== null && now.getTime() - lastPolledAt.getTime() < intervalS * SECOND_MS;
}
