import { expect, it } from 'vitest';
import { stylesheetsFirst } from './stylesheets-first.ts';

it('the stylesheets of a page come before the preloads of fonts and scripts, which have a low priority', () => {
  const page = [
    '<head>',
    '  <link rel="icon" href="/favicon.svg">',
    '  <link href="/a.woff2" rel="preload" as="font">',
    '  <link href="/a.js" rel="modulepreload">',
    '  <title>Payments</title>',
    '  <link href="/a.css" rel="stylesheet">',
    '  <link href="/b.css" rel="stylesheet">',
    '</head>',
    '',
  ].join('\n');
  const lines = stylesheetsFirst(page)
    .split('\n')
    .map((line) => line.trim());
  expect(lines).toEqual([
    '<head>',
    '<link rel="icon" href="/favicon.svg">',
    '<link href="/a.css" rel="stylesheet">',
    '<link href="/b.css" rel="stylesheet">',
    '<link href="/a.woff2" rel="preload" as="font">',
    '<link href="/a.js" rel="modulepreload" fetchpriority="low">',
    '<title>Payments</title>',
    '</head>',
    '',
  ]);
});

it.each(['<p></p>', '<link href="/a.css" rel="stylesheet"></head>'])(
  'the stylesheets of a page do not change %j',
  (page) => {
    expect(stylesheetsFirst(page)).toBe(page);
  },
);
