import { createHash } from 'node:crypto'
import { canonicalJson, type RenderMaker, takesRequests } from '@vid/kernel'
import { checkRequest, portableOptions, type RenderRequestInput } from '@vid/protocol'
import type { PlannedBatch, PlannedRow } from './planned-row.ts'
import { projectState } from './project-state.ts'

/** Raised when a row that an earlier version has finished must be rendered again. */
const VERSION = 1

/** Hooks in which a plugin can bring in what no file of the project shows. */
const OPEN_HOOKS = ['resolve', 'plan', 'source']

/** A request without the values of its row and what changes no byte. */
const commonOf = (input: RenderRequestInput) => {
  const {
    projectDir: _,
    output: _output,
    outputs,
    variables: _variables,
    workers: _workers,
    ...rest
  } = checkRequest(input)
  const { force: _force, ...decisive } = rest
  return { ...decisive, outputs: outputs.map(({ format }) => format) }
}

const isForeign = ({ taps }: RenderMaker): boolean =>
  taps.some(({ plugin, hooks }) => !plugin.startsWith('@vid/') && hooks.some((hook) => OPEN_HOOKS.includes(hook)))

/** What makes the files of a request; undefined where that cannot be known. */
const readMaker = async (
  { prepared }: Pick<PlannedBatch, 'prepared'>,
  input: RenderRequestInput,
  signal: AbortSignal,
): Promise<unknown> => {
  const { setup } = prepared.kernel
  const { target } = setup
  if (takesRequests(target))
    return { target: target.name, options: portableOptions(target.optionsSchema, target.options) }
  const run = await prepared.kernel.open({ projectDir: prepared.projectDir, signal })
  try {
    const maker = await run.maker(checkRequest(input))
    return isForeign(maker) ? undefined : maker
  } finally {
    await run.close()
  }
}

/**
 * Creates a function that names everything that decides the files of a row, as far as it shows without a page: equal
 * for rows with equal files. It resolves to null where a plugin may bring in anything else.
 */
export const createRowPlans = async (
  batch: Pick<PlannedBatch, 'prepared'>,
  { written, signal }: { readonly written: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<(row: Pick<PlannedRow, 'requests' | 'variables'>) => Promise<string | null>> => {
  const state = await projectState(batch.prepared.projectDir, written)
  const { deliveries = [] } = batch.prepared.kernel.setup
  // With what is secret or of this machine: a digest shows neither, and files may have gone elsewhere.
  const places = deliveries.map(({ name, options }) => [name, options ?? {}])
  const makers = new Map<string, Promise<unknown>>()
  return async ({ requests, variables }) => {
    const parts: unknown[] = [VERSION, state, places, variables]
    for (const request of requests) {
      const common = canonicalJson(commonOf(request))
      const maker = makers.get(common) ?? readMaker(batch, request, signal)
      makers.set(common, maker)
      const facts = await maker
      if (facts === undefined) return null
      parts.push(common, facts, request.variables)
    }
    return createHash('sha256').update(canonicalJson(parts)).digest('hex')
  }
}
