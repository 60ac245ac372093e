import { expect, it } from 'vitest';
import type { AttentionItem } from './home-view.ts';
import { mostUrgentFirst } from './most-urgent-first.ts';

const item = (title: string, tone: AttentionItem['tone']) => ({ tone, title, detail: '', href: '/live' });

it('`mostUrgentFirst` lists what fails now before what will, each in the given order', () => {
  const items = [
    item('expiring', 'warn'),
    item('leaked', 'bad'),
    item('failing', 'warn'),
    item('down', 'bad'),
  ];
  expect(mostUrgentFirst(items).map(({ title }) => title)).toEqual(['leaked', 'down', 'expiring', 'failing']);
});
