import Type from 'typebox';
import { Id } from '../../platform/ids.ts';
import { Page } from '../../platform/page.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { Time } from '../../platform/time.ts';
import { CreatedInvitation, Invitation, Member, RoleSchema } from '../account.ts';
import { closed, Email, Name, NewPassword, Nothing, Origin, Token } from './fields.ts';

/** Returns what the invitation page shows. */
export const getInvitation = rpc('accounts', 'get_invitation', {
  caller: 'service',
  request: Type.Object({ token: Token }, closed),
  reply: Type.Object({ team_name: Type.String(), email: Type.String(), role: RoleSchema, expires_at: Time }),
});

/** Takes no idempotency key: an invitation can be accepted once. */
export const acceptInvitation = rpc('accounts', 'accept_invitation', {
  caller: 'service',
  request: Type.Object({ token: Token, name: Name, password: NewPassword, ...Origin }, closed),
  reply: Member,
});

/** Replaces an open invitation of the same email in the team, whose link stops working. */
export const createInvitation = rpc('accounts', 'create_invitation', {
  caller: 'member',
  idempotent: true,
  request: Type.Object({ email: Email, role: RoleSchema }, closed),
  reply: CreatedInvitation,
});

export const listInvitations = rpc('accounts', 'list_invitations', {
  caller: 'member-or-token',
  request: Nothing,
  reply: Page(Invitation),
});

/** The link of an open invitation again. */
export const revealInvitationLink = rpc('accounts', 'reveal_invitation_link', {
  caller: 'member',
  request: Type.Object({ invitation_id: Id('invitation') }, closed),
  reply: Type.Object({ email: Type.String(), token: Type.String(), expires_at: Time }),
});

/** Mails the link of an open invitation again. Errors: `conflict` while no mail server is configured. */
export const resendInvitation = rpc('accounts', 'resend_invitation', {
  caller: 'member',
  request: Type.Object({ invitation_id: Id('invitation') }, closed),
  reply: Nothing,
});

export const revokeInvitation = rpc('accounts', 'revoke_invitation', {
  caller: 'member',
  request: Type.Object({ invitation_id: Id('invitation') }, closed),
  reply: Nothing,
});
