import { IDEMPOTENCY_KEY_INDEXES, IDEMPOTENCY_KEYS } from '@tollgate/store/idempotency-store';
import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import { CHAT_MESSAGE_INDEXES } from './chat/chat-store.ts';
import { DEVICE_AUTHORIZATION_INDEXES } from './logins/device-authorization-store.ts';
import { MAIL_INDEXES } from './mail/mail-store.ts';
import { MEMBER_INDEXES } from './members/member.ts';
import { CHALLENGE_INDEXES } from './passkeys/challenge-store.ts';
import { SESSION_INDEXES } from './sessions/session-store.ts';
import { FAILED_SIGN_IN_INDEXES } from './sign-in/failed-sign-in-store.ts';
import { SSO_SETTINGS_INDEXES } from './sso/settings/sso-settings.ts';
import { SSO_AUTHORIZATION_INDEXES } from './sso/sign-in/authorization.ts';
import { TEAM_INDEXES } from './teams/team.ts';
import { ATTEMPT_INDEXES } from './throttle/throttle-store.ts';
import { API_TOKEN_INDEXES } from './tokens/api-token-store.ts';

export const accountsSchema: DatabaseSchema = {
  version: 1,
  readableFrom: 1,
  indexes: {
    teams: TEAM_INDEXES,
    members: MEMBER_INDEXES,
    sessions: SESSION_INDEXES,
    api_tokens: API_TOKEN_INDEXES,
    device_authorizations: DEVICE_AUTHORIZATION_INDEXES,
    passkey_challenges: CHALLENGE_INDEXES,
    failed_sign_ins: FAILED_SIGN_IN_INDEXES,
    sso_settings: SSO_SETTINGS_INDEXES,
    sso_authorizations: SSO_AUTHORIZATION_INDEXES,
    attempts: ATTEMPT_INDEXES,
    mails: MAIL_INDEXES,
    chat_messages: CHAT_MESSAGE_INDEXES,
    [IDEMPOTENCY_KEYS]: IDEMPOTENCY_KEY_INDEXES,
  },
};
