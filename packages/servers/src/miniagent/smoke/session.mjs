import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { frame, messages, readFrames } from './frames.mjs';

/**
 * Pipes the smoke session into a server that speaks on stdio, and tells what came back.
 *
 * @param {string} command
 * @param {string[]} args
 */
export async function runSession(command, args) {
  const { code, stdout, stderr } = await pipe(command, args, Buffer.concat(messages.map(frame)));
  const answers = readFrames(stdout);
  const transcript = [
    ...messages.map((message) => told('client', JSON.stringify(message))),
    ...answers.map(fromServer),
  ];
  const text = `${transcript.join('\n\n')}\n`;
  const summary = {
    frames_in: messages.length,
    frames_out: answers.length,
    all_success: answers.map((answer) => JSON.parse(answer)).every(isSuccess),
    exit_code: code,
    transcript_sha256: createHash('sha256').update(text).digest('hex'),
  };
  return { transcript: text, summary, answers, stderr };
}

/** @param {string} body */
function fromServer(body) {
  return told('server', body);
}

/**
 * @param {string} who
 * @param {string} body
 */
function told(who, body) {
  return `${who}, Content-Length: ${Buffer.byteLength(body)}\n${body}`;
}

/** @param {{ result?: { isError?: boolean } }} answer */
function isSuccess({ result }) {
  return result !== undefined && result.isError !== true;
}

/**
 * Runs a program to its end on an input that is there in full.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Buffer} input
 * @returns {Promise<{ code: number | null, stdout: Buffer, stderr: string }>}
 */
function pipe(command, args, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'pipe' });
    /** @type {Buffer[]} */
    const stdout = [];
    /** @type {Buffer[]} */
    const stderr = [];
    child.stdout.on('data', (chunk) => stdout.push(chunk));
    child.stderr.on('data', (chunk) => stderr.push(chunk));
    // A server that fails to start is told by its exit code.
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    );
    child.stdin.end(input);
  });
}
