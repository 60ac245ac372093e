import type { Handlers } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { createDeviceAuthorization } from '../logins/create-device-authorization.ts';
import { approveLogin, denyLogin } from '../logins/decide-login.ts';
import { exchangeDeviceCode } from '../logins/exchange-device-code.ts';
import { findUndecided } from '../logins/find-device-authorization.ts';
import { listApprovals } from '../logins/list-approvals.ts';
import { approvedLoginToWire, deviceAuthorizationToWire, exchangedCodeToWire } from './wire.ts';

/** Logins of programs: the first two methods for the program, the others for the member who decides. */
export function loginHandlers(context: Context) {
  return {
    createDeviceAuthorization: async ({ client_name: clientName, address }) => {
      const started = await createDeviceAuthorization(context, { clientName, address });
      return {
        device_code: started.deviceCode,
        user_code: started.userCode,
        expires_in: started.expiresInS,
        interval: started.intervalS,
      };
    },
    exchangeDeviceCode: async (
      { device_code: deviceCode, address, user_agent: userAgent },
      { requestId },
    ) => {
      const exchanged = await exchangeDeviceCode(context, {
        deviceCode,
        address,
        user_agent: userAgent,
        request_id: requestId,
      });
      return exchangedCodeToWire(exchanged);
    },
    listDeviceAuthorizations: async (_request, { actor }) =>
      wholeList((await listApprovals(context, actor)).map(approvedLoginToWire)),
    getDeviceAuthorization: async ({ user_code }, { actor }) => {
      await findActingMember(context, actor);
      return deviceAuthorizationToWire(await findUndecided(context, actor, user_code));
    },
    approveDeviceAuthorization: async ({ user_code: userCode, role, environments = null }, { actor }) => {
      await approveLogin(context, actor, { userCode, role, environments });
      return {};
    },
    denyDeviceAuthorization: async ({ user_code }, { actor }) => {
      await denyLogin(context, actor, user_code);
      return {};
    },
  } satisfies Partial<Handlers<typeof contract>>;
}
