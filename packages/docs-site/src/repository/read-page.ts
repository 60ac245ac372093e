import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { createPage, type Page } from '../page.ts';
import { rewriteLinks } from './links.ts';
import { ROOT, type Source } from './sources.ts';

export function readPage({ source, path }: Source): Page {
  const text = readFileSync(join(ROOT, source), 'utf8');
  return source.endsWith('.md') ? readMarkdown(text, source, path) : showCode(text, source, path);
}

function readMarkdown(text: string, source: string, path: string): Page {
  const [, title = '', body = ''] = /^# (.+?)\n(.*)$/s.exec(text) ?? [];
  if (title === '') throw new Error(`${source} does not start with a heading.`);
  return createPage(path, title, rewriteLinks(body, source));
}

function showCode(text: string, source: string, path: string): Page {
  const language = extname(source).replace('.mjs', '.js').slice(1);
  const body = `The file \`${source}\`:\n\n\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
  return createPage(path, basename(source), body);
}
