import Type from 'typebox';
import { MESSAGE_TEMPLATE_LIMITS, MessagePreview, MessageTemplate } from '../../message-template.ts';
import { rpc } from '../contract.ts';
import { Page } from '../page.ts';
import { closed, Nothing } from './fields.ts';

export const listMessageTemplates = rpc('accounts', 'list_message_templates', {
  caller: 'member',
  request: Nothing,
  reply: Page(MessageTemplate),
});

/** Writes the message with sample data. Nothing is sent. */
export const previewMessage = rpc('accounts', 'preview_message', {
  caller: 'member',
  request: Type.Object(
    { template_id: Type.String({ minLength: 1, maxLength: MESSAGE_TEMPLATE_LIMITS.id }) },
    closed,
  ),
  reply: MessagePreview,
});
