import type { TxtNode, TxtNodeLocation, TxtParentNode } from '@textlint/ast-node-types';
import type { TextlintPluginCreator } from '@textlint/types';

/** Where a text that people read begins and ends in a source file. The title of a test is a text, too. */
export type TextRange = readonly [start: number, end: number, kind?: 'title'];

/** A textlint plugin for a programming language: each text that `findTexts` finds in the source is a paragraph, each title of a test a header. */
export function textPlugin(
  extensions: string[],
  findTexts: (source: string, path: string) => TextRange[],
): TextlintPluginCreator {
  class Processor {
    availableExtensions(): string[] {
      return extensions;
    }

    processor() {
      return {
        preProcess: (source: string, path = ''): TxtParentNode => toDocument(source, findTexts(source, path)),
        postProcess: (messages: unknown[], path = '') => ({ messages, filePath: path }),
      };
    }
  }
  return { Processor } as unknown as TextlintPluginCreator;
}

function toDocument(source: string, texts: TextRange[]): TxtParentNode {
  const location = locator(source);
  const node = (type: string, [start, end]: TextRange) => {
    const raw = source.slice(start, end);
    return { type, raw, value: raw, range: [start, end], loc: location(start, end) } as unknown as TxtNode;
  };
  const children = texts.map((text) =>
    text[2] === 'title'
      ? { ...node('Header', text), children: [] }
      : { ...node('Paragraph', text), children: [node('Str', text)] },
  );
  return { ...node('Document', [0, source.length]), children } as unknown as TxtParentNode;
}

function locator(source: string): (start: number, end: number) => TxtNodeLocation {
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const position = (offset: number) => {
    const line = lineStarts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) };
  };
  return (start, end) => ({ start: position(start), end: position(end) });
}
