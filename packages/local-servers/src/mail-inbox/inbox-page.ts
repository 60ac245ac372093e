import escapeHtml from 'escape-html';
import type { ReceivedMail } from './received-mail.ts';

const STYLE = `
:root { color-scheme: light dark; background: light-dark(#fff, #131316); color: light-dark(#1c1c1f, #ececef); font: 15px/1.5 system-ui, sans-serif }
a { color: light-dark(#4338ca, #a5b4fc) }
body { max-width: 760px; margin: 0 auto; padding: 32px 20px }
h1 { font-size: 20px; margin: 0 0 4px }
p { margin: 0 0 16px }
small, .quiet { color: light-dark(#555, #b3b3b3); font-size: 13px }
ul { list-style: none; padding: 0; margin: 24px 0 }
li a { display: grid; gap: 2px; padding: 12px 4px; border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); color: inherit; text-decoration: none; overflow-wrap: anywhere }
li a:hover strong { text-decoration: underline }
iframe { width: 100%; height: 480px; border: 1px solid color-mix(in srgb, currentColor 15%, transparent); border-radius: 8px }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 16px; border: 1px solid color-mix(in srgb, currentColor 15%, transparent); border-radius: 8px }
`;

/** The newest mails first. */
export function inboxPage(mails: readonly ReceivedMail[]): string {
  const rows = mails.map(
    ({ number, subject, to, receivedAt }) =>
      `<li><a href="/mails/${number}"><strong>${escapeHtml(subject)}</strong><small>To ${escapeHtml(to.join(', '))} · <time datetime="${receivedAt.toISOString()}">${timeText(receivedAt)}</time></small></a></li>`,
  );
  return page(
    'Development inbox',
    `<h1>Development inbox</h1>
<p class="quiet">Every mail that Tollgate sends on this machine arrives here, whatever its address. Restarting empties the inbox.</p>
${rows.length === 0 ? '<p>No mail yet. Invite a member, or ask for a new password.</p>' : `<ul>${rows.join('\n')}</ul>`}`,
  );
}

/** The links in a mail open in a new tab, because the frame may run no script and open no other page itself. */
export function mailPage({ subject, from, to, html, text }: ReceivedMail): string {
  return page(
    subject,
    `<p><a href="/">Development inbox</a></p>
<h1>${escapeHtml(subject)}</h1>
<p class="quiet">From ${escapeHtml(from)} to ${escapeHtml(to.join(', '))}</p>
<iframe title="${escapeHtml(subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(`<base target="_blank">${html}`)}"></iframe>
<h2 class="quiet">Plain text</h2>
<pre>${linked(text)}</pre>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title><style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function timeText(time: Date): string {
  return time.toLocaleTimeString('en-GB');
}

function linked(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
}
