import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { evil } from '../../fixtures/hostile.mjs';
import { safeFileName, saveContent, saveContents } from './save-files.ts';

let parent = '';
let folder = '';

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'ccmcp-out-'));
  folder = join(parent, 'out');
  const made = parent;
  onTestFinished(() => rmSync(made, { recursive: true, maxRetries: 10 }));
});

const picture = { type: 'image' as const, data: Buffer.from('PNG').toString('base64'), mimeType: 'image/png' };

describe('saved content', () => {
  it('includes images, audio and embedded bytes, under descriptive names', () => {
    const sound = { type: 'audio' as const, data: 'AA==', mimeType: 'audio/mpeg; rate=1' };
    const bytes = { uri: 'file:///a/report%201.pdf?x=/y', blob: 'AAEC', mimeType: 'application/pdf' };
    const text = { uri: 'file:///a.txt', text: 'x' };
    const saved = saveContent(
      [
        { type: 'text', text: 'x' },
        picture,
        sound,
        { type: 'resource', resource: bytes },
        { type: 'resource', resource: text },
      ],
      { folder, name: 'paint' },
    );
    expect(readdirSync(folder).sort()).toEqual(['paint.mp3', 'paint.png', 'report 1.pdf']);
    expect(saved.get(picture)).toBe(join(folder, 'paint.png'));
    expect(readFileSync(join(folder, 'paint.png'), 'utf8')).toBe('PNG');
    expect([...readFileSync(join(folder, 'report 1.pdf'))]).toEqual([0, 1, 2]);
  });

  it('includes the whole resource that is read', () => {
    saveContents([{ uri: 'note:///one', text: 'first' }], folder);
    expect(readFileSync(join(folder, 'one.txt'), 'utf8')).toBe('first');
  });

  it('is empty if no folder is given', () => {
    expect(saveContent([picture], { folder: undefined, name: 'x' }).size).toBe(0);
  });

  it('never overwrites a file, a folder or a link', () => {
    mkdirSync(join(folder, 'paint-2.png'), { recursive: true });
    writeFileSync(join(folder, 'paint.png'), 'mine');
    symlinkSync(join(parent, 'elsewhere'), join(folder, 'paint-3.png'));
    const saved = saveContent([picture, { ...picture }], { folder, name: 'paint' });
    expect([...saved.values()].map((path) => basename(path))).toEqual(['paint-4.png', 'paint-5.png']);
    expect(readFileSync(join(folder, 'paint.png'), 'utf8')).toBe('mine');
    expect(existsSync(join(parent, 'elsewhere'))).toBe(false);
  });

  it('reports a path that can not be written', () => {
    writeFileSync(folder, 'a file');
    expect(() => saveContent([picture], { folder, name: 'paint' })).toThrow(/Can't save to/);
  });
});

describe('the name of a file', () => {
  it.each([
    ['photo.jpeg', 'image/png', 'photo.jpeg'],
    ['photo', 'image/png', 'photo.png'],
    ['photo', 'x/y', 'photo.bin'],
    ['photo', undefined, 'photo.bin'],
    ['Grüße 漢字', 'text/plain', 'Grüße 漢字.txt'],
    ['', 'image/png', 'file.png'],
    ['..', 'image/png', 'file.png'],
    ['.bashrc', undefined, 'bashrc.bin'],
    ['-rf', undefined, 'rf.bin'],
    ['CON', undefined, '_CON.bin'],
    ['nul.txt', undefined, '_nul.txt'],
    ['a:b*c?d|e', 'image/png', 'a_b_c_d_e.png'],
    ['exe\u202Egpj.exe', 'image/png', 'exe_gpj.exe'],
    ['x. ', undefined, 'x.bin'],
  ])('%j of %s is %j', (wanted, mimeType, expected) => {
    expect(safeFileName(wanted, mimeType)).toBe(expected);
  });

  it.each([
    'a:///../../../etc/passwd',
    'a:///%2e%2e%2f%2e%2e%2fx',
    'file:///C:\\Windows\\x.dll',
    'a:///..%5C..%5Cx',
    'a:///%00x',
    'a:///%E0%A4%A',
    `a:///${evil}`,
    `a:///${'x'.repeat(5000)}`,
    `a:///${'\u6F22'.repeat(5000)}`,
    `a:///${'.'.repeat(300)}`,
    '',
    '////',
    'a:///~root',
    'a:///$(id)',
  ])('stays inside the folder even if it is hostile: %j', (uri) => {
    const [path = ''] = saveContents([{ uri, blob: 'AAEC' }], folder).values();
    expect(dirname(path)).toBe(folder);
    expect(readdirSync(parent)).toEqual(['out']);
    expect(readdirSync(folder)).toEqual([basename(path)]);
    expect(basename(path)).toMatch(/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._ -]*\.[A-Za-z0-9]+$/u);
  });
});
