import type { TextlintRuleModule } from '@textlint/types';
import type { Term } from './glossary.ts';

/** A textlint rule that reports terms which the glossary replaces. Text between backticks is code. */
export function termsRule(glossary: Term[]): TextlintRuleModule {
  return ({ Syntax, RuleError, report, getSource, locator }) => ({
    [Syntax.Str](node) {
      const text = getSource(node).replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
      for (const { write, not } of glossary) {
        for (const match of text.matchAll(not)) {
          const range = [match.index, match.index + match[0].length] as const;
          const wrong = match[0].replace(/[\s*/]+/g, ' ');
          report(node, new RuleError(`write "${write}", not "${wrong}"`, { padding: locator.range(range) }));
        }
      }
    },
  });
}
