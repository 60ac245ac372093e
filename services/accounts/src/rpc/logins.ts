import { type Handlers, nothing } from '@tollgate/bus/rpc';
import { API_TOKEN_LIMITS } from '@tollgate/contracts/accounts/api-token';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { findPendingApprovals } from '../logins/approvals.ts';
import { createDeviceAuthorization } from '../logins/create-device-authorization.ts';
import { approveLogin, denyLogin } from '../logins/decide-login.ts';
import { exchangeDeviceCode } from '../logins/exchange-device-code.ts';
import { findUndecided } from '../logins/find-device-authorization.ts';
import { approvedLoginToWire, deviceAuthorizationToWire, exchangedCodeToWire } from './wire.ts';

/** Logins of programs: the first two methods for the program, the others for the member who decides. */
export function loginHandlers(context: Context) {
  return {
    createDeviceAuthorization: (request) => createDeviceAuthorization(context, request),
    exchangeDeviceCode: async (request, { requestId }) =>
      exchangedCodeToWire(await exchangeDeviceCode(context, { ...request, request_id: requestId })),
    async listDeviceAuthorizations(_request, { actor }) {
      const { member } = await findActingMember(context, actor);
      const pending = await findPendingApprovals(context, member);
      const listed = pending.slice(0, API_TOKEN_LIMITS.activeLoginTokensPerMember);
      return wholeList(listed.map(approvedLoginToWire));
    },
    async getDeviceAuthorization({ user_code }, { actor }) {
      await findActingMember(context, actor);
      return deviceAuthorizationToWire(await findUndecided(context, actor, user_code));
    },
    approveDeviceAuthorization: (request, { actor }) => nothing(approveLogin(context, actor, request)),
    denyDeviceAuthorization: (request, { actor }) => nothing(denyLogin(context, actor, request)),
  } satisfies Partial<Handlers<typeof contract>>;
}
