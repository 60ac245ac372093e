import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { firstRequestCommand } from './first-request.ts';

it('a shell parses the command into the intended request', () => {
  const command = firstRequestCommand({
    adminUrl: 'https://admin.example.com',
    secret: 'tg_admin_0123456789abcdef_s3cr3t',
  });
  // `curl` is a function that prints its arguments, one per line.
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
    encoding: 'utf8',
  });
  expect(printed.trimEnd().split('\n')).toEqual([
    '-i',
    'https://admin.example.com/admin/v1/applications',
    '-H',
    'Authorization: Bearer tg_admin_0123456789abcdef_s3cr3t',
  ]);
});
