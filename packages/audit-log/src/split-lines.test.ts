import { expect, it } from 'vitest';
import { splitLines } from './split-lines.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(text: string, size = 7): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(inPieces(Buffer.from(text), size))) lines.push(line);
  return lines;
}

it.each([1, 2, 3, 1000])('lines of a file are the same in chunks of %i bytes', async (size) => {
  expect(await linesOf('é1\n\nzwei ☃\nlast', size)).toEqual(['é1', '', 'zwei ☃', 'last']);
});

it('lines of a file do not include an empty one after the final line feed', async () => {
  expect(await linesOf('one\ntwo\n')).toEqual(['one', 'two']);
});

it('lines of a file keep every character, because carriage returns and a byte order mark are changes too', async () => {
  expect(await linesOf('\u{feff}one\r\n two ')).toEqual(['\u{feff}one\r', ' two ']);
});
