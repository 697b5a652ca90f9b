import { bytesText, dollars, shortPath } from '@vid/command'
import type { Warning } from '@vid/protocol'
import { fail } from '../../errors.ts'
import type { RenderProgress } from '../../renders/render-progress.ts'
import { fetchRenderResult, readRenderWarnings } from '../../renders/render-result.ts'
import type { LambdaSession } from './following.ts'

const callsText = ({ lambdasInvoked: calls, cost }: RenderProgress): string =>
  `${calls} ${calls === 1 ? 'call' : 'calls'}${cost ? `, ${dollars(cost.usd)}` : ''}`

/**
 * Reports a render that has succeeded with its cost, and fetches its result if requested; `shown` are warnings that
 * were printed before.
 */
export const reportSuccess = async (
  session: LambdaSession,
  end: RenderProgress,
  {
    cwd,
    placeFor,
    shown: shownWarnings = [],
  }: {
    readonly cwd: string
    placeFor(): Promise<string | undefined>
    readonly shown?: readonly Warning[]
  },
): Promise<void> => {
  const { report, progress, signal, json, place } = session
  const { renderId, outputFile, result } = end
  try {
    const bucket = { ...place, signal }
    const warnings = await readRenderWarnings(bucket, renderId)
    const path = await placeFor()
    if (path !== undefined && result) {
      progress.show(`fetching ${bytesText(result.bytes)}`)
      await fetchRenderResult(bucket, result, path)
    }
    progress.clear()
    const isNew = (warning: Warning) =>
      !shownWarnings.some(({ code, message }) => code === warning.code && message === warning.message)
    for (const warning of warnings.filter(isNew)) report.warn(warning)
    if (!json && result) {
      const { frames, durationMs, bytes } = result
      const reused = end.framesReused > 0 ? ` (${end.framesReused} reused)` : ''
      const length = `${frames} frames${reused}, ${durationMs / 1000} s of video`
      report.note(`done: ${length}, ${bytesText(bytes)}, ${callsText(end)}`)
    }
    report.event({ type: 'lambda-complete', ...end, ...(path !== undefined && { outputPath: path }) })
    report.result(path === undefined ? String(outputFile) : shortPath(path, cwd))
  } catch (thrown) {
    progress.clear()
    if (signal.aborted) throw fail('VID_LAMBDA_FETCH_LEFT', { renderId, uri: String(outputFile) }, { cause: thrown })
    if (!json) report.note(`the render has succeeded; its result is ${outputFile}`)
    throw thrown
  }
}
