import { describe, expect, it } from 'vitest';
import { progressText } from './call.ts';
import { contentText, plain } from './output.ts';

describe('what a server says', () => {
  it('is shown without what steers the terminal', () => {
    expect(plain('a\u001B[31mb\u0007\u009B2Jc\r\n\td\u00E9\u{1F600}')).toBe('a[31mb2Jc\n\td\u00E9\u{1F600}');
  });

  it('is shown in words where it is no text', () => {
    const shown = contentText([
      { type: 'text', text: 'one' },
      { type: 'image', data: 'AAEC', mimeType: 'image/png' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'a:b', text: 'inside' } },
      { type: 'resource', resource: { uri: 'a:c', blob: 'AAEC' } },
      { type: 'resource_link', uri: 'a:d', name: 'd' },
    ]);
    expect(shown.split('\n')).toEqual([
      'one',
      '[image, image/png, 3 bytes]',
      '[audio, audio/wav, 1 bytes]',
      'inside',
      '[binary data, 3 bytes]',
      '[link to a:d]',
    ]);
  });
});

describe('progress', () => {
  it.each([
    [{ progress: 1, total: 4 }, '25%'],
    [{ progress: 1, total: 3, message: 'reading' }, '33% reading'],
    [{ progress: 7 }, '7'],
    [{ progress: 7, total: 0, message: 'x' }, '7 x'],
  ])('of %j is %s', (progress, text) => {
    expect(progressText(progress)).toBe(text);
  });
});
