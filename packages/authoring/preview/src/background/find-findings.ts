import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkProject, readBaseline } from '@vid/check'
import { defined } from '@vid/protocol'
import { codedError, type RenderContext, type Renderer } from '@vid/render'
import type { FindingsBody, FindingsReply } from '../findings-api.ts'
import type { StateFolder } from '../states/state-folders.ts'

/** File with the findings that are left out, as `vid check --write-baseline check-baseline.json` writes it. */
const BASELINE = 'check-baseline.json'

const baselineOf = async (dir: string, signal: AbortSignal) => {
  const path = join(dir, BASELINE)
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true
  return isFile ? { isOld: await readBaseline(path, BASELINE, signal) } : {}
}

/** What a check of a composition is made with. */
export interface FindingsOptions {
  readonly renderer: Renderer
  readonly context: RenderContext
  readonly signal: AbortSignal
  onProgress(done: number, total: number): void
}

/** Finds what `vid check` finds in a composition; why it could not be looked at is its result too. */
export const findFindings = async (
  { projectDir, state }: StateFolder,
  { entry, variables }: FindingsBody,
  { renderer, context, signal, onProgress }: FindingsOptions,
): Promise<Omit<FindingsReply, 'revision'>> => {
  try {
    const composition = { projectDir, entry, ...defined({ variables }) }
    const settings = { composition, ...(await baselineOf(projectDir, signal)) }
    const { result } = await checkProject(renderer, settings, context, { signal, onProgress })
    const { findings, ignored, baselined } = result
    return { state, findings, ignored, baselined, error: null }
  } catch (thrown) {
    signal.throwIfAborted()
    const error = codedError(thrown, signal)
    if (error.fault === 'machine') throw error
    return { state, findings: [], ignored: 0, baselined: 0, error: error.toJSON() }
  }
}
