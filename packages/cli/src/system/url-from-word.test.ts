import { describe, expect, it } from 'vitest';
import { urlFromWord } from './url-from-word.ts';

describe('a URL without a scheme', () => {
  it.each([
    ['https://example.com/mcp', 'https://example.com/mcp'],
    ['HTTP://example.com/mcp', 'HTTP://example.com/mcp'],
    ['localhost', 'http://localhost'],
    ['localhost:3000', 'http://localhost:3000'],
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['app.localhost/mcp', 'http://app.localhost/mcp'],
    ['127.0.0.1:8080/mcp', 'http://127.0.0.1:8080/mcp'],
    ['0.0.0.0:8080', 'http://0.0.0.0:8080'],
    ['[::1]:8080/mcp', 'http://[::1]:8080/mcp'],
    ['[2001:db8::1]/mcp', 'https://[2001:db8::1]/mcp'],
    ['192.168.1.7:3000/mcp', 'https://192.168.1.7:3000/mcp'],
    ['example.com', 'https://example.com'],
    ['example.com/mcp', 'https://example.com/mcp'],
    ['mcp.example.com:8443/v1/mcp?team=a', 'https://mcp.example.com:8443/v1/mcp?team=a'],
    ['127.0.0.1.example.com/mcp', 'https://127.0.0.1.example.com/mcp'],
    ['myhost:3000/mcp', 'https://myhost:3000/mcp'],
  ])('%s is %s', (word, url) => {
    expect(urlFromWord(word)).toBe(url);
  });

  it.each([
    'server.js',
    './server.js',
    '../server.ts',
    '/srv/server.mjs',
    'src/server.js',
    'my.project/server.js',
    'mcp.json',
    'main.py',
    'notes',
    'some-server',
    'cursor:github',
    'mcp.json:github',
    'C:\\server',
    'localhost:99999',
    'user@example.com/mcp',
    'ftp://example.com/',
    '',
  ])('%s is no URL', (word) => {
    expect(urlFromWord(word)).toBeUndefined();
  });
});
