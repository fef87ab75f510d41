import { serveHttp } from '@ccmcp/core/http';
import { fixtureServer } from './server.ts';

const { url } = await serveHttp(fixtureServer(), { port: Number(process.argv[2] ?? 0) });
console.log(url);
