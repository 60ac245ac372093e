import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import { DEVICE_AUTHORIZATION } from '@tollgate/contracts/accounts/device-authorization';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import {
  AUDITED_FIELDS,
  nullableDate,
  nullableShape,
  nullableText,
  RECORD_OPTIONS,
} from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';

interface Denial {
  status: 'denied';
  team_id: string;
  member_id: string;
}

export interface Approval {
  status: 'approved';
  team_id: string;
  member_id: string;
  /** The session in which the member approved. */
  session_id: string;
  /** The member's `session_epoch` when they approved. */
  session_epoch: number;
  role: ApiTokenRole;
  /** Null: both. */
  environments: Environment[] | null;
  /** Reserved for the API token. */
  token_id: string;
  /** When the program exchanged its device code, which works once; null until then. */
  exchanged_at: Date | null;
}

/** What a member decided about a login. */
export type LoginDecision = Denial | Approval;

const definition = {
  /** SHA-256 of the device code, hex. */
  _id: { type: String, required: true },
  /** Without the dash. */
  user_code: { type: String, required: true },
  client_name: { type: String, required: true },
  /** IP address of the program. */
  address: nullableText(),
  created_at: AUDITED_FIELDS.created_at,
  expires_at: { type: Date, required: true },
  /** Shortest time between two polls. */
  interval_s: { type: Number, required: true },
  last_polled_at: nullableDate(),
  /** Null until a member decides. */
  decision: nullableShape<LoginDecision>(),
  /** The audit entry of the decision. */
  outbox: AUDITED_FIELDS.outbox,
} as const;

/** A login of a program (RFC 8628), from its first request until some time after its codes expire. */
export type DeviceAuthorization = InferRawDocType<typeof definition>;

export type ApprovedLogin = DeviceAuthorization & { decision: Approval };

export const deviceAuthorizationSchema = new Schema(definition, {
  ...RECORD_OPTIONS,
  collection: 'device_authorizations',
});

export function isApproved(login: DeviceAuthorization): login is ApprovedLogin {
  return login.decision?.status === 'approved';
}

/** A login that a program has not exchanged yet, and that this member approved. */
export function isPendingApproval(login: DeviceAuthorization, { team_id, member_id }: MemberActor): boolean {
  if (!isApproved(login) || login.decision.exchanged_at !== null) return false;
  return login.decision.team_id === team_id && login.decision.member_id === member_id;
}

export function newDeviceAuthorization(
  fields: Pick<DeviceAuthorization, '_id' | 'user_code' | 'client_name' | 'address'>,
  now: Date,
): DeviceAuthorization {
  return {
    ...fields,
    created_at: now,
    expires_at: new Date(now.getTime() + DEVICE_AUTHORIZATION.lifetimeS * SECOND_MS),
    interval_s: DEVICE_AUTHORIZATION.intervalS,
    last_polled_at: null,
    decision: null,
    outbox: [],
  };
}

/** A poll before the decision. One before the interval has passed raises the interval (RFC 8628 §3.5). */
export function polled(login: DeviceAuthorization, now: Date): DeviceAuthorization {
  const slowDownS = isTooEarly(login, now) ? DEVICE_AUTHORIZATION.slowDownS : 0;
  return { ...login, interval_s: login.interval_s + slowDownS, last_polled_at: now };
}

function isTooEarly({ last_polled_at, interval_s }: DeviceAuthorization, now: Date): boolean {
  return last_polled_at !== null && now.getTime() - last_polled_at.getTime() < interval_s * SECOND_MS;
}
