import type { CodeOption } from '#lib/webhooks/code-option.ts';
import express from './verify-snippets/express.txt?raw';
import fastify from './verify-snippets/fastify.txt?raw';
import flask from './verify-snippets/flask.txt?raw';
import go from './verify-snippets/go.go?raw';
import next from './verify-snippets/next.txt?raw';
import nodeCrypto from './verify-snippets/node-crypto.ts?raw';
import openssl from './verify-snippets/openssl.sh?raw';
import php from './verify-snippets/php.php?raw';
import python from './verify-snippets/python.py?raw';
import rails from './verify-snippets/rails.txt?raw';
import ruby from './verify-snippets/ruby.rb?raw';
import typescript from './verify-snippets/standardwebhooks.ts?raw';
import java from './verify-snippets/WebhookVerifier.java?raw';

/** Code that verifies a request, by language. Tests run the files that Node can run; the others were run manually. */
export const VERIFY_SNIPPETS: readonly CodeOption[] = [
  { id: 'typescript', label: 'TypeScript', install: 'npm install standardwebhooks', code: typescript },
  { id: 'python', label: 'Python', install: 'pip install standardwebhooks', code: python },
  {
    id: 'go',
    label: 'Go',
    install: 'go get github.com/standard-webhooks/standard-webhooks/libraries',
    code: go,
  },
  { id: 'ruby', label: 'Ruby', install: 'gem install standardwebhooks', code: ruby },
  { id: 'php', label: 'PHP', install: 'composer require standard-webhooks/standard-webhooks', code: php },
  { id: 'java', label: 'Java, Kotlin', install: null, code: java },
  { id: 'node', label: 'Node.js (no library)', install: null, code: nodeCrypto },
  { id: 'shell', label: 'Shell', install: null, code: openssl },
];

/** How a framework provides the raw, unparsed body. */
export const RAW_BODY_SNIPPETS: readonly CodeOption[] = [
  { id: 'express', label: 'Express', install: null, code: express },
  { id: 'fastify', label: 'Fastify', install: null, code: fastify },
  { id: 'next', label: 'Next.js', install: null, code: next },
  { id: 'flask', label: 'Flask', install: null, code: flask },
  { id: 'rails', label: 'Rails', install: null, code: rails },
];
