import { rejected, type Tables } from '../support/tables.ts';
import { double, long } from '../support/values.ts';

export const STRING: Tables<unknown> = {
  $concat: {
    title: 'joins strings, and is null from the first null on',
    cases: [
      [{ $concat: ['$s', '!', 'x'] }, 'Hello!x'],
      [{ $concat: [] }, ''],
      [{ $concat: '$s' }, 'Hello'],
      [{ $concat: ['$s', null] }, null],
      [{ $concat: ['$missing', '$n'] }, null],
      [{ $concat: ['$n', '$missing'] }, rejected(16702)],
      [{ $concat: ['$s', '$at'] }, rejected(16702)],
    ],
  },
  $toLower: {
    title: 'converts ASCII letters, and other types to strings',
    cases: [
      [{ $toLower: '$s' }, 'hello'],
      [{ $toLower: ['ÀB'] }, 'Àb'],
      [{ $toLower: null }, ''],
      [{ $toLower: '$missing' }, ''],
      [{ $toLower: 5 }, '5'],
      [{ $toLower: long(-5) }, '-5'],
      [{ $toLower: '$at' }, '2024-03-15t10:20:30.456z'],
      [{ $toLower: true }, rejected(16007)],
      [{ $toLower: '$list' }, rejected(16007)],
    ],
  },
  $toUpper: {
    title: 'converts ASCII letters, and other types to strings',
    cases: [
      [{ $toUpper: '$s' }, 'HELLO'],
      [{ $toUpper: 'éß' }, 'éß'],
      [{ $toUpper: '$missing' }, ''],
      [{ $toUpper: '$at' }, '2024-03-15T10:20:30.456Z'],
      [{ $toUpper: '$sub' }, rejected(16007)],
      [{ $toUpper: new Date('+010000-01-01T00:00:00Z') }, rejected(18537)],
    ],
  },
  $strLenCP: {
    title: 'counts code points',
    cases: [
      [{ $strLenCP: '' }, 0],
      [{ $strLenCP: 'é€\u{1F600}' }, 3],
      [{ $strLenCP: 'e\u0301' }, 2],
      [{ $strLenCP: null }, rejected(34471)],
      [{ $strLenCP: '$missing' }, rejected(34471)],
      [{ $strLenCP: '$n' }, rejected(34471)],
    ],
  },
  $substrCP: {
    title: 'returns a part of a string by code points',
    cases: [
      [{ $substrCP: ['$s', 1, 3] }, 'ell'],
      [{ $substrCP: ['a\u{1F600}b', 1, 1] }, '\u{1F600}'],
      [{ $substrCP: ['$s', 3, 99] }, 'lo'],
      [{ $substrCP: ['$s', 9, 1] }, ''],
      [{ $substrCP: ['$s', double(1), long(1)] }, 'e'],
      [{ $substrCP: ['$missing', 0, 1] }, ''],
      [{ $substrCP: [12345, 1, 2] }, '23'],
      [{ $substrCP: ['$s', '$s', 1] }, rejected(34450)],
      [{ $substrCP: ['$s', 1.5, 1] }, rejected(34451)],
      [{ $substrCP: ['$s', 1, null] }, rejected(34452)],
      [{ $substrCP: ['$s', 1, long(2147483648)] }, rejected(34453)],
      [{ $substrCP: ['$s', 1, -1] }, rejected(34454)],
      [{ $substrCP: ['$s', -1, 1] }, rejected(34455)],
      [{ $substrCP: ['$s', 1] }, rejected(16020)],
    ],
  },
  $split: {
    title: 'splits a string at each separator',
    cases: [
      [{ $split: ['a,b,c', ','] }, ['a', 'b', 'c']],
      [{ $split: [',a,,b', ','] }, ['', 'a', '', 'b']],
      [{ $split: ['abc', 'x'] }, ['abc']],
      [{ $split: ['', ','] }, ['']],
      [{ $split: ['$missing', ','] }, null],
      [{ $split: ['$n', null] }, null],
      [{ $split: ['$n', ','] }, rejected(40085)],
      [{ $split: ['$s', '$n'] }, rejected(40086)],
      [{ $split: ['$s', ''] }, rejected(40087)],
    ],
  },
};
