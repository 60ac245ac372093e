import type { TextlintRuleModule } from '@textlint/types';

/** The beginning of a comment whose noun is missing, as in `Of the member.` */
const WITHOUT_NOUN = /^(?:\/\*\*?|\/\/|<!--)[\s*]*(Of)\b/;
/**
 * A first sentence that is only a complement, as in `By id.` One with a comma can have a subject after it. A line comment can
 * continue the sentence of the line before.
 */
const COMPLEMENT = /^(?:\/\*\*?|<!--)[\s*]*(For|By|With)\b[^,]*?(?:[.:]\s|\*\/|-->)/;

/** A textlint rule that reports comments which do not name what they are about. */
export const subjectRule: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node) {
    const source = getSource(node);
    const [start, word] = WITHOUT_NOUN.exec(source) ?? COMPLEMENT.exec(source) ?? [];
    if (start === undefined || word === undefined) return;
    const from = start.indexOf(word);
    const message = `name what the comment is about, before "${word.toLowerCase()}"`;
    report(node, new RuleError(message, { padding: locator.range([from, from + word.length]) }));
  },
});
