import Type from 'typebox';
import { ACCOUNT_LIMITS } from '../../platform/account-limits.ts';
import { ENVIRONMENTS } from '../../platform/environment.ts';
import { PlainText } from '../../platform/plain-text.ts';
import { EnvironmentSchema, Nullable } from '../../platform/schema.ts';
import { NOTICE_TOPICS } from '../notice-topics.ts';

export const Name = PlainText({ minLength: 1, maxLength: ACCOUNT_LIMITS.name });

export const Email = PlainText({ minLength: 3, maxLength: ACCOUNT_LIMITS.email });

/** The rule for new passwords. A password that is only compared may be any text. */
export const NewPassword = Type.String({
  minLength: ACCOUNT_LIMITS.passwordMin,
  maxLength: ACCOUNT_LIMITS.passwordMax,
});

export const Password = Type.String({ maxLength: ACCOUNT_LIMITS.passwordMax });

/** Opaque token of a link or session: 32 bytes, base64url. */
export const Token = Type.String({ minLength: 1, maxLength: 128 });

export const Code = Type.String({ minLength: 1, maxLength: 32 });

/** Origin of a request as the gateway sees it: IP address and user agent of the member's browser. */
export const Origin = {
  address: Nullable(Type.String({ maxLength: 64 })),
  user_agent: Nullable(Type.String({ maxLength: ACCOUNT_LIMITS.userAgent })),
};

export const NoticeTopics = Type.Array(Type.Enum(NOTICE_TOPICS), {
  maxItems: NOTICE_TOPICS.length,
  uniqueItems: true,
});

export const TokenEnvironments = Type.Optional(
  Nullable(Type.Array(EnvironmentSchema, { minItems: 1, maxItems: ENVIRONMENTS.length, uniqueItems: true })),
);

/** Length of the `SETUP_TOKEN` of the installation. */
export const MAX_SETUP_TOKEN_LENGTH = 512;
