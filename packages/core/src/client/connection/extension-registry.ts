import type { Params } from '../../jsonrpc/message.ts';
import { checkExtensionId, checkIsNoMaker, isInEra } from '../../protocol/capabilities.ts';
import { MethodTable, protocolMethods } from '../../protocol/methods.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { ClientExtension, ClientMiddleware, ClientNotification, KnownServer, ResultType } from '../extension.ts';

type Era = Revision['era'];

/** A contribution of an extension. */
interface Contribution<T> {
  readonly extension: ClientExtension;
  readonly value: T;
}

/** Result types of the protocol itself. */
const protocolTypes = new Set(['complete', 'input_required']);

/** The extensions of a client: what they declare in each era, and which one owns a result type or notification. */
export class ExtensionRegistry {
  /** The methods of the protocol and of the extensions. */
  readonly methods: MethodTable;
  readonly #all: readonly ClientExtension[];
  readonly #resultTypes = new Map<string, Contribution<ResultType>>();
  readonly #notifications = new Map<string, Contribution<ClientNotification>>();

  constructor(extensions: readonly ClientExtension[]) {
    const ids = new Set<string>();
    const methods = new Set(Object.keys(protocolMethods()));
    for (const extension of extensions) {
      checkIsNoMaker(extension);
      const { id, resultTypes = {}, notifications = {} } = extension;
      checkExtensionId(id);
      if (ids.has(id)) throw new TypeError(`The extension "${id}" is given twice: leave one out`);
      ids.add(id);
      for (const method of Object.keys(extension.methods ?? {})) {
        if (methods.has(method)) throw nameTaken(extension, 'method', method);
        methods.add(method);
      }
      for (const name of protocolTypes) if (Object.hasOwn(resultTypes, name)) throw nameTaken(extension, 'type', name);
      add(this.#resultTypes, extension, 'type', resultTypes);
      add(this.#notifications, extension, 'notification', notifications);
    }
    this.#all = extensions;
    this.methods = new MethodTable(...extensions.map((extension) => extension.methods ?? {}));
  }

  /** The settings declared in an era, by extension id. */
  settings(era: Era): Record<string, object> {
    const declared = this.#all.filter((extension) => isInEra(extension, era));
    return Object.fromEntries(declared.map(({ id, settings = {} }) => [id, settings]));
  }

  /** The extension's result type with this name, in this era. */
  resultType(era: Era, name: unknown): ResultType | undefined {
    const added = this.#resultTypes.get(name as string);
    return added !== undefined && isInEra(added.extension, era) ? added.value : undefined;
  }

  /** Middleware of the extensions for a server, the first one outermost. */
  middlewareFor(server: KnownServer): readonly ClientMiddleware[] {
    return this.#all.flatMap((extension) => extension.around?.(server) ?? []);
  }

  /** The id of the extension that owns a notification in this era. */
  extensionOfNotification(era: Era, method: string): string | undefined {
    const added = this.#notifications.get(method);
    return added !== undefined && isInEra(added.extension, era) ? added.extension.id : undefined;
  }

  /** Dispatches a notification to its extension. Errors of the extension go to `failed`. */
  async dispatchNotification(era: Era, method: string, params: Params, failed: (text: string) => void): Promise<void> {
    const added = this.#notifications.get(method);
    if (added === undefined || !isInEra(added.extension, era)) return;
    try {
      await added.value.onNotification?.(params);
    } catch (error) {
      failed(`The extension "${added.extension.id}" failed on "${method}": ${(error as Error).message}`);
    }
  }
}

function add<T>(
  to: Map<string, Contribution<T>>,
  extension: ClientExtension,
  what: string,
  values: Readonly<Record<string, T>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (to.has(name)) throw nameTaken(extension, what, name);
    to.set(name, { extension, value });
  }
}

function nameTaken({ id }: ClientExtension, what: string, name: string): TypeError {
  return new TypeError(
    `The extension "${id}" adds the ${what} "${name}", which the protocol or another extension has: give it another name`,
  );
}
