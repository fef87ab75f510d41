// An HTTP API as tools, by its OpenAPI document. A real API runs elsewhere: this one is started here, to have something to call.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { serveStdio } from '@ccmcp/core/stdio';
import { openApi } from '@ccmcp/openapi';

const books = ['Moby-Dick', 'Middlemarch', 'Emma'].map((title, index) => ({ id: index + 1, title }));

const shop = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop');
  const page = Number(searchParams.get('page') ?? 1);
  const [, id] = /^\/books\/(\d+)$/.exec(pathname) ?? [];
  const book = books.find((each) => each.id === Number(id));
  if (request.headers['x-shop-key'] !== 'secret') return void response.writeHead(401).end();
  if (id !== undefined && book === undefined) return void response.writeHead(404).end('There is no such book');
  if (page * 2 < books.length) response.setHeader('Link', `</books?page=${page + 1}>; rel="next"`);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(book ?? { books: books.slice(page * 2 - 2, page * 2) }));
});
shop.listen(0, '127.0.0.1').unref();
await once(shop, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (shop.address());

const api = await openApi(new URL('bookshop.yaml', import.meta.url), {
  baseUrl: `http://127.0.0.1:${port}`,
  auth: { key: 'secret' },
});
serveStdio(api);
