import { expect, it } from 'vitest';
import { shortenUrl } from './shorten-url.ts';

it('a shortened URL is complete when it fits, without https', () => {
  expect(shortenUrl('https://shop.example.com/hooks')).toBe('shop.example.com/hooks');
  expect(shortenUrl('http://127.0.0.1:4000/hooks')).toBe('http://127.0.0.1:4000/hooks');
});

it('a shortened URL keeps its host and its end, and uses the full length', () => {
  const short = shortenUrl('https://shop.example.com/integrations/payments/webhooks/of-the-warehouse', 40);
  expect(short).toBe('shop.example.com/…hooks/of-the-warehouse');
  expect(short).toHaveLength(40);
  expect(shortenUrl('http://127.0.0.1:4000/a/long/path/of/hooks', 32)).toBe(
    'http://127.0.0.1:4000/…/of/hooks',
  );
});

it('a shortened URL keeps the end of its path even with a long host', () => {
  const short = shortenUrl(`https://${'donau'.repeat(12)}.example.com/hooks/of-the-warehouse`, 32);
  expect(short).toBe('donaudonaudonaudonaudon…arehouse');
});
