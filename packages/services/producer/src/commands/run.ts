import { type CommandRun, fail, itemsOf, milliseconds, parseOption, ruleOf, stopped } from '@vid/command'
import { defined } from '@vid/protocol'
import { loadProjectConfig, openContext } from '@vid/render'
import { producerOptions } from './options.ts'

const CONCURRENCY = 'PRODUCER_MAX_CONCURRENT_RENDERS'
const TOKEN = 'VID_PRODUCER_TOKEN'

/** The number of concurrent renders set in the environment. */
const concurrencyOf = (env: NodeJS.ProcessEnv): number | undefined => {
  const text = env[CONCURRENCY]
  if (text === undefined || text === '') return undefined
  const option = producerOptions['max-concurrent-renders']
  const value = parseOption(option, text)
  if (typeof value === 'number') return value
  throw fail('VID_FLAG_INVALID', { flag: CONCURRENCY, value: text, rule: ruleOf(option) })
}

/** The tokens in the environment, separated by spaces or commas. */
const tokensOf = (env: NodeJS.ProcessEnv): string[] => (env[TOKEN] ?? '').split(/[\s,]+/).filter(Boolean)

/** `vid producer`: serves until a stop signal, then drains. */
export const runProducer = async (run: CommandRun<typeof producerOptions>): Promise<void> => {
  const { cwd, env, signal, options, report, stderr, unguarded } = run
  // Each render loads it again; loading it now shows the operator an invalid one before a client meets it.
  await loadProjectConfig(cwd, {}, await openContext({ cwd, env, configFrom: 'cwd', loading: unguarded }))
  const [{ createProducer }, { isLoopback }] = await Promise.all([
    import('../create-producer.ts'),
    import('@vid/server'),
  ])
  // Other machines may send untrusted pages, which must not run without a sandbox.
  if (options.host !== undefined && !isLoopback(options.host)) process.env.VID_SANDBOX ??= 'require'
  const producer = await createProducer({
    ...defined({
      maxConcurrentRenders: options['max-concurrent-renders'] ?? concurrencyOf(env),
      maxQueued: options['max-queue'],
      stateDir: options.state,
      root: options.root,
      outputRoot: options['output-root'],
      network: options.network,
      memoryBytes: options.memory as number | undefined,
      bodyBytes: options['max-body'] as number | undefined,
      uploadBytes: options['max-upload'] as number | undefined,
      renderTimeoutMs: milliseconds(options['render-timeout']),
      outputTtlMs: milliseconds(options['output-ttl']),
      allowedHosts: itemsOf(options['allowed-hosts']),
      allowedOrigins: itemsOf(options['allowed-origins']),
      host: options.host,
    }),
    cwd,
    env,
    tokens: tokensOf(env),
    tokenSetting: TOKEN,
    log: {
      level: options['log-level'] ?? 'info',
      stream: { write: (line) => void stderr.write(line) },
    },
  })
  try {
    const { url, port } = await producer.listen(options.port ?? 9847)
    report.event({ type: 'producer-start', url, port })
    report.result(`listening on ${url}`)
    await stopped(signal)
    producer.app.log.info('stopping: running renders may finish; a second signal ends them at once')
  } finally {
    await producer.close(milliseconds(options['drain-timeout']) ?? 30_000)
  }
}
