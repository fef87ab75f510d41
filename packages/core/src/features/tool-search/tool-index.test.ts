import { describe, expect, it } from 'vitest';
import { createToolIndex, type IndexedTool } from './tool-index.ts';
import { tokenize } from './tokenize.ts';

function listing(name: string, description: string, args: Record<string, string> = {}): IndexedTool {
  const properties = Object.fromEntries(
    Object.entries(args).map(([key, text]) => [key, { type: 'string', description: text }]),
  );
  return { name, description, inputSchema: { type: 'object', properties } };
}

const tools = [
  listing('read_text_file', 'Returns the contents of a file as text', { path: 'Where the file is' }),
  listing('writeFile', 'Stores text in a file', { path: 'Where the file is', content: 'The text' }),
  listing('delete_directory', 'Deletes a directory and everything in it', { path: 'Where it is' }),
  listing('list_issues', 'Lists the issues of a repository', { repository: 'owner/name', state: 'open or closed' }),
  listing('create_issue', 'Opens an issue in a repository', { repository: 'owner/name', title: 'The title' }),
  listing('convert_currency', 'Converts an amount from one currency to another', { amount: 'How much' }),
  listing('get_weather', 'Returns the weather at a place', { city: 'The city' }),
  listing('resize_image', 'Changes the width and height of a picture', { width: 'In pixels' }),
  listing('send_email', 'Sends a message to an address', { to: 'The recipient' }),
  listing('获取新闻', '获取最新的新闻和热门资讯'),
];

const index = createToolIndex(tools);

function firstFor(query: string): string | undefined {
  return index.search(query)[0]?.tool.name;
}

