// A definition as the library runs it: a Map is a Task whose handler runs the iterations, and waits are as long as a test wants.

/** The library waits a minute at most for a Task without a limit, and its timers end after 24 days. */
const NO_LIMIT_SECONDS = 2_000_000

const UNKNOWN = ['HeartbeatSeconds', 'HeartbeatSecondsPath', 'TimeoutSecondsPath', 'Assign', 'Arguments', 'Output']
const MAP_ONLY = [
  'ItemProcessor',
  'Iterator',
  'ItemSelector',
  'Parameters',
  'ItemsPath',
  'MaxConcurrency',
  'MaxConcurrencyPath',
  'Label',
  'ToleratedFailureCount',
  'ToleratedFailurePercentage',
  'ItemReader',
  'ItemBatcher',
  'ResultWriter',
]

/** The words of a definition that this endpoint does not do as AWS does; a test must not pass because of one. */
export const unsupported = (definition) => {
  const text = JSON.stringify(definition)
  const words = [
    '"QueryLanguage":"JSONata"',
    '$$.State',
    '$$.Task',
    '"ItemReader"',
    '"ItemBatcher"',
    '"ResultWriter"',
    '"Type":"Parallel"',
  ]
  const iterations = JSON.stringify(Object.values(definition.States ?? {}).filter(({ Type }) => Type === 'Map'))
  // In an iteration, the library means another input by it.
  const context = iterations.includes('$$.Execution.Input') ? ['$$.Execution.Input in a Map'] : []
  return [...words.filter((word) => text.includes(word)), ...context]
}

const scaled = (seconds, scale) => (seconds === undefined ? undefined : seconds * scale)

const retries = (state, scale) =>
  state.Retry?.map(({ IntervalSeconds = 1, MaxDelaySeconds, ...retrier }) => ({
    ...retrier,
    IntervalSeconds: scaled(IntervalSeconds, scale),
    ...(MaxDelaySeconds !== undefined && { MaxDelaySeconds: scaled(MaxDelaySeconds, scale) }),
  }))

const asTask = (state) => ({
  ...Object.fromEntries(Object.entries(state).filter(([name]) => !MAP_ONLY.includes(name))),
  Type: 'Task',
  Resource: 'arn:aws:lambda:us-east-1:123456789012:function:map',
})

/**
 * @param {object} definition of a machine or of an iteration
 * @param {number} retryScale factor of the waits before another attempt
 */
export const runnable = (definition, retryScale) => ({
  StartAt: definition.StartAt,
  ...(definition.TimeoutSeconds !== undefined && {
    TimeoutSeconds: Math.min(definition.TimeoutSeconds, NO_LIMIT_SECONDS),
  }),
  States: Object.fromEntries(
    Object.entries(definition.States).map(([name, state]) => {
      const unknown = UNKNOWN.filter((word) => word in state)
      if (unknown.length > 0) throw new Error(`${name} has ${unknown.join(', ')}, which is not here`)
      const retry = retries(state, retryScale)
      const plain = state.Type === 'Map' ? asTask(state) : state
      const timeout = { TimeoutSeconds: Math.min(plain.TimeoutSeconds ?? NO_LIMIT_SECONDS, NO_LIMIT_SECONDS) }
      return [name, { ...plain, ...(plain.Type === 'Task' && timeout), ...(retry && { Retry: retry }) }]
    }),
  ),
})
