import Type from 'typebox';
import { Page } from '../../platform/page.ts';
import { PlainText } from '../../platform/plain-text.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { API_TOKEN_LIMITS, API_TOKEN_ROLES } from '../api-token.ts';
import {
  ApprovedDeviceAuthorization,
  DeviceAuthorization,
  DeviceCodeState,
  StartedDeviceAuthorization,
} from '../device-authorization.ts';
import { closed, Nothing, Origin, Token, TokenEnvironments } from './fields.ts';

/** Upper or lower case, with or without the dash. */
const UserCodeRef = { user_code: Type.String({ minLength: 1, maxLength: 32 }) };

/** Takes no idempotency key: an authorization that nobody approves expires. */
export const createDeviceAuthorization = rpc('accounts', 'create_device_authorization', {
  caller: 'service',
  request: Type.Object(
    { client_name: PlainText({ minLength: 1, maxLength: API_TOKEN_LIMITS.name }), ...Origin },
    closed,
  ),
  reply: StartedDeviceAuthorization,
});

/** Takes no idempotency key: a device code is exchanged once. */
export const exchangeDeviceCode = rpc('accounts', 'exchange_device_code', {
  caller: 'service',
  request: Type.Object({ device_code: Token, ...Origin }, closed),
  reply: DeviceCodeState,
});

/** The logins that the member approved and whose programs have not fetched their token yet, newest first. */
export const listDeviceAuthorizations = rpc('accounts', 'list_device_authorizations', {
  caller: 'member',
  request: Nothing,
  reply: Page(ApprovedDeviceAuthorization),
});

export const getDeviceAuthorization = rpc('accounts', 'get_device_authorization', {
  caller: 'member',
  request: Type.Object(UserCodeRef, closed),
  reply: DeviceAuthorization,
});

export const approveDeviceAuthorization = rpc('accounts', 'approve_device_authorization', {
  caller: 'member',
  request: Type.Object(
    {
      ...UserCodeRef,
      role: Type.Enum(API_TOKEN_ROLES),
      /** Absent or null: both. */
      environments: TokenEnvironments,
    },
    closed,
  ),
  reply: Nothing,
});

export const denyDeviceAuthorization = rpc('accounts', 'deny_device_authorization', {
  caller: 'member',
  request: Type.Object(UserCodeRef, closed),
  reply: Nothing,
});
