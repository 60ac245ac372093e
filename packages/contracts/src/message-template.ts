import Type, { type Static } from 'typebox';
import { Nullable } from './nullable.ts';

export const MESSAGE_TEMPLATE_KINDS = ['link', 'account', 'team', 'digest'] as const;

export const MESSAGE_TEMPLATE_LIMITS = {
  id: 64,
} as const;

const templateFields = {
  id: Type.String({ description: 'Name of the template: `invitation`, or `key.expiring.digest`' }),
  kind: Type.Enum(MESSAGE_TEMPLATE_KINDS, {
    description:
      '`link`: email with a link, to a person who is invited or asks for a new password. `account`: email to a member about their own account. `team`: notice to members by email, and to the chat of the team. `digest`: several notices of a kind, combined',
  }),
  subject: Type.String({ description: 'Subject of the email, with sample data' }),
};

/** A message that Tollgate sends. */
export const MessageTemplate = Type.Object(templateFields);
export type MessageTemplate = Static<typeof MessageTemplate>;

/** A message as its recipients read it, with sample data. */
export const MessagePreview = Type.Object({
  ...templateFields,
  html: Type.String({ description: 'The email as an HTML document' }),
  text: Type.String({ description: 'The email as plain text' }),
  chat_text: Nullable(
    Type.String(),
    'What is posted to the chat, in the format of Slack; null for messages that are only sent by email',
  ),
});
export type MessagePreview = Static<typeof MessagePreview>;
