import type * as contract from '@tollgate/contracts/accounts/account';
import type {
  ApiToken as ApiTokenOnWire,
  ApiTokenStatus,
  CreatedApiToken,
  OwnApiToken,
} from '@tollgate/contracts/accounts/api-token';
import type {
  ApprovedDeviceAuthorization,
  DeviceAuthorization as DeviceAuthorizationOnWire,
  DeviceCodeState,
} from '@tollgate/contracts/accounts/device-authorization';
import type { Passkey as PasskeyOnWire } from '@tollgate/contracts/accounts/passkey';
import type { SingleSignOn } from '@tollgate/contracts/accounts/single-sign-on';
import type { TeamChat } from '@tollgate/contracts/accounts/team-chat';
import { jsonOf } from '@tollgate/store/json-of';
import type { ActingMember } from '../access/acting-member.ts';
import type { TokenInTeam } from '../access/acting-team.ts';
import { type ChatWebhook, postedTopics } from '../chat/chat-webhook.ts';
import type { InvitationWithToken } from '../invitations/invitation-token.ts';
import type { ListedInvitation } from '../invitations/list-invitations.ts';
import type { ApprovedLogin, DeviceAuthorization } from '../logins/device-authorization.ts';
import type { ExchangedCode } from '../logins/exchange-device-code.ts';
import { shownUserCode } from '../logins/user-code.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { mailedTopics } from '../members/team-mail.ts';
import type { OutgoingProgress } from '../outbox/outbox-store.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import type { Session } from '../sessions/session.ts';
import type { SignedIn } from '../sign-in/sign-in.ts';
import { recordName, recordValue } from '../sso/settings/domain-proof.ts';
import type { SsoSettings } from '../sso/settings/sso-settings.ts';
import { redirectUri } from '../sso/sign-in/provider-client.ts';
import type { Invitation, Team } from '../teams/team.ts';
import { type ApiToken, statusOf } from '../tokens/api-token.ts';
import type { TokenWithSecret } from '../tokens/insert-token.ts';

// Records in the form of the contracts, which name the fields that a reply has.

export function teamToWire(team: Team): contract.Team {
  const { _id, name, second_factor_required_from, version, created_at, updated_at } = team;
  return jsonOf({ id: _id, name, second_factor_required_from, version, created_at, updated_at });
}

export function memberToWire({ member, role }: MemberInTeam): contract.Member {
  const { _id, email, name, totp, passkeys, is_installation_admin, created_at } = member;
  return {
    id: _id,
    // Null only for a removed member, who is in no team and so in no reply.
    email: email ?? '',
    name,
    role,
    totp_enabled: totp !== null,
    passkey_count: passkeys.length,
    is_installation_admin,
    created_at: created_at.toISOString(),
  };
}

export function signedInToWire(signedIn: SignedIn) {
  return {
    token: signedIn.token,
    expires_at: signedIn.session.expires_at.toISOString(),
    member: memberToWire(signedIn),
    device_token: signedIn.deviceToken ?? null,
  };
}

export function meToWire({ member, team, role }: ActingMember, isSsoRequired: boolean): contract.Me {
  return {
    ...memberToWire({ member, role }),
    recovery_codes_left: member.recovery_code_digests.length,
    team_mail_topics: mailedTopics(member),
    has_password: member.password !== null,
    sso_required: isSsoRequired,
    team: teamToWire(team),
  };
}

/** Never the client secret. */
export function singleSignOnToWire(settings: SsoSettings, dashboardUrl: string): SingleSignOn {
  const { team_id, provider, domains, _id, ...shown } = settings;
  return {
    ...jsonOf(shown),
    redirect_uri: redirectUri(dashboardUrl, team_id),
    provider: provider && { issuer: provider.issuer, client_id: provider.client_id },
    domains: domains.map((domain) => ({
      domain: domain.name,
      record_name: recordName(domain),
      record_value: recordValue(domain),
      verified_by: domain.verified?.by ?? null,
      added_at: domain.added_at.toISOString(),
      verified_at: domain.verified?.at.toISOString() ?? null,
    })),
  };
}

export function invitationToWire({ invitation, mail }: ListedInvitation): contract.Invitation {
  return { ...invitationFields(invitation), mail: mail && progressToWire(mail) };
}

export function createdInvitationToWire({
  invitation,
  token,
}: InvitationWithToken): contract.CreatedInvitation {
  return { ...invitationFields(invitation), token };
}

function invitationFields({ id, email, role, invited_by, created_at, expires_at }: Invitation) {
  return jsonOf({ id, email, role, invited_by, created_at, expires_at });
}

function progressToWire({ status, at, reason }: OutgoingProgress) {
  return { status, at: at.toISOString(), reason };
}

export function teamChatToWire(chat: ChatWebhook | null, last: OutgoingProgress | null): TeamChat {
  return {
    webhook: chat && {
      host: chat.host,
      last_four: chat.last_four,
      topics: postedTopics(chat),
      set_at: chat.set_at.toISOString(),
    },
    last_message: last && progressToWire(last),
  };
}

export function passkeyToWire({ id, name, backed_up, created_at, last_used_at }: Passkey): PasskeyOnWire {
  return jsonOf({ id, name, is_synced: backed_up, created_at, last_used_at });
}

export function sessionToWire(session: Session, currentSessionId: string | undefined): contract.Session {
  const { _id, address, user_agent, created_at, last_used_at, expires_at } = session;
  const times = jsonOf({ created_at, last_used_at, expires_at });
  return { id: _id, address, user_agent, ...times, is_current: _id === currentSessionId };
}

/** Never the digest. */
export function apiTokenToWire(token: ApiToken, status: ApiTokenStatus): ApiTokenOnWire {
  const { _id, leak, digest, outbox, ...shown } = token;
  return { ...jsonOf(shown), id: _id, status, leaked: jsonOf(leak) };
}

export function createdApiTokenToWire({ token, secret }: TokenWithSecret, now: Date): CreatedApiToken {
  return { ...apiTokenToWire(token, statusOf(token, now)), secret };
}

export function deviceAuthorizationToWire(login: DeviceAuthorization): DeviceAuthorizationOnWire {
  const { user_code, client_name, address, created_at, expires_at } = login;
  const times = jsonOf({ requested_at: created_at, expires_at });
  return { user_code: shownUserCode(user_code), client_name, address, ...times };
}

export function approvedLoginToWire(login: ApprovedLogin): ApprovedDeviceAuthorization {
  const { role, environments } = login.decision;
  return { ...deviceAuthorizationToWire(login), role, environments };
}

/** The credential of a new token is returned once. */
export function exchangedCodeToWire(exchanged: ExchangedCode): DeviceCodeState {
  if (exchanged.status !== 'approved') return exchanged;
  const { status, secret } = exchanged;
  return { status, token: secret, ...ownApiTokenToWire(exchanged) };
}

/** A token in use, so it is active. */
export function ownApiTokenToWire({ token, team }: TokenInTeam): OwnApiToken {
  return { api_token: apiTokenToWire(token, 'active'), team: teamToWire(team) };
}
