import type { Handlers } from './handler.ts';
import { id, object, text } from './schema.ts';

/** What the page asks to find out what is wrong. */
export const doctorRequests: Handlers<'doctor'> = {
  doctor: {
    schema: object({ connection: id, target: id, typed: text, code: text }, 'connection', 'target', 'typed', 'code'),
    async run(asked, { connections, destinations, doctor }) {
      if ('connection' in asked) {
        const connection = connections.get(asked.connection);
        return { doctor: doctor.start(connection.doctorTarget, connection.id) };
      }
      const found = await destinations.resolve(asked, asked.code);
      return 'confirm' in found ? found : { doctor: doctor.start(found.target) };
    },
  },
};
