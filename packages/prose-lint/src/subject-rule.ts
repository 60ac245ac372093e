import type { TextlintRuleModule } from '@textlint/types';

/** The beginning of a comment whose noun is missing, as in `Of the member.` */
const WITHOUT_SUBJECT = /^(?:\/\*\*?|\/\/|<!--)[\s*]*Of\b/;

/** A textlint rule that reports comments which do not name what they are about. */
export const subjectRule: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node) {
    const match = WITHOUT_SUBJECT.exec(getSource(node));
    if (!match) return;
    const range = [match[0].length - 'Of'.length, match[0].length] as const;
    report(
      node,
      new RuleError('name what the comment is about, before "of"', { padding: locator.range(range) }),
    );
  },
});