describe('a tool index', () => {
  it.each([
    ['read a file', 'read_text_file'],
    ['show me what is in the document', 'read_text_file'],
    ['save text to a file', 'writeFile'],
    ['remove a folder', 'delete_directory'],
    ['list the bugs of my repo', 'list_issues'],
    ['report a new bug', 'create_issue'],
    ['how many euros are 20 dollars in another currency', 'convert_currency'],
    ['what is the forecast for tomorrow', 'get_weather'],
    ['make this photo smaller: change its width', 'resize_image'],
    ['mail bob@example.com', 'send_email'],
    ['open /home/ada/notes/todo.txt', 'read_text_file'],
    ['新闻', '获取新闻'],
  ])('finds by %j', (query, name) => {
    expect(firstFor(query)).toBe(name);
  });

  it.each([
    ['convret currency', 'convert_currency'],
    ['resise the image', 'resize_image'],
    ['get the wether', 'get_weather'],
  ])('finds by a query with a typo: %j', (query, name) => {
    expect(firstFor(query)).toBe(name);
  });

  it('prefers a tool with the words of the query side by side', () => {
    const rows = [
      listing('a', 'Sends the card of a customer that left credit'),
      listing('b', 'Sends the credit card that a customer left'),
    ];
    for (const some of [rows, rows.toReversed()]) {
      expect(createToolIndex(some).search('credit card')[0]?.tool.name).toBe('b');
    }
  });

  it.each([
    ['create a card "sales report"', 'card'],
    ['create a card ‘sales report’', 'card'],
    ["create the user's card 'sales report'", 'card'],
    ['a card for 2026', 'card'],
    ['could you tell me about the card', 'card'],
    ['I need a card today, for my family', 'card'],
    ['what does the sales report tell', 'sales_report'],
    ['"sales report"', 'sales_report'],
    ['tell', 'tell'],
    ['2026', 'year_2026'],
  ])('gives less weight to quoted text, numbers and phrases of a request: %j', (query, name) => {
    const rows = [
      listing('sales_report', 'Shows the report of sales'),
      listing('year_2026', 'Shows 2026'),
      listing('tell', 'Tells whether there is something'),
      listing('today', 'What a family can do today'),
      listing('card', 'Creates one that looks well on a desk'),
    ];
    expect(createToolIndex(rows).search(query)[0]?.tool.name).toBe(name);
  });

  it.each([
    ['an apartment with two bedrooms', 'rent_house'],
    ['is there a resort', 'find_accommodation'],
    ['has bitcoin recovered', 'finance'],
  ])('finds by the topic if no tool has the words: %j', (query, name) => {
    const rows = [
      listing('rent_house', 'Lists houses for rent'),
      listing('find_accommodation', 'Compares accommodations'),
      listing('finance', 'Follows the markets'),
      listing('jokes', 'Makes two jokes'),
    ];
    expect(createToolIndex(rows).search(query)[0]?.tool.name).toBe(name);
  });

  it('prefers the word of the query to its topic', () => {
    const rows = [listing('hotels', 'Hotel rooms'), listing('resorts', 'Resorts')];
    expect(createToolIndex(rows).search('resort')[0]?.tool.name).toBe('resorts');
  });

  it('finds a tool for each task of a long query', () => {
    const regions = ['north', 'south', 'east', 'west', 'centre', 'coast'];
    const rows = [
      ...regions.map((region) => listing(`${region}_invoices`, 'Lists monthly invoices of customers')),
      listing('order_courier', 'Makes an order'),
      ...Array.from({ length: 30 }, (_, number) => listing(`plant_${number}`, 'Waters flowers')),
    ];
    const query = [
      'Collect the monthly invoices of our largest customers, sum up the open amounts per country, and sort these by age.',
      'Weigh the packages that stand beside the door, print labels in black and white, and seal each of them twice.',
      'Then find a courier who drives to Lisbon before Christmas.',
    ].join(' ');
    const hits = createToolIndex(rows).search(query);
    expect(hits.map(({ tool }) => tool.name)).toContain('order_courier');
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  });

  it('finds a compound by its parts', () => {
    expect(createToolIndex([listing('take_screenshot', '')]).search('a screen shot')).toHaveLength(1);
  });

  it('gives the best first, and no more than wanted', () => {
    const hits = index.search('file', 2);
    expect(hits).toHaveLength(2);
    expect(hits[0]?.score).toBeGreaterThanOrEqual(hits[1]?.score ?? Infinity);
    expect(index.search('file').length).toBeLessThanOrEqual(5);
  });

  it('finds by the name of the server', () => {
    const rows = ['alpha', 'beta'].map((server) => ({ ...listing('search', 'Searches'), server }));
    expect(createToolIndex(rows).search('search beta')[0]?.tool.server).toBe('beta');
  });

  it('follows tools that are added and removed', () => {
    const some = createToolIndex(tools.slice(0, 3));
    const added = listing('play_music', 'Plays a song');
    expect(some.search('play a song')).toEqual([]);
    some.add(added);
    some.add(added);
    expect(some.search('play a song').map(({ tool }) => tool)).toEqual([added]);
    some.remove(added);
    some.remove(added);
    expect(some.search('play a song')).toEqual([]);
    expect(some.search('read a file')).toEqual(createToolIndex(tools.slice(0, 3)).search('read a file'));
  });

  it('keeps tools of the same name apart', () => {
    const rows = [listing('search', 'Searches the web'), listing('search', 'Searches mail')];
    expect(
      createToolIndex(rows)
        .search('search')
        .map(({ tool }) => tool),
    ).toEqual(expect.arrayContaining(rows));
  });

  it.each(['', '   ', '???', '\u0000\u0007', '🌙🌙', 'the of and'])('finds nothing by %j', (query) => {
    expect(index.search(query)).toEqual([]);
  });

  it('takes queries and descriptions of any size and kind', () => {
    const hostile = [
      listing('empty', ''),
      { name: 'bare', inputSchema: { type: 'object' } },
      {
        name: 'strange',
        inputSchema: { type: 'object', properties: { x: null, y: { description: 7 }, __proto__: null } },
      },
      listing('huge', 'word '.repeat(200_000)),
      listing('constructor', 'hasOwnProperty __proto__ toString'),
    ] as IndexedTool[];
    const all = createToolIndex([...tools, ...hostile]);
    for (const query of ['x'.repeat(100_000), 'read file '.repeat(10_000), '新'.repeat(100_000)]) all.search(query);
    expect(all.search('toString __proto__')[0]?.tool.name).toBe('constructor');
    expect(all.search('read a text file')[0]?.tool.name).toBe('read_text_file');
  });
});

describe('terms', () => {
  it.each([
    ['readTextFile parse_HTML-page v2', 'read text file pars html page v 2'],
    ['searches searching searched', 'search search search'],
    ['cancel cancelled cancellation', 'cancel cancel cancel'],
    ['generate generated generation', 'gener gener gener'],
    ['recommend recommendations', 'recommend recommend'],
    ['notify notifications', 'notifi notifi'],
    ['nutrition nutritional', 'nutrit nutrit'],
    ['install installing installation', 'instal instal instal'],
    ['add added adding', 'add add add'],
    ['The files of a repository', 'file repositori'],
    ["I'm sure the user's file doesn’t open", 'sure user file open'],
    ['最新的', '最新 新的'],
  ])('of %j are %j', (given, terms) => {
    expect(tokenize(given).join(' ')).toBe(terms);
  });
});
