// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { makeServer } from './server.mjs';

const [, , port, mode] = process.argv;

await makeServer().start({
  transportType: 'httpStream',
  httpStream: { port: Number(port), host: '127.0.0.1', enableJsonResponse: true, stateless: mode === 'stateless' },
});
console.log('ready');
