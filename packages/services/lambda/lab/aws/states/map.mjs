// Runs the iterations of a Map, inline or as executions of their own.
import { setImmediate as settled } from 'node:timers/promises'
import { checkedText, stateError, terminal } from './errors.mjs'
import { evaluate } from './evaluate.mjs'

const MAX_INLINE = 40
const MAX_DISTRIBUTED = 10_000

/** Runs `work` for each number below `length`, `atOnce` at a time; the first failure is thrown, and no more are started. */
const forEach = async (length, atOnce, work) => {
  let next = 0
  let hasFailed = false
  const lane = async () => {
    while (next < length && !hasFailed) {
      const index = next
      next += 1
      try {
        await work(index)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(length, atOnce) }, lane))
}

const itemsOf = async (state, input, context) => {
  const items = await evaluate({ InputPath: state.ItemsPath ?? '$' }, input, context)
  if (!Array.isArray(items)) throw terminal('States.Runtime', 'The Map has no array of items.', {})
  return items
}

const concurrencyOf = async (state, input, context) =>
  state.MaxConcurrencyPath === undefined
    ? (state.MaxConcurrency ?? 0)
    : await evaluate({ InputPath: state.MaxConcurrencyPath }, input, context)

/** Input of one iteration. */
const itemInput = (state, input, item, index, context) => {
  const template = state.ItemSelector ?? state.Parameters
  if (!template) return item
  return evaluate({ Parameters: template }, input, {
    ...context,
    Map: { Item: { Index: index, Value: item } },
  })
}

const runInline = async (name, state, input, items, atOnce, scope, chain, run) => {
  chain.next('MapStateStarted', { length: items.length })
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, scope.signal])
  const outputs = []
  try {
    await forEach(items.length, Math.min(atOnce || MAX_INLINE, MAX_INLINE), async (index) => {
      const iteration = chain.fork()
      const details = { name, index }
      iteration.next('MapIterationStarted', details)
      try {
        const item = await itemInput(state, input, items[index], index, scope.context)
        outputs[index] = await run(state.ItemProcessor ?? state.Iterator, item, { ...scope, signal }, iteration)
        iteration.next('MapIterationSucceeded', details)
      } catch (error) {
        if (!scope.signal.aborted)
          iteration.next(stop.signal.aborted ? 'MapIterationAborted' : 'MapIterationFailed', details)
        stop.abort()
        throw error
      }
    })
  } catch (error) {
    if (!scope.signal.aborted) chain.next('MapStateFailed', { error: error.name, cause: error.message })
    throw error
  }
  chain.next('MapStateSucceeded')
  return outputs
}

/** A failed child ends the run with an error of its own: that of the child stays in the child's history. */
const tolerance = () =>
  stateError('States.ExceedToleratedFailureThreshold', 'The specified tolerated failure threshold was exceeded')

const runDistributed = async (name, state, input, items, atOnce, scope, chain) => {
  chain.next('MapStateStarted', { length: items.length })
  const run = scope.startMapRun({ name: state.Label ?? name, length: items.length, atOnce })
  chain.next('MapRunStarted', { mapRunArn: run.arn })
  const outputs = []
  try {
    await forEach(items.length, atOnce || MAX_DISTRIBUTED, async (index) => {
      const item = await itemInput(state, input, items[index], index, scope.context)
      outputs[index] = await run.startChild(state.ItemProcessor, item, scope.signal)
    })
  } catch {
    run.end(scope.signal.aborted ? 'ABORTED' : 'FAILED')
    const failed = tolerance()
    if (!scope.signal.aborted) chain.next('MapRunFailed', { error: failed.name, cause: failed.message })
    throw failed
  }
  run.end('SUCCEEDED')
  chain.next('MapRunSucceeded')
  chain.next('MapStateSucceeded')
  return outputs
}

/**
 * Handler of a Map. `run` runs one iteration as a machine.
 * @param {string} name
 */
export const runMap = (name, state, scope, chain, run) => async (input) => {
  await settled()
  if (scope.signal.aborted) throw stateError('States.Runtime', 'The execution has ended.')
  const items = await itemsOf(state, input, scope.context)
  const atOnce = await concurrencyOf(state, input, scope.context)
  const isDistributed = state.ItemProcessor?.ProcessorConfig?.Mode === 'DISTRIBUTED'
  const outputs = isDistributed
    ? await runDistributed(name, state, input, items, atOnce, scope, chain)
    : await runInline(name, state, input, items, atOnce, scope, chain, run)
  checkedText(outputs, state, `'${name}' returned a result`)
  return outputs
}
