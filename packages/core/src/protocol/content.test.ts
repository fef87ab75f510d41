import { describe, expect, it } from 'vitest';
import { audio, embeddedResource, image, toBase64Text, isContentBlock, resourceLink, text } from './content.ts';

const bytes = Uint8Array.from([0, 1, 254, 255]);

describe('blocks of content', () => {
  it('are made from what they hold', () => {
    expect(text('a')).toEqual({ type: 'text', text: 'a' });
    expect(image(bytes, 'image/png')).toEqual({ type: 'image', data: 'AAH+/w==', mimeType: 'image/png' });
    expect(audio('AAH+/w==', 'audio/wav')).toEqual({ type: 'audio', data: 'AAH+/w==', mimeType: 'audio/wav' });
    expect(resourceLink({ uri: 'a://b', name: 'b' })).toEqual({ type: 'resource_link', uri: 'a://b', name: 'b' });
    expect(embeddedResource({ uri: 'a://b', text: 'c' })).toEqual({
      type: 'resource',
      resource: { uri: 'a://b', text: 'c' },
    });
  });

  it.each(['text', 'image', 'audio', 'resource', 'resource_link'])('are known by their type: %s', (type) => {
    expect(isContentBlock({ type })).toBe(true);
  });

  it.each([null, undefined, 'text', 1, {}, { type: 'video' }, { type: 1 }, ['text']])('are not %j', (value) => {
    expect(isContentBlock(value)).toBe(false);
  });

  it('take the bytes of a view, not all that is behind it', () => {
    expect(toBase64Text(bytes.subarray(1, 3))).toBe('Af4=');
    expect(toBase64Text('AQ==')).toBe('AQ==');
  });
});
