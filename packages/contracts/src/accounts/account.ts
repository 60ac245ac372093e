import Type, { type Static } from 'typebox';
import { ROLES } from '../platform/roles.ts';
import { Id, Nullable, Time } from '../platform/schema.ts';
import { NOTICE_TOPICS } from './notice-topics.ts';

export const RECOVERY_CODES = 10;

export const RoleSchema = Type.Enum(ROLES);

export const Team = Type.Object({
  id: Id('team'),
  name: Type.String(),
  second_factor_required_from: Nullable(
    Time,
    'From this time, members without a second factor can only set one up. Null while the team does not require one.',
  ),
  version: Type.Integer({ minimum: 1 }),
  created_at: Time,
  updated_at: Time,
});
export type Team = Static<typeof Team>;

const memberFields = {
  id: Id('member'),
  email: Type.String(),
  name: Type.String(),
  role: RoleSchema,
  totp_enabled: Type.Boolean({ description: 'Whether the member signs in with an authenticator app' }),
  passkey_count: Type.Integer({ minimum: 0, description: 'Number of passkeys of the member' }),
  is_installation_admin: Type.Boolean({
    description:
      'Whether the member may create teams. Resetting the password of such a member requires the setup token.',
  }),
  created_at: Time,
};

export const Member = Type.Object(memberFields);
export type Member = Static<typeof Member>;

export const Me = Type.Object({
  ...memberFields,
  recovery_codes_left: Type.Integer({ minimum: 0 }),
  team_mail_topics: Type.Array(Type.Enum(NOTICE_TOPICS), {
    description:
      'What email about your team is about, if the installation sends email; empty while it is off',
  }),
  has_password: Type.Boolean({
    description: 'False for a member who has only signed in with single sign-on.',
  }),
  sso_required: Type.Boolean({
    description: 'Whether your team requires you to sign in with single sign-on.',
  }),
  team: Team,
});
export type Me = Static<typeof Me>;

const invitationFields = {
  id: Id('invitation'),
  email: Type.String(),
  role: RoleSchema,
  invited_by: Id('member'),
  created_at: Time,
  expires_at: Time,
};

const InvitationMail = Type.Object({
  status: Type.Enum(['waiting', 'sent', 'failed']),
  /** When the newest mail with the link was created. */
  at: Time,
  reason: Nullable(Type.String(), 'Why it was not sent, in the words of the mail server'),
});

export const Invitation = Type.Object({
  ...invitationFields,
  mail: Nullable(
    InvitationMail,
    'How the email with the link went; null without one, and for members who cannot invite',
  ),
});
export type Invitation = Static<typeof Invitation>;

/** A new invitation with the token of its link; null in a replayed reply. */
export const CreatedInvitation = Type.Object({
  ...invitationFields,
  token: Nullable(Type.String(), 'Null in a replayed response'),
});
export type CreatedInvitation = Static<typeof CreatedInvitation>;

export const Session = Type.Object({
  id: Id('session'),
  /** IP address and user agent of the last use, if known. */
  address: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  created_at: Time,
  /** At most a minute behind. */
  last_used_at: Time,
  /** Absolute end. An unused session expires earlier. */
  expires_at: Time,
  is_current: Type.Boolean(),
});
export type Session = Static<typeof Session>;
