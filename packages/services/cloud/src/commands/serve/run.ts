import { type CommandRun, itemsOf, milliseconds, stopped } from '@vid/command'
import { defined, describeCause } from '@vid/protocol'
import { loadProjectConfig, openContext } from '@vid/render'
import { fail } from '../../errors.ts'
import type { StartedCloud } from '../../start-cloud.ts'
import { CLOUD_PORT, type serveOptions, serverPlaceOptions } from './options.ts'

/** The settings of the operator's OpenID provider, from the option and the environment. */
const upstreamOf = (issuer: string | undefined, env: NodeJS.ProcessEnv, mayCreateAccounts: boolean) => {
  if (issuer === undefined) return undefined
  const { VID_OIDC_CLIENT_ID: clientId = '', VID_OIDC_CLIENT_SECRET: clientSecret = '' } = env
  if (clientId === '' || clientSecret === '') throw fail('VID_OIDC_CLIENT_MISSING', { issuer })
  return { issuer, clientId, clientSecret, mayCreateAccounts }
}

type ServeRun = CommandRun<typeof serveOptions>

const apiOf = ({ cwd, env, options, stderr }: ServeRun) => ({
  ...defined({
    host: options.host,
    publicUrl: options['public-url']?.replace(/\/$/, ''),
    playUrl: options['play-url']?.replace(/\/$/, ''),
    storage: options.storage,
    role: options.role,
    uploadBytes: options['max-upload'] as number | undefined,
    allowPrivateAddresses: options['allow-private-addresses'],
    trustedProxies: itemsOf(options['trusted-proxies']),
    allowedHosts: itemsOf(options['allowed-hosts']),
    allowedOrigins: itemsOf(options['allowed-origins']),
    metricsToken: env.VID_METRICS_TOKEN || undefined,
  }),
  cwd,
  state: options.state ?? serverPlaceOptions.state.default,
  log: {
    level: options['log-level'] ?? 'info',
    stream: { write: (line: string) => void stderr.write(line) },
  },
})

/** Starts the server, when its database can be reached; undefined if the command is stopped before. */
const startServer = async (run: ServeRun): Promise<StartedCloud | undefined> => {
  const { env, signal, options, report } = run
  const { target, preset } = options
  const { startCloud } = await import('../../start-cloud.ts')
  // Pages of untrusted users must not run without a sandbox.
  process.env.VID_SANDBOX ??= 'require'
  return startCloud({
    waiting: { signal, onWait: (reason) => report.note(`waiting for the database: ${describeCause(reason)}`) },
    databaseUrl: env.DATABASE_URL || undefined,
    databaseConnections: options['database-connections'],
    api: apiOf(run),
    rendering: {
      maxConcurrentRenders: options['max-concurrent-renders'],
      spreadSegments: options['spread-segments'],
      renderTimeoutMs: milliseconds(options['render-timeout']),
      network: options.network,
      memoryBytes: options.memory as number | undefined,
      env,
      target,
      preset,
    },
    sweep: defined({
      purgeAfterMs: milliseconds(options['purge-after']),
      assetTtlMs: milliseconds(options['asset-ttl']),
      resultTtlMs: milliseconds(options['result-ttl']),
      segmentBytes: options['segment-cache'] as number | undefined,
    }),
    upstream: upstreamOf(options['oidc-issuer'], env, options['oidc-create-accounts'] === true),
  }).catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown
    return undefined
  })
}

/** Load balancers ask every few seconds whether a server is ready. */
const SHUTDOWN_DELAY_MS = 5_000

/** `vid cloud serve`: serves until a stop signal, then drains. */
export const runServe = async (run: ServeRun): Promise<void> => {
  const { cwd, env, signal, options, report, unguarded } = run
  const { target, preset } = options
  // Each render loads it again; loading it now shows the operator an invalid one before a client meets it.
  await loadProjectConfig(
    cwd,
    defined({ target, preset }),
    await openContext({ cwd, env, configFrom: 'cwd', loading: unguarded }),
  )
  const cloud = await startServer(run)
  if (!cloud) return
  try {
    const { url, port } = await cloud.listen(options.port ?? CLOUD_PORT)
    report.event({ type: 'cloud-start', url, port, ...(cloud.first && { apiKey: cloud.first.key }) })
    report.result(`listening on ${url}`)
    if (cloud.first) report.result(`API key of the first account, shown this once: ${cloud.first.key}`)
    await stopped(signal)
    cloud.app.log.info('stopping: running renders may finish; a second signal ends them at once')
  } finally {
    const delayMs = milliseconds(options['shutdown-delay']) ?? (env.DATABASE_URL ? SHUTDOWN_DELAY_MS : 0)
    await cloud.close(milliseconds(options['drain-timeout']) ?? 30_000, delayMs)
  }
}
