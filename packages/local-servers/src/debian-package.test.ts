import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unpackDebianPackage } from './debian-package.mjs';

const CONTROLS: Record<string, string> = {
  library: controlOf('library'),
  program: `${controlOf('program')}Depends: library\n`,
};
const hasApt = existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg-deb');

/** Its own repository of a program and a library, on this disk, with an apt that knows nothing else. */
describe.skipIf(!hasApt)('unpacking a package of the distribution', () => {
  let machine: string;
  const said: string[] = [];
  const unpack = async () => {
    const folder = mkdtempSync(join(machine, 'unpacked-'));
    const isUnpacked = await unpackDebianPackage('program', folder, (line) => said.push(line), {
      withDependencies: true,
    });
    return isUnpacked && ['program', 'library'].filter((name) => existsSync(join(folder, 'usr/lib', name)));
  };

  beforeAll(() => {
    machine = mkdtempSync(join(tmpdir(), 'tollgate-apt-'));
    const repository = join(machine, 'repository');
    mkdirSync(repository);
    const packages = Object.keys(CONTROLS).map((name) => buildPackage(repository, name));
    writeFileSync(join(repository, 'Packages'), packages.join('\n'));
    for (const folder of ['lists/partial', 'cache/archives/partial', 'sources.list.d', 'preferences.d'])
      mkdirSync(join(machine, folder), { recursive: true });
    writeFileSync(join(machine, 'status'), '');
    writeFileSync(join(machine, 'sources.list'), `deb [trusted=yes] file:${repository} ./\n`);
    writeFileSync(
      join(machine, 'apt.conf'),
      `Dir::State::Lists "${machine}/lists"; Dir::State::status "${machine}/status";
       Dir::Cache "${machine}/cache"; Dir::Etc::sourcelist "${machine}/sources.list";
       Dir::Etc::sourceparts "${machine}/sources.list.d"; Dir::Etc::preferencesparts "${machine}/preferences.d";
       APT::Sandbox::User "root";`,
    );
    vi.stubEnv('APT_CONFIG', join(machine, 'apt.conf'));
  });
  afterAll(() => rmSync(machine, { recursive: true }));

  it('unpacking a package installs its dependencies, with package lists of its own', async () => {
    expect(await unpack(), said.join('\n')).toEqual(['program', 'library']);
  });

  it('unpacking a package does not rely on files that an earlier installation left', async () => {
    execFileSync('apt-get', ['update'], { stdio: 'ignore' });
    const file = fileOf('library');
    cpSync(join(machine, 'repository', file), join(machine, 'cache/archives', file));
    expect(await unpack(), said.join('\n')).toEqual(['program', 'library']);
  });

  it('unpacking copies a package that is installed, without the dependencies that are', async () => {
    const installed = Object.values(CONTROLS).map((control) => `${control}Status: install ok installed\n`);
    writeFileSync(join(machine, 'status'), installed.join('\n'));
    expect(await unpack(), said.join('\n')).toEqual(['program']);
  });
});

/** @returns its entry in the index of the repository */
function buildPackage(repository: string, name: string): string {
  const source = join(repository, `${name}-source`);
  const path = join(repository, fileOf(name));
  mkdirSync(join(source, 'usr/lib'), { recursive: true });
  mkdirSync(join(source, 'DEBIAN'));
  writeFileSync(join(source, 'usr/lib', name), '');
  writeFileSync(join(source, 'DEBIAN/control'), CONTROLS[name] ?? '');
  execFileSync('dpkg-deb', ['--root-owner-group', '-b', source, path], { stdio: 'ignore' });
  rmSync(source, { recursive: true });
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `${CONTROLS[name]}Filename: ./${fileOf(name)}\nSize: ${statSync(path).size}\nSHA256: ${sha256}\n`;
}

function controlOf(name: string): string {
  return `Package: ${name}\nVersion: 1.0\nArchitecture: all\nMaintainer: Tollgate\nDescription: ${name}\n`;
}

function fileOf(name: string): string {
  return `${name}_1.0_all.deb`;
}
