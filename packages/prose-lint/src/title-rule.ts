import type { TextlintRuleModule } from '@textlint/types';

/** Words with which a title begins that leaves its subject to the group or the file: `rejects a key that is revoked`. */
const WITHOUT_SUBJECT =
  /^['"`](accepts|are|becomes|can|cannot|contains|counts|creates|do|does|fails|finds|gets|gives|has|have|ignores|is|keeps|leaves|lists|may|must|never|of|reads|receives|rejects|reports|requires|returns|runs|says|sends|shows|starts|stays|that|throws|uses|was|were|which|whose)\b/;

/** A textlint rule that reports titles of tests which do not name what they are about. */
export const titleRule: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Header](node) {
    const word = WITHOUT_SUBJECT.exec(getSource(node))?.[1];
    if (word === undefined) return;
    const message = `name what the title is about, before "${word}"`;
    report(node, new RuleError(message, { padding: locator.range([1, 1 + word.length]) }));
  },
});
