import escapeHtml from 'escape-html';
import type { Letter } from './letter.ts';

/** The letter as plain text and as HTML, with the same words. */
export function renderLetter(letter: Letter): { text: string; html: string } {
  return { text: asText(letter), html: asHtml(letter) };
}

function asText({ paragraphs, facts = [], links, unexpected }: Letter): string {
  const rows = facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
  const parts = [...paragraphs, rows, ...links.map(({ label, url }) => `${label}:\n${url}`), unexpected];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Styles are attributes, because mail programs drop style sheets. Colors are left to the program, which knows light and dark. */
function asHtml({ subject, paragraphs, facts = [], links, unexpected }: Letter): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td style="padding:2px 16px 2px 0;white-space:nowrap;vertical-align:top">${escapeHtml(label)}</td><td style="padding:2px 0">${escapeHtml(value)}</td></tr>`,
  );
  const body = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(rows.length > 0
      ? [`<table style="border-collapse:collapse;font-size:15px">${rows.join('')}</table>`]
      : []),
    ...links.map(
      ({ label, url }) =>
        `<p><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#4f46e5;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>`,
    ),
    `<p style="font-size:13px">${escapeHtml(unexpected)}</p>`,
  ];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:15px/1.5 system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
${body.join('\n')}
</div></body>
</html>
`;
}
