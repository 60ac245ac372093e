/** Imperative verbs that look like another form: `process`, `embed`, `bring`. */
const IMPERATIVE =
  /^(?:\w*ss|focus|bias|canvas|bring|ring|string|ping|swing|embed|feed|need|seed|shed|speed|exceed|proceed|succeed)$/;
const OTHER_FORM = /(?:ed|ing|s)$/;

/** @type {import('@commitlint/types').Rule} */
function subjectImperative({ subject }) {
  const verb = subject?.split(/[\s-]/)[0] ?? '';
  const isImperative = IMPERATIVE.test(verb) || !OTHER_FORM.test(verb);
  return [
    isImperative,
    `the subject must begin with an imperative verb ("add", not "adds" or "added"): "${verb}"`,
  ];
}

export default {
  extends: ['@commitlint/config-conventional'],
  plugins: [{ rules: { 'subject-imperative': subjectImperative } }],
  rules: {
    'header-max-length': [2, 'always', 72],
    'subject-imperative': [2, 'always'],
    // A subject may begin with a name: "MongoDB", "OpenAPI". Bodies may quote logs and hold links.
    'subject-case': [0],
    'body-max-line-length': [0],
    'footer-max-line-length': [0],
  },
};
