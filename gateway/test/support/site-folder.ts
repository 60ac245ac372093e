import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Writes a small site as the generator builds it, and returns its folder. */
export function writeSite(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-site-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
