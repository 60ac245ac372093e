/**
 * The lines of a file that is read in pieces. Only a line feed ends a line and nothing is trimmed: what a verifier sees must be every
 * character of the file. Memory is that of one piece and one line.
 */
export async function* splitLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // A byte order mark is a change like any other. Bytes that are no UTF-8 become U+FFFD and fail where they stand.
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
