import { existsSync } from 'node:fs'
import { bytesText, costText, type Report, shortPath } from '@vid/command'
import type { RenderResult } from '@vid/protocol'
import { cliWarning } from '../../warnings.ts'

interface ShownResult {
  readonly json: boolean
  readonly cwd: string
  /** The stages of the command, with their times. */
  readonly times?: string
  /** What was rendered; `done` for the whole command. */
  readonly label?: string
}

const summary = (result: RenderResult, { times = '', label = 'done', cwd }: ShownResult) => {
  const { frames, durationMs, fileSize, renderTimeMs, cost, outputs = [] } = result
  const length = `${label}: ${frames} frames, ${durationMs / 1000} s of video`
  const spent = cost ? `, ${costText(cost)}` : ''
  const time = `in ${(renderTimeMs / 1000).toFixed(1)} s${times && ` (${times})`}${spent}`
  if (outputs.length === 0) return `${length}, ${bytesText(fileSize)}, ${time}`
  const files = [result, ...outputs].map(
    (output) => `${shortPath(output.outputPath, cwd)} ${bytesText(output.fileSize)}`,
  )
  return `${length}, ${time}: ${files.join(', ')}`
}

/** Shows a finished capture, and each of its files that a delivery has put into its place. */
export const showResult = (report: Report, result: RenderResult, shown: ShownResult): void => {
  const { json, cwd } = shown
  if (!json) report.note(summary(result, shown))
  for (const { outputPath, delivered = [] } of [result, ...(result.outputs ?? [])]) {
    for (const { address } of delivered) if (!json) report.note(`delivered to ${address}`)
    if (existsSync(outputPath)) report.result(shortPath(outputPath, cwd))
    else if (delivered.length === 0)
      report.warn(cliWarning('VID_OUTPUT_NOT_WRITTEN', { path: shortPath(outputPath, cwd) }))
  }
}
