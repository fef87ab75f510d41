import { AppBridge, type McpUiHostContext, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** The host, as tests control and observe it. */
interface Host {
  open(context: McpUiHostContext, capabilities: object): Promise<void>;
  bridge: AppBridge;
  sizes: { width?: number | undefined; height?: number | undefined }[];
}

type Called = Awaited<ReturnType<NonNullable<AppBridge['oncalltool']>>>;

declare global {
  interface Window {
    host: Host;
    /** Calls a tool of the server under test. */
    callServer(params: object): Promise<Called>;
  }
}

const frame = document.querySelector('iframe') as HTMLIFrameElement;

window.host = {
  sizes: [],
  bridge: new AppBridge(null, { name: 'official', version: '1.0.0' }, {}),
  async open(context, capabilities) {
    const bridge = new AppBridge(null, { name: 'official', version: '1.0.0' }, capabilities, { hostContext: context });
    window.host.bridge = bridge;
    const initialized = new Promise<void>((resolve) => (bridge.oninitialized = () => resolve()));
    bridge.onsizechange = (size) => {
      window.host.sizes.push(size);
      if (size.height !== undefined) frame.style.height = `${size.height}px`;
    };
    bridge.oncalltool = (params) => window.callServer(params);
    const target = frame.contentWindow as Window;
    await bridge.connect(new PostMessageTransport(target, target));
    frame.src = '/view';
    await initialized;
  },
};
