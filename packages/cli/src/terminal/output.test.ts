import { describe, expect, it } from 'vitest';
import { contentText } from '../client/describe/result.ts';
import { isAsciiTerminal, progressBar, formatProgress } from '../client/commands/call.ts';

describe('a result of a server', () => {
  it('is described if it is not text', () => {
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
  ])('of %j is shown as %s', (progress, text) => {
    expect(formatProgress(progress)).toBe(text);
  });

  it.each([
    [{ progress: 1, total: 4 }, '#####--------------- 25%'],
    [{ progress: 9, total: 4, message: 'more' }, '#################### 225% more'],
    [{ progress: -1, total: 4 }, '-------------------- -25%'],
    [{ progress: 7, message: 'x' }, '7 x'],
  ])('of %j is shown as the bar %s', (progress, text) => {
    expect(progressBar(progress, { isPlain: true })).toBe(text);
  });

  it('is drawn with blocks if the terminal supports them', () => {
    expect(progressBar({ progress: 1, total: 2 }, { isPlain: false })).toBe('██████████░░░░░░░░░░ 50%');
    expect(isAsciiTerminal({ LANG: 'C' }, 'linux')).toBe(true);
    expect(isAsciiTerminal({ LANG: 'C', LC_ALL: 'en_GB.UTF-8' }, 'linux')).toBe(false);
    expect(isAsciiTerminal({}, 'darwin')).toBe(false);
    expect(isAsciiTerminal({}, 'win32')).toBe(true);
    expect(isAsciiTerminal({ WT_SESSION: 'x' }, 'win32')).toBe(false);
  });
});
