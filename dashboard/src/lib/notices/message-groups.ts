import type { MessageTemplate } from '@tollgate/contracts/message-template';

interface KindText {
  title: string;
  /** Who gets the messages, and when. */
  description: string;
  /** Whether they are also posted to the chat of the team. */
  isPosted: boolean;
}

type Kind = MessageTemplate['kind'];

export interface MessageGroup extends KindText {
  kind: string;
  templates: MessageTemplate[];
}

const KIND_TEXTS: Record<Kind, KindText> = {
  link: {
    title: 'Invitations and passwords',
    description: 'To the person who is invited, or who asks for a new password.',
    isPosted: false,
  },
  account: {
    title: 'Account security',
    description: 'To the member whose account it is. Members cannot turn it off.',
    isPosted: false,
  },
  team: {
    title: 'Team notices',
    description: 'To members whose role lets them act, and to the chat of the team.',
    isPosted: true,
  },
  digest: {
    title: 'Combined team notices',
    description:
      'To the same recipients, when several notices of a kind follow the first one within an hour.',
    isPosted: true,
  },
};

/** A later release may send messages of a kind that this one does not know. */
const OTHER: KindText = { title: 'Other', description: 'Other messages of Tollgate.', isPosted: false };

export const NOTIFICATIONS = { href: '/team/notifications', label: 'Notifications' };
export const MESSAGES = { href: '/team/notifications/messages', label: 'Message previews' };

export function messageHref(templateId: string): string {
  return `${MESSAGES.href}/${encodeURIComponent(templateId)}`;
}

/** The templates by kind, in the order of the kinds. Kinds without a template are left out. */
export function groupTemplates(templates: readonly MessageTemplate[]): MessageGroup[] {
  const byKind = Map.groupBy(templates, ({ kind }): string => kind);
  const known = Object.entries(KIND_TEXTS).flatMap(([kind, text]) => {
    const ofKind = byKind.get(kind);
    return ofKind ? [{ kind, ...text, templates: ofKind }] : [];
  });
  const others = [...byKind].filter(([kind]) => !Object.hasOwn(KIND_TEXTS, kind));
  return [...known, ...others.map(([kind, ofKind]) => ({ kind, ...OTHER, templates: ofKind }))];
}
