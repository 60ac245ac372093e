/**
 * Splits a file into lines while reading it in chunks. Only a line feed ends a line and nothing is trimmed: a verifier
 * must see every character of the file. Holds one chunk and one line in memory.
 */
export async function* splitLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // A byte order mark is a change like any other. Invalid UTF-8 becomes U+FFFD, and the check of that line fails.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + decoder.decode(piece, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      yield text.slice(start, end);
      start = end + 1;
    }
    rest = text.slice(start);
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
