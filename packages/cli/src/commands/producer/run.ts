import { defined, loadProjectConfig, openContext } from '@vid/render'
import { fail } from '../../errors.ts'
import { parseFlag, ruleOf } from '../../flags/flag.ts'
import { checkFlags, type RawFlags, throwErrors } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { itemsOf, milliseconds } from '../../flags/server-flags.ts'
import { createReport } from '../../report.ts'
import { stopped } from '../../stops.ts'
import { producerFlags } from './flags.ts'

const CONCURRENCY = 'PRODUCER_MAX_CONCURRENT_RENDERS'
const TOKEN = 'VID_PRODUCER_TOKEN'

/** The number of renders at once that the environment asks for. */
const concurrencyOf = (env: NodeJS.ProcessEnv): number | undefined => {
  const text = env[CONCURRENCY]
  if (text === undefined || text === '') return undefined
  const flag = producerFlags['max-concurrent-renders']
  const value = parseFlag(flag, text)
  if (typeof value === 'number') return value
  throw fail('VID_FLAG_INVALID', { flag: CONCURRENCY, value: text, rule: ruleOf(flag) })
}

/** The tokens of the environment: one, or several with spaces or commas between them. */
const tokensOf = (env: NodeJS.ProcessEnv): string[] => (env[TOKEN] ?? '').split(/[\s,]+/).filter(Boolean)

/** `vid producer`: serves until a stop signal, then drains. */
export const runProducer = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, env, signal } = context
  const { values: flags, errors } = checkFlags(producerFlags, rawFlags)
  throwErrors(errors)
  const report = createReport({ ...context, json: flags.json === true, quiet: false })
  // Each render loads it again; the operator hears of a wrong one before a client does.
  await loadProjectConfig(cwd, {}, await openContext({ cwd, env, configFrom: 'cwd', loading: context.unguarded }))
  const { createProducer, isLoopback } = await import('@vid/producer')
  // Other machines send pages of strangers, which must not run without a sandbox.
  if (flags.host !== undefined && !isLoopback(flags.host)) process.env.VID_SANDBOX ??= 'require'
  const producer = await createProducer({
    ...defined({
      maxConcurrentRenders: flags['max-concurrent-renders'] ?? concurrencyOf(env),
      maxQueued: flags['max-queue'],
      stateDir: flags.state,
      root: flags.root,
      outputRoot: flags['output-root'],
      network: flags.network,
      memoryBytes: flags.memory as number | undefined,
      bodyBytes: flags['max-body'] as number | undefined,
      uploadBytes: flags['max-upload'] as number | undefined,
      renderTimeoutMs: milliseconds(flags['render-timeout']),
      outputTtlMs: milliseconds(flags['output-ttl']),
      allowedHosts: itemsOf(flags['allowed-hosts']),
      allowedOrigins: itemsOf(flags['allowed-origins']),
      host: flags.host,
    }),
    cwd,
    env,
    tokens: tokensOf(env),
    tokenSetting: TOKEN,
    log: {
      level: flags['log-level'] ?? 'info',
      stream: { write: (line) => void context.stderr.write(line) },
    },
  })
  try {
    const { url, port } = await producer.listen(flags.port ?? 9847)
    report.event({ type: 'producer-start', url, port })
    report.result(`listening on ${url}`)
    await stopped(signal)
    producer.app.log.info('stopping: running renders may finish; a second signal ends them at once')
  } finally {
    await producer.close(milliseconds(flags['drain-timeout']) ?? 30_000)
  }
}
