import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseServeOptions } from '../../packages/cli/src/servers/serve-options.ts';
import { limits } from '@ccmcp/core';
import { deployFile } from './balancer.ts';

type Tree = Record<string, unknown>;

/** The value at a path such as `spec.template.0`. */
function at(tree: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Tree | undefined)?.[name], tree);
}

/** The allowed and required members of an object. Any other member is an error. */
type Shape = { [member: string]: Shape | 'any' };

/** Unknown or missing members of a tree, at any depth; `?` marks optional names, `*` any name. */
function mistakes(tree: unknown, shape: Shape | 'any', path = ''): string[] {
  if (shape === 'any') return [];
  if (Array.isArray(tree)) return tree.flatMap((each, index) => mistakes(each, shape, `${path}[${index}]`));
  if (typeof tree !== 'object' || tree === null) return [`${path} is no object`];
  const any = shape['*'];
  const found = Object.entries(tree).flatMap(([name, value]) => {
    const inner = shape[name] ?? shape[`${name}?`] ?? any;
    return inner === undefined ? [`${path}.${name} is unknown`] : mistakes(value, inner, `${path}.${name}`);
  });
  const missing = Object.keys(shape).filter((name) => !/[?*]$/.test(name) && !(name in tree));
  return [...found, ...missing.map((name) => `${path}.${name} is missing`)];
}

const meta: Shape = { name: 'any', 'labels?': { '*': 'any' }, 'annotations?': { '*': 'any' } };
const probe: Shape = {
  'httpGet?': { path: 'any', port: 'any' },
  'exec?': { command: 'any' },
  'periodSeconds?': 'any',
  'timeoutSeconds?': 'any',
  'failureThreshold?': 'any',
};
const container: Shape = {
  name: 'any',
  image: 'any',
  args: 'any',
  'env?': { name: 'any', valueFrom: { secretKeyRef: { name: 'any', key: 'any' } } },
  ports: { name: 'any', containerPort: 'any' },
  'lifecycle?': { preStop: { exec: { command: 'any' } } },
  'livenessProbe?': probe,
  readinessProbe: probe,
  resources: { requests: { cpu: 'any', memory: 'any' }, limits: { memory: 'any' } },
  securityContext: { allowPrivilegeEscalation: 'any', readOnlyRootFilesystem: 'any', capabilities: { drop: 'any' } },
  'volumeMounts?': { name: 'any', mountPath: 'any' },
};
const template: Shape = {
  metadata: { labels: { '*': 'any' } },
  spec: {
    'terminationGracePeriodSeconds?': 'any',
    automountServiceAccountToken: 'any',
    securityContext: { runAsNonRoot: 'any', runAsUser: 'any', 'fsGroup?': 'any', seccompProfile: { type: 'any' } },
    'topologySpreadConstraints?': {
      maxSkew: 'any',
      topologyKey: 'any',
      whenUnsatisfiable: 'any',
      labelSelector: { matchLabels: { '*': 'any' } },
    },
    containers: container,
  },
};
const selector: Shape = { matchLabels: { '*': 'any' } };
const object = (spec: Shape): Shape => ({ apiVersion: 'any', kind: 'any', metadata: meta, spec });

/** The kinds of Kubernetes that are used, by version and kind. */
const kinds: Record<string, Shape> = {
  'apps/v1 Deployment': object({
    replicas: 'any',
    selector,
    strategy: { type: 'any', rollingUpdate: { maxSurge: 'any', maxUnavailable: 'any' } },
    template,
  }),
  'apps/v1 StatefulSet': object({
    serviceName: 'any',
    replicas: 'any',
    selector,
    template,
    volumeClaimTemplates: {
      metadata: meta,
      spec: { accessModes: 'any', resources: { requests: { storage: 'any' } } },
    },
  }),
  'v1 Service': object({
    selector: { '*': 'any' },
    'clusterIP?': 'any',
    ports: { name: 'any', port: 'any', targetPort: 'any' },
  }),
  'policy/v1 PodDisruptionBudget': object({ maxUnavailable: 'any', selector }),
  'networking.k8s.io/v1 Ingress': object({
    ingressClassName: 'any',
    tls: { hosts: 'any', secretName: 'any' },
    rules: {
      host: 'any',
      http: {
        paths: { path: 'any', pathType: 'any', backend: { service: { name: 'any', port: { name: 'any' } } } },
      },
    },
  }),
  'networking.k8s.io/v1 NetworkPolicy': object({
    podSelector: selector,
    policyTypes: 'any',
    ingress: { from: { podSelector: selector }, ports: { port: 'any' } },
  }),
};

const service: Shape = {
  image: 'any',
  'build?': 'any',
  'command?': 'any',
  'environment?': { '*': 'any' },
  'init?': 'any',
  'read_only?': 'any',
  'cap_drop?': 'any',
  'security_opt?': 'any',
  restart: 'any',
  'stop_grace_period?': 'any',
  'healthcheck?': { test: 'any', interval: 'any', timeout: 'any', retries: 'any', 'start_period?': 'any' },
  'depends_on?': { '*': { condition: 'any' } },
  'ports?': 'any',
  'volumes?': 'any',
};

/** Checks that arguments are valid for the command. */
function command(args: unknown): Tree {
  return { ...parseServeOptions(args as string[], {}) };
}

