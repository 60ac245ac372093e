import { expect, test } from 'vitest';
import { urlRejection } from './endpoint-url.ts';

test.each(['ftp://files.example.com/hooks', 'mailto:hooks@example.com', 'javascript:alert(1)'])(
  'a URL of another protocol is rejected with the protocols that the environment allows: %s',
  (url) => {
    expect(urlRejection(url, 'live')).toBe('This must be a complete URL that starts with https://.');
    expect(urlRejection(url, 'sandbox')).toBe(
      'This must be a complete URL that starts with https:// or http://.',
    );
  },
);

test('a text that is no URL is rejected with the beginning of one', () => {
  expect(urlRejection('shop.example.com/hooks', 'live')).toBe(
    'This must be a complete URL that starts with https://.',
  );
});

test('spaces and backslashes are named', () => {
  for (const url of ['https://shop.example.com/a b', 'https:\\\\shop.example.com'])
    expect(urlRejection(url, 'live')).toBe('This must not contain spaces or backslashes.');
});

test('http is rejected in live only', () => {
  expect(urlRejection('http://shop.example.com/', 'live')).toBe('In the live environment it must use https.');
  expect(urlRejection('http://shop.example.com/', 'sandbox')).toBeNull();
});
