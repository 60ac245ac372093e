import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { DIGEST_BYTES } from './published-list.ts';

/**
 * Writes published-list.bin from a list of passwords, one per line. The committed one is of "10-million-password-list-top-1000000.txt"
 * (SecLists, Passwords/Common-Credentials). Shorter passwords are rejected anyway.
 *
 * Usage: node src/passwords/leaked/build-published-list.ts <file>
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file with the passwords.');
const passwords = readFileSync(file, 'utf8')
  .split(/\r?\n/)
  .filter(({ length }) => length >= ACCOUNT_LIMITS.passwordMin)
  .map((password) => password.toLowerCase());
const digests = [...new Set(passwords)]
  .map((password) => createHash('sha1').update(password).digest().subarray(0, DIGEST_BYTES))
  .sort(Buffer.compare);
writeFileSync(new URL('published-list.bin', import.meta.url), Buffer.concat(digests));
process.stdout.write(`${digests.length} passwords\n`);
