import { describe, expect, it } from 'vitest';
import { run } from '../support/ccmcp.ts';

describe('ccmcp completion', () => {
  it('lists the supported shells', async () => {
    const { code, stdout, stderr } = await run(['completion', 'tcsh']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('the shell must be one of bash, zsh, fish');
    expect((await run(['completion', '--help'])).stdout).toContain('Usage: ccmcp completion bash|zsh|fish');
  });
});
