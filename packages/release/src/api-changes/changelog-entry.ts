/**
 * An entry such as "- `POST /v1/payments`, `GET /v1/payments/{payment_id}` error `a`, `b`: added. Why." names four
 * differences. `*` in the first list stands for any text.
 */

/** Names in backticks and whole words, up to the colon and the change. Parts of words would take exponential time. */
const HEAD = /^((?:`[^`]+`|[a-z]+(?![a-z])|[ ,])+): ([a-z]+)\b/;
const TOKEN = /(`[^`]+`(?:(?:, and |, | and )`[^`]+`)*)|[a-z]+/g;

/** The sentences of the differences that an entry names; null if it names none in this form. */
export function sentencesOf(entry: string): string[] | null {
  const [, head, change] = HEAD.exec(entry) ?? [];
  if (head === undefined) return null;
  const segments = [...head.matchAll(TOKEN)].map(([token]) => token.match(/`[^`]+`/g) ?? [token]);
  const sentences = segments.reduce<string[][]>(
    (started, segment) => started.flatMap((words) => segment.map((word) => [...words, word])),
    [[]],
  );
  return sentences.map((words) => `${words.join(' ')}: ${change}`);
}

export function names(sentence: string, difference: string): boolean {
  if (sentence === difference) return true;
  const [, owner = '', rest = ''] = /^`([^`]*)`(.*)$/.exec(sentence) ?? [];
  if (!owner.includes('*')) return false;
  const anyOwner = owner.split('*').map(RegExp.escape).join('[^`]*');
  return new RegExp(`^\`${anyOwner}\`${RegExp.escape(rest)}$`).test(difference);
}
