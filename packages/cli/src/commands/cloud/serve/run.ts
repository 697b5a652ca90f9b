import { defined, loadProjectConfig, openContext } from '@vid/render'
import { fail } from '../../../errors.ts'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { itemsOf, milliseconds } from '../../../flags/server-flags.ts'
import { createReport } from '../../../report.ts'
import { stopped } from '../../../stops.ts'
import { CLOUD_PORT, placeFlags, serveFlags } from './flags.ts'

/** The OpenID provider of the operator, with what the environment says of it. */
const upstreamOf = (issuer: string | undefined, env: NodeJS.ProcessEnv, mayCreateAccounts: boolean) => {
  if (issuer === undefined) return undefined
  const { VID_OIDC_CLIENT_ID: clientId = '', VID_OIDC_CLIENT_SECRET: clientSecret = '' } = env
  if (clientId === '' || clientSecret === '') throw fail('VID_OIDC_CLIENT_MISSING', { issuer })
  return { issuer, clientId, clientSecret, mayCreateAccounts }
}

/** `vid cloud serve`: serves until a stop signal, then drains. */
export const runServe = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, env, signal } = context
  const { values: flags, errors } = checkFlags(serveFlags, rawFlags)
  throwErrors(errors)
  const report = createReport({ ...context, json: flags.json === true, quiet: false })
  const { target, preset } = flags
  // Each render loads it again; the operator hears of a wrong one before a client does.
  await loadProjectConfig(
    cwd,
    defined({ target, preset }),
    await openContext({ cwd, env, configFrom: 'cwd', loading: context.unguarded }),
  )
  const { startCloud } = await import('@vid/cloud')
  // Pages of strangers must not run without a sandbox.
  process.env.VID_SANDBOX ??= 'require'
  const cloud = await startCloud({
    databaseUrl: env.DATABASE_URL || undefined,
    api: {
      ...defined({
        host: flags.host,
        publicUrl: flags['public-url']?.replace(/\/$/, ''),
        playUrl: flags['play-url']?.replace(/\/$/, ''),
        storage: flags.storage,
        role: flags.role,
        uploadBytes: flags['max-upload'] as number | undefined,
        allowPrivateAddresses: flags['allow-private-addresses'],
        trustedProxies: itemsOf(flags['trusted-proxies']),
        allowedHosts: itemsOf(flags['allowed-hosts']),
        allowedOrigins: itemsOf(flags['allowed-origins']),
        metricsToken: env.VID_METRICS_TOKEN || undefined,
      }),
      cwd,
      state: flags.state ?? placeFlags.state.default,
      log: {
        level: flags['log-level'] ?? 'info',
        stream: { write: (line) => void context.stderr.write(line) },
      },
    },
    rendering: {
      maxConcurrentRenders: flags['max-concurrent-renders'],
      spreadSegments: flags['spread-segments'],
      renderTimeoutMs: milliseconds(flags['render-timeout']),
      network: flags.network,
      memoryBytes: flags.memory as number | undefined,
      env,
      target,
      preset,
    },
    sweep: defined({
      purgeAfterMs: milliseconds(flags['purge-after']),
      assetTtlMs: milliseconds(flags['asset-ttl']),
      segmentBytes: flags['segment-cache'] as number | undefined,
    }),
    upstream: upstreamOf(flags['oidc-issuer'], env, flags['oidc-create-accounts'] === true),
  })
  try {
    const { url, port } = await cloud.listen(flags.port ?? CLOUD_PORT)
    report.event({ type: 'cloud-start', url, port, ...(cloud.first && { apiKey: cloud.first.key }) })
    report.result(`listening on ${url}`)
    if (cloud.first) report.result(`API key of the first account, shown this once: ${cloud.first.key}`)
    await stopped(signal)
    cloud.app.log.info('stopping: running renders may finish; a second signal ends them at once')
  } finally {
    await cloud.close(milliseconds(flags['drain-timeout']) ?? 30_000)
  }
}
