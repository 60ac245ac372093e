import type { MemberActor } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { MESSAGE_TEMPLATES, type Message, type MessageTemplate } from './message-templates.ts';
import type { Sample } from './sample.ts';

export interface PreviewedMessage extends Message {
  template: MessageTemplate;
}

/** Every message that Tollgate sends, written with sample data. Throws `forbidden`. */
export async function previewMessages(context: Context, actor: MemberActor): Promise<PreviewedMessage[]> {
  const sample = await readSample(context, actor);
  return MESSAGE_TEMPLATES.map((template) => ({ template, ...template.write(sample) }));
}

/** One message, written with sample data. Throws `forbidden`, `not-found`. */
export async function previewMessage(
  context: Context,
  actor: MemberActor,
  { templateId }: { templateId: string },
): Promise<PreviewedMessage> {
  const sample = await readSample(context, actor);
  const template = MESSAGE_TEMPLATES.find(({ id }) => id === templateId);
  if (!template)
    throw new Problem('not-found', 'Message template not found. List the templates for their ids.');
  return { template, ...template.write(sample) };
}

async function readSample(context: Context, actor: MemberActor): Promise<Sample> {
  const { team, member } = await findActingMember(context, actor);
  requireRole(team, actor, 'admin', 'preview messages');
  return { team, member, now: new Date(context.clock.now()), links: context.links };
}
