import Value from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, WebhookBody } from './event-types.ts';
import { PAYMENT_EVENT_TYPES } from './events.ts';

describe('the catalogue of event types', () => {
  it('the catalogue of event types lists every type once', () => {
    expect(EVENT_TYPES.map(({ type }) => type)).toEqual([...PAYMENT_EVENT_TYPES]);
  });

  it.each(EVENT_TYPES)('$type has an example that matches its own schema and no other', (entry) => {
    expect(Value.Check(WebhookBody, entry.example)).toBe(true);
    const takenBy = EVENT_TYPES.filter(({ schema }) => Value.Check(schema, entry.example));
    expect(takenBy.map(({ type }) => type)).toEqual([entry.type]);
  });

  it('the catalogue of event types has schemas that are plain JSON', () => {
    for (const { schema } of EVENT_TYPES)
      expect(JSON.parse(JSON.stringify(schema))).toMatchObject({ type: 'object' });
  });
});
