import { expect, it } from 'vitest';
import { readLabels } from './read-labels.ts';

it('the labels of a text field are read one per line, with spaces around the colon', () => {
  expect(readLabels('env: prod\r\n\r\n url : https://shop.example \nflag:')).toEqual({
    labels: { env: 'prod', url: 'https://shop.example', flag: '' },
    error: null,
  });
  expect(readLabels(' \n')).toEqual({ labels: {}, error: null });
});

it.each([
  ['env', '“env” is not a label'],
  ['env: prod\nENV: prod', '“ENV: prod” is not a label'],
  [`env: ${'v'.repeat(101)}`, 'a value of at most 100 characters'],
  [`${'k'.repeat(41)}: prod`, 'a key of at most 40 lowercase letters'],
  ['env: prod\nenv: test', 'The key “env” appears more than once.'],
])('the labels of a text field are rejected in %j', (text, message) => {
  expect(readLabels(text).error).toContain(message);
});
