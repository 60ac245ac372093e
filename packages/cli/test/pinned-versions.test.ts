import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { expect, it } from 'vitest';
import { checkVersion, type Product } from '../src/doctor/fixed-versions.ts';

const FILES = ['Dockerfile', 'docker-compose.yml', 'deploy/**/*.{yaml,yml}'];

/** How files name a version of a product: as the tag of an image, or for the operator of MongoDB. */
const PINS: Record<Product, RegExp> = {
  Node: /\bnode:(\d[\d.]*)/g,
  'nats-server': /\bnats:(\d[\d.]*)/g,
  MongoDB: /\bmongo:(\d[\d.]*)|kind: MongoDBCommunity[\s\S]*?^ {2}version: (\d[\d.]*)/gm,
};

const texts = globSync(FILES, { cwd: CHECKOUT_DIR }).map((file) => ({
  file,
  text: readFileSync(join(CHECKOUT_DIR, file), 'utf8'),
}));

it.each(Object.entries(PINS) as [Product, RegExp][])(
  'no deployment names a version of %s that tollgate doctor reports',
  (product, pin) => {
    const named = texts.flatMap(({ file, text }) =>
      [...text.matchAll(pin)].map(([, tag, version]) => ({ file, version: (tag ?? version) as string })),
    );
    expect(named).not.toEqual([]);
    // The tag of a release line, such as `nats:2`, moves with its fixes.
    const pinned = named.filter(({ version }) => version.split('.').length === 3);
    expect(pinned.filter(({ version }) => checkVersion(product, version).status === 'problem')).toEqual([]);
  },
);
