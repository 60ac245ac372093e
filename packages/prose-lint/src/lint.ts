import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import { readGlossary } from './glossary.ts';
import { subjectRule } from './subject-rule.ts';
import { findSvelteTexts } from './svelte-texts.ts';
import { termsRule } from './terms-rule.ts';
import { textPlugin } from './text-plugin.ts';
import { titleRule } from './title-rule.ts';
import { findTypeScriptTexts } from './typescript-texts.ts';

export interface Finding {
  line: number;
  column: number;
  message: string;
}

// CommonJS modules that Node and Vitest would import in different ways.
const require = createRequire(import.meta.url);
const { default: markdown } = require('@textlint/textlint-plugin-markdown');
const comments = require('textlint-filter-rule-comments');

const README = new URL('../README.md', import.meta.url);

const kernel = new TextlintKernel();
const rules = [
  { ruleId: 'terms', rule: termsRule(readGlossary(readFileSync(README, 'utf8'))) },
  { ruleId: 'subject', rule: subjectRule },
  { ruleId: 'title', rule: titleRule },
];
// `<!-- textlint-disable -->` in Markdown.
const filterRules = [{ ruleId: 'comments', rule: comments }];
const plugins = [
  { pluginId: 'markdown', plugin: markdown },
  { pluginId: 'typescript', plugin: textPlugin(['.ts', '.mjs', '.js'], findTypeScriptTexts) },
  { pluginId: 'svelte', plugin: textPlugin(['.svelte'], findSvelteTexts) },
];

/** Finds wrong terms, and comments and test titles without a subject, in a Markdown, TypeScript, JavaScript, or Svelte file. */
export async function lintText(source: string, path: string): Promise<Finding[]> {
  const options = { ext: extname(path), filePath: path, plugins, rules, filterRules };
  const { messages } = await kernel.lintText(source, options);
  return messages.map(({ message, loc }) => ({ line: loc.start.line, column: loc.start.column, message }));
}
