import type { TeamNotice } from '../notices/team-notice.ts';

/** What is posted: the only field that every chat compatible with Slack shows. */
export interface ChatText {
  text: string;
  /** Whether the chat fetches linked pages: they need a session. */
  unfurl_links: boolean;
}

/** The notice in Slack's mrkdwn. */
export function noticeText({ subject, paragraph, link }: TeamNotice, teamName: string): ChatText {
  const lines = [
    `*${escaped(subject)}*`,
    escaped(paragraph),
    `Team: ${escaped(teamName)}`,
    `<${link.url}|${escaped(link.label)}>`,
  ];
  return { text: lines.join('\n'), unfurl_links: false };
}

export function testText(memberName: string, teamName: string): ChatText {
  const text = `${memberName} sent this test message from Tollgate. Notices about the team ${teamName} are posted here.`;
  return { text: escaped(text), unfurl_links: false };
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping: names cannot mention people or form links. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
