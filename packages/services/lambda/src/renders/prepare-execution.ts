import { randomUUID } from 'node:crypto'
import { digestOf } from '@vid/system'
import type { ExecutionInput } from '../contract/execution-input.ts'
import { DEFAULT_FORMAT } from '../contract/formats.ts'
import { MAX_EXECUTION_INPUT_BYTES } from '../contract/limits.ts'
import { renderKeys } from '../contract/object-keys.ts'
import { idProblems } from '../contract/places.ts'
import type { ConfigProblem } from '../errors.ts'
import { invalidConfig, refuseProblems } from '../invalid-config.ts'
import { version } from '../version.ts'
import { configProblems } from './config-problems.ts'
import type { RenderConfig } from './config-schema.ts'
import { defaultOutputKey, outputKeyProblem } from './output-key.ts'
import { chunkSettingsOf, requestOf } from './validate-config.ts'
import { readVariablesFile } from './variables-file.ts'

/** A render's task, independent of where it runs. */
export interface WantedRender {
  readonly siteId: string
  readonly config: RenderConfig
  /**
   * Key of the result in the bucket; for a folder, the prefix of its files. `outputs/<renderId>.<format>` if left out.
   */
  readonly outputKey?: string | undefined
  /** Name of the execution; generated if left out. Starting the same render twice under one name starts it once. */
  readonly renderId?: string | undefined
  /** Renders of one batch render a shared segment only once. */
  readonly batchId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A render that is ready to start. */
export interface PreparedExecution {
  readonly input: ExecutionInput
  /** The input text of the execution. */
  readonly text: string
  /** Variable values for the object that the input refers to. */
  readonly variables?: string
}

const problemsOf = ({ siteId, config, outputKey, renderId, batchId }: WantedRender): readonly ConfigProblem[] => {
  const problems = [...configProblems(config)]
  if (typeof siteId !== 'string' || !/^[0-9a-f]{64}$/.test(siteId))
    problems.push({
      field: 'siteHandle',
      problem: `it must have the id of a site; got ${JSON.stringify(siteId)}`,
    })
  if (renderId !== undefined) problems.push(...idProblems('renderId', renderId))
  if (batchId !== undefined) problems.push(...idProblems('batchId', batchId))
  const format = typeof config?.format === 'string' ? config.format : DEFAULT_FORMAT
  const problem = outputKey === undefined ? undefined : outputKeyProblem(outputKey, format)
  if (problem !== undefined) problems.push({ field: 'outputKey', problem })
  return problems
}

/** Refuses an input that exceeds the limit of Step Functions. */
const checkSize = (text: string): void => {
  const bytes = Buffer.byteLength(text)
  if (bytes <= MAX_EXECUTION_INPUT_BYTES) return
  throw invalidConfig({
    field: 'config.variables',
    problem: `with them the input of the execution has ${bytes} bytes, but a Standard workflow of Step Functions accepts at most ${MAX_EXECUTION_INPUT_BYTES}; shorten them, or render them alone from a file`,
  })
}

/**
 * Checks everything about a render that can be checked without AWS, and creates the input of its execution. Throws
 * InvalidConfigError, which also contains `otherProblems`. If the variable values of a file are too large for the
 * input, they go into an object that the input refers to.
 */
export const prepareExecution = async (
  order: WantedRender,
  otherProblems: readonly ConfigProblem[] = [],
): Promise<PreparedExecution> => {
  refuseProblems([...otherProblems, ...problemsOf(order)])
  const { siteId, config, batchId, signal, renderId = randomUUID() } = order
  const { variablesFile, reuse = true, growing = true } = config
  const request = requestOf(config)
  const values = variablesFile === undefined ? config.variables : await readVariablesFile(variablesFile, signal)
  const inputWith = (variables: Pick<ExecutionInput, 'variables' | 'variablesObject'>): ExecutionInput => ({
    action: 'plan',
    version,
    renderId,
    siteId,
    request,
    ...variables,
    chunks: chunkSettingsOf(config),
    outputKey: order.outputKey ?? defaultOutputKey(renderId, request.format ?? DEFAULT_FORMAT),
    ...(batchId !== undefined && { batchId }),
    reuse,
    growing: growing && request.format === 'hls',
  })
  const input = inputWith(values === undefined ? {} : { variables: values })
  const text = JSON.stringify(input)
  if (variablesFile === undefined || Buffer.byteLength(text) <= MAX_EXECUTION_INPUT_BYTES) {
    checkSize(text)
    return { input, text }
  }
  const variables = JSON.stringify(values)
  const sha256 = digestOf(variables)
  const referring = inputWith({ variablesObject: { key: renderKeys(renderId).variables, sha256 } })
  return { input: referring, text: JSON.stringify(referring), variables }
}
