import { BSON } from 'mongodb';
import { MISSING, rejected, type Tables } from '../support/tables.ts';

const at = (date: string, format: string, timezone?: string) => ({
  $dateToString: { date: new Date(date), format, ...(timezone === undefined ? {} : { timezone }) },
});

export const DATE_TO_STRING: Tables<unknown> = {
  $dateToString: {
    title: 'writes a date in a format and a time zone',
    cases: [
      [{ $dateToString: { date: '$at' } }, '2024-03-15T10:20:30.456Z'],
      // In MongoDB 7.0, the default format ends in Z in every time zone.
      [{ $dateToString: { date: '$at', timezone: 'America/New_York' } }, '2024-03-15T06:20:30.456Z'],
      [at('2024-03-05T04:05:06.007Z', '%Y-%m-%d %H:%M:%S.%L %%'), '2024-03-05 04:05:06.007 %'],
      [at('2024-03-05T04:05:06.007Z', '%b %B'), 'Mar March'],
      [at('2024-03-05T04:05:06.007Z', 'no specifier'), 'no specifier'],
      [at('2024-03-05T04:05:06.007Z', ''), ''],
      [at('1969-12-31T23:59:59.999Z', '%Y-%j %H:%M:%S.%L'), '1969-365 23:59:59.999'],
      [at('0050-03-01T00:00:00Z', '%Y %j'), '0050 060'],
      [at('2017-07-04T14:56:42.911Z', '%H:%M %z %Z'), '14:56 +0000 0'],
      [at('2017-07-04T14:56:42.911Z', '%H:%M %z %Z', 'Europe/London'), '15:56 +0100 60'],
      [at('2017-01-04T14:56:42.911Z', '%H:%M %z %Z', 'Europe/London'), '14:56 +0000 0'],
      [at('2017-07-04T14:56:42.911Z', '%H:%M %z %Z', 'America/New_York'), '10:56 -0400 -240'],
      [at('2017-07-04T14:56:42.911Z', '%H:%M %z %Z', 'Asia/Kathmandu'), '20:41 +0545 345'],
      [at('2017-07-04T14:56:42.911Z', '%H:%M %z %Z', '-03:30'), '11:26 -0330 -210'],
      // Calendar weeks begin on Sunday, ISO weeks on Monday.
      [at('2017-01-01T00:00:00Z', '%Y-W%U-%w, %G-W%V-%u'), '2017-W01-1, 2016-W52-7'],
      [at('2017-01-02T00:00:00Z', '%Y-W%U-%w, %G-W%V-%u'), '2017-W01-2, 2017-W01-1'],
      [at('2021-01-01T00:00:00Z', '%Y-W%U-%w, %G-W%V-%u'), '2021-W00-6, 2020-W53-5'],
      [at('2024-12-31T00:00:00Z', '%Y-W%U-%w, %G-W%V-%u'), '2024-W52-3, 2025-W01-2'],
      [{ $dateToString: { date: new BSON.Timestamp({ t: 1350336377, i: 1 }) } }, '2012-10-15T21:26:17.000Z'],
      [
        { $dateToString: { date: new BSON.ObjectId('507c7f79bcf86cd7994f6c0e') } },
        '2012-10-15T21:26:17.000Z',
      ],
      [{ $dateToString: { date: null } }, null],
      [{ $dateToString: { date: '$missing', onNull: 'none' } }, 'none'],
      [{ $dateToString: { date: '$missing', onNull: '$missing' } }, MISSING],
      [{ $dateToString: { date: '$at', onNull: 'none', format: null } }, null],
      [{ $dateToString: { date: '$at', format: '$missing' } }, null],
      [{ $dateToString: { date: '$at', timezone: null } }, null],
      [{ $dateToString: { date: '$at', timezone: '$missing' } }, null],
      [{ $dateToString: { date: '$n' } }, rejected(16006)],
      [{ $dateToString: { date: '$at', format: 5 } }, rejected(18533)],
      [{ $dateToString: { date: '$at', format: '%Y %' } }, rejected(18535)],
      [{ $dateToString: { date: '$at', format: '%n' } }, rejected(18536)],
      [{ $dateToString: { date: null, format: '%n' } }, rejected(18536)],
      [at('+010000-01-01T00:00:00Z', '%Y'), rejected(18537)],
      [at('-000001-01-01T00:00:00Z', '%G'), rejected(18537)],
      [{ $dateToString: { date: '$at', timezone: 5 } }, rejected(40517)],
      [{ $dateToString: { date: '$at', timezone: 'Nowhere' } }, rejected(40485)],
      [{ $dateToString: { date: null, timezone: 'Nowhere' } }, rejected(40485)],
      [{ $dateToString: '$at' }, rejected(18629)],
      [{ $dateToString: { format: '%Y' } }, rejected(18628)],
      [{ $dateToString: { date: '$at', other: 1 } }, rejected(18534)],
    ],
  },
};
