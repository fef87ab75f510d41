// Schemas by zod: they check the arguments, fill in defaults, type the handler, and become the JSON Schema that clients
// see. The result is checked against `output` and sent as structured content.
// Run it with: node examples/typed-with-zod/server.js
import { createServer, ToolError, tool } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';
import * as z from 'zod';

const convert = tool(
  'convert_temperature',
  {
    title: 'Convert a temperature',
    description: 'Convert a temperature between Celsius, Fahrenheit and Kelvin',
    input: z.object({
      value: z.number().describe('The temperature'),
      from: z.enum(['celsius', 'fahrenheit', 'kelvin']),
      to: z.enum(['celsius', 'fahrenheit', 'kelvin']).default('celsius'),
    }),
    output: z.object({ value: z.number(), unit: z.string() }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ value, from, to }) => {
    const kelvin = toKelvin[from](value);
    if (kelvin < 0) throw new ToolError('That is below absolute zero: no such temperature exists');
    return { value: Math.round(fromKelvin[to](kelvin) * 100) / 100, unit: to };
  },
);

const toKelvin = {
  celsius: (/** @type {number} */ value) => value + 273.15,
  fahrenheit: (/** @type {number} */ value) => ((value + 459.67) * 5) / 9,
  kelvin: (/** @type {number} */ value) => value,
};

const fromKelvin = {
  celsius: (/** @type {number} */ kelvin) => kelvin - 273.15,
  fahrenheit: (/** @type {number} */ kelvin) => (kelvin * 9) / 5 - 459.67,
  kelvin: (/** @type {number} */ kelvin) => kelvin,
};

serveStdio(createServer({ name: 'temperatures', version: '1.0.0', tools: [convert] }));
