import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files in these folders that contain the text, as UTF-8 or as base64, with the number of occurrences. */
export function findInFiles(folders: readonly string[], text: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const file of folders.flatMap(filesIn)) {
    const count = occurrences(readFileSync(file, 'latin1'), text);
    if (count > 0) found[file] = count;
  }
  return found;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Base64 encodes three bytes at a time, so the text has three forms; the ends of each depend on what is around it. */
function occurrences(content: string, text: string): number {
  const encoded = [0, 1, 2].map((offset) =>
    Buffer.from(' '.repeat(offset) + text)
      .toString('base64')
      .replaceAll('=', '')
      .slice(offset === 0 ? 0 : 4, -2),
  );
  return [text, ...encoded].reduce((sum, form) => sum + content.split(form).length - 1, 0);
}
