import { readFileSync } from 'node:fs';

export interface CodeBlock {
  /** Empty for a transcript. */
  language: string;
  code: string;
}

/** The code blocks of a page of the documentation, without their indentation. */
export function codeBlocksOf(page: string): CodeBlock[] {
  const text = readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map(
    ([, indentation = '', language = '', code = '']) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  );
}
