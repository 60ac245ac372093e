import { type Expression, parseSync, Visitor } from 'oxc-parser';
import type { TextRange } from './text-plugin.ts';

/** Comments, and strings that are prose: messages, descriptions, labels, test titles. */
export function findTypeScriptTexts(source: string, path: string): TextRange[] {
  const { comments, program, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const texts: TextRange[] = comments.map(({ start, end }) => [start, end]);
  const addProse = ({ start, end }: { start: number; end: number }) => {
    if (isProse(source.slice(start, end))) texts.push([start, end]);
  };
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      if (title && isTest(callee)) texts.push([title.start, title.end, 'title']);
    },
    Literal: (node) => {
      if (typeof node.value === 'string') addProse(node);
    },
    // Without its delimiters: text between backticks would pass for code.
    TemplateElement: ({ start, end, tail }) => addProse({ start: start + 1, end: end - (tail ? 1 : 2) }),
  }).visit(program);
  return texts;
}

/** `it(…)`, `test.skipIf(…)(…)`, and the like. */
function isTest(callee: Expression): boolean {
  if (callee.type === 'Identifier') return ['it', 'test'].includes(callee.name);
  if (callee.type === 'MemberExpression') return isTest(callee.object as Expression);
  return callee.type === 'CallExpression' && isTest(callee.callee);
}

/** A string without a space is prose only when it is one capitalized word, such as a label. */
function isProse(literal: string): boolean {
  return /\s/.test(literal) || /^['"`][A-Z][a-z]+['"`]$/.test(literal);
}
