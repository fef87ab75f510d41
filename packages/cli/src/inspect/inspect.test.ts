import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseWords } from '../client/options.ts';
import { resolveModel } from './inspect.ts';
import { resolveTyped } from './create-inspector.ts';

const inspect = { name: 'inspect', ownOptions: ['port', 'no-open'] as const, takesTaskId: false };

const key = 'sk-own-key-of-a-person-0001';

function modelOf(...words: string[]) {
  return resolveModel(parseWords(words, inspect).options.model);
}

function withVariable(name: string, value: string): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('a model for the inspector', () => {
  it('is disabled without an option', () => {
    expect(modelOf('notes')).toBeUndefined();
    expect(() => modelOf('--model-url', 'https://models.example')).toThrow('--model-url is for a model');
  });

  it('has a key from a variable or a file, without surrounding white space', () => {
    withVariable('CCMCP_TEST_KEY', `${key}\n`);
    expect(modelOf('--model', 'claude-x', '--model-key-env', 'CCMCP_TEST_KEY')).toEqual({
      model: 'claude-x',
      service: 'anthropic',
      key,
    });
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-key-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    const file = join(folder, 'key');
    writeFileSync(file, ` ${key}\n`);
    const url = 'http://127.0.0.1:11434/v1';
    expect(modelOf('--model', 'llama', '--model-url', url, '--model-key-file', file)).toEqual({
      model: 'llama',
      service: 'openai',
      url,
      key,
    });
    expect(() => modelOf('--model', 'm', '--model-key-file', join(folder, 'none'))).toThrow("can't be read");
  });

  it('uses the API that the options select', () => {
    expect(modelOf('--model', 'claude-x', '--model-service', 'openai')).toEqual({
      model: 'claude-x',
      service: 'openai',
    });
    expect(() => modelOf('--model', 'm', '--model-service', 'soap')).toThrow('--model-service must be one of');
  });

  it('rejects a missing variable, and never echoes a key given instead of its name', () => {
    expect(() => modelOf('--model', 'm', '--model-key-env', 'CCMCP_TEST_NONE')).toThrow('there is no variable');
    expect(() => modelOf('--model', 'm', '--model-key-env', key)).toThrow(
      /^--model-key-env takes the name of a variable$/,
    );
    withVariable('CCMCP_TEST_KEY', key);
    expect(() => modelOf('--model', 'm', '--model-key-env', 'CCMCP_TEST_KEY', '--model-key-file', 'x')).toThrow(
      'There is one key',
    );
  });

  it('hides the variable with the key from started programs, unless they get it by name', async () => {
    withVariable('CCMCP_TEST_KEY', key);
    withVariable('CCMCP_TEST_OTHER', 'seen');
    const words = ['--model', 'm', '--model-key-env', 'CCMCP_TEST_KEY'];
    const { options } = parseWords(words, inspect);
    const target = await resolveTyped('-- node server.js', options);
    expect(target).toMatchObject({ kind: 'command', env: { CCMCP_TEST_OTHER: 'seen' } });
    expect(JSON.stringify(target)).not.toContain(key);
    const given = parseWords([...words, '--env', 'CCMCP_TEST_KEY=mine'], inspect);
    expect(await resolveTyped('-- node server.js', given.options)).toMatchObject({ env: { CCMCP_TEST_KEY: 'mine' } });
  });
});