const served = {
  kind: 'serve',
  servers: ['greeting'],
  http: { host: '0.0.0.0', port: 8080 },
  allowHosts: ['mcp.example.com'],
  apiKeyVariable: 'MCP_KEYS',
  health: true,
};
const graceMs = limits.http.graceMs.value;

describe('the manifests for Kubernetes', () => {
  const documents = parseAllDocuments(deployFile('kubernetes.yaml'));
  const objects = documents.map((document) => document.toJS() as Tree);
  const find = (kind: string, name = 'ccmcp'): Tree =>
    objects.find((each) => each.kind === kind && at(each, 'metadata.name') === name) ?? {};
  const pod = at(find('Deployment'), 'spec.template.spec');
  const app = at(pod, 'containers.0');

  it('have only members that Kubernetes knows, and all required ones', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(objects).toHaveLength(7);
    expect(
      objects.flatMap((each) => {
        const kind = `${String(each.apiVersion)} ${String(each.kind)}`;
        const shape = kinds[kind];
        return shape === undefined ? [`${kind} is unknown`] : mistakes(each, shape, kind);
      }),
    ).toEqual([]);
  });

  it('reference only existing objects in selectors, mounts and names', () => {
    for (const kind of ['Deployment', 'StatefulSet']) {
      const each = find(kind, kind === 'Deployment' ? 'ccmcp' : 'ccmcp-redis');
      expect(at(each, 'spec.selector.matchLabels')).toEqual(at(each, 'spec.template.metadata.labels'));
    }
    const labels = at(find('Deployment'), 'spec.selector.matchLabels');
    expect(at(find('Service'), 'spec.selector')).toEqual(labels);
    expect(at(find('PodDisruptionBudget'), 'spec.selector.matchLabels')).toEqual(labels);
    const policy = find('NetworkPolicy', 'ccmcp-redis');
    expect(at(policy, 'spec.ingress.0.from.0.podSelector.matchLabels')).toEqual(labels);
    expect(at(policy, 'spec.podSelector.matchLabels')).toEqual(at(find('Service', 'ccmcp-redis'), 'spec.selector'));
    expect(at(find('Ingress'), 'spec.rules.0.http.paths.0.backend.service.name')).toBe('ccmcp');
    expect(at(app, 'ports.0.name')).toBe(at(find('Service'), 'spec.ports.0.targetPort'));
  });

  it('pass valid options, with existing probe paths and enough time to drain', () => {
    expect(command(at(app, 'args'))).toMatchObject({ ...served, store: 'redis://ccmcp-redis:6379' });
    expect([at(app, 'livenessProbe.httpGet.path'), at(app, 'readinessProbe.httpGet.path')]).toEqual([
      '/healthz',
      '/readyz',
    ]);
    const pauseMs = Number((at(app, 'lifecycle.preStop.exec.command') as string[])[1]) * 1000;
    const allMs = Number(at(pod, 'terminationGracePeriodSeconds')) * 1000;
    expect(allMs).toBeGreaterThan(pauseMs + 2 * graceMs);
    expect(at(find('Deployment'), 'spec.strategy.rollingUpdate.maxUnavailable')).toBe(0);
  });
});

describe('the file for Compose', () => {
  const file = parse(deployFile('compose.yaml'), { merge: true }) as Tree;
  const services = file.services as Record<string, Tree>;

  it('has only members that Compose knows, and defined services', () => {
    expect(mistakes(file, { name: 'any', 'x-app': 'any', services: { '*': service }, volumes: 'any' })).toEqual([]);
    expect(Object.keys(services)).toEqual(['app-1', 'app-2', 'redis', 'nginx']);
    const wanted = Object.values(services).flatMap((each) => Object.keys(each.depends_on ?? {}));
    expect(wanted.filter((name) => !(name in services))).toEqual([]);
    // A service that others wait for needs a health check.
    expect(wanted.filter((name) => services[name]?.healthcheck === undefined)).toEqual([]);
  });

  it('passes valid options, with an existing probe path and enough time to drain', () => {
    for (const name of ['app-1', 'app-2']) {
      expect(command(services[name]?.command)).toMatchObject({ ...served, store: 'redis://redis:6379' });
      expect(String(at(services[name], 'healthcheck.test'))).toContain('http://127.0.0.1:8080/readyz');
      expect(Number.parseInt(String(services[name]?.stop_grace_period), 10) * 1000).toBeGreaterThan(2 * graceMs);
    }
  });

  it('has the names and files that nginx is configured with', () => {
    const config = deployFile('nginx.conf');
    for (const name of ['app-1:8080', 'app-2:8080', '/etc/nginx/tls/']) expect(config).toContain(name);
    expect(services.nginx?.volumes).toContain('./nginx.conf:/etc/nginx/nginx.conf:ro');
  });
});

describe('the check of members', () => {
  it('reports an unknown member, a missing one, and a value that is no object', () => {
    const shape: Shape = { a: { b: 'any' }, 'c?': 'any' };
    expect(mistakes({ a: [{ b: 1 }, { d: 1 }], e: 1 }, shape)).toEqual([
      '.a[1].d is unknown',
      '.a[1].b is missing',
      '.e is unknown',
    ]);
    expect(mistakes({ a: 1 }, shape)).toEqual(['.a is no object']);
  });
});
