import { expect, it } from 'vitest';
import { readForm } from '../form.ts';
import { readLabels } from './read-labels.ts';

async function read(labels: string) {
  const body = new URLSearchParams({ labels });
  const form = await readForm(new Request('http://localhost', { method: 'POST', body }));
  return { labels: readLabels(form), errors: form.errors };
}

it('the labels of a text field are read one per line, with spaces around the colon', async () => {
  expect(await read('env: prod\r\n\r\n url : https://shop.example \nflag:')).toEqual({
    labels: { env: 'prod', url: 'https://shop.example', flag: '' },
    errors: {},
  });
  expect(await read(' \n')).toEqual({ labels: {}, errors: {} });
});

it.each([
  ['env', '“env” is not a label'],
  ['env: prod\nENV: prod', '“ENV: prod” is not a label'],
  [`env: ${'v'.repeat(101)}`, 'a value of at most 100 characters'],
  [`${'k'.repeat(41)}: prod`, 'a key of at most 40 lowercase letters'],
  ['env: prod\nenv: test', 'The key “env” appears more than once.'],
])('the labels of a text field are rejected in %j', async (text, message) => {
  expect((await read(text)).errors['labels']).toContain(message);
});
