import { throttleProgress } from '@vid/command'
import type { RenderResult } from '@vid/protocol'
import { batchFailure, type PreparedRender, planShapes } from '@vid/render'
import { renderRows } from './rows/render-rows.ts'
import { type RenderRun, renderSettings } from './settings.ts'
import { showResult } from './show-result.ts'

/** `vid render --shapes 16:9,9:16`: renders a prepared composition in each shape. */
export const runRenderShapes = async (run: RenderRun, prepared: PreparedRender): Promise<void> => {
  const { signal, json, cwd, report } = run
  const batch = await planShapes(prepared, renderSettings(run), signal)
  const passProgress = throttleProgress((event) => report.event({ ...event }))
  const results = new Map<number, readonly RenderResult[]>()
  const manifest = await renderRows(run, batch, {
    nameOf: (index) => prepared.shapes[index] ?? '',
    onRender(_index, event) {
      if (event.type === 'render-progress') passProgress(event)
      else if (event.type === 'render-start' || event.type === 'segment-complete') report.event({ ...event })
    },
    onEvent(event) {
      if (event.type === 'shapes-complete') report.event(event)
    },
    onEnd(_manifest, row) {
      results.set(row.index, row.results)
      for (const result of row.results) report.event({ type: 'render-complete', ...result, renderId: row.renderId })
    },
  })
  // In the order of the shapes, whichever ended first.
  for (const [index, label] of prepared.shapes.entries())
    for (const result of results.get(index) ?? []) showResult(report, result, { json, cwd, label })
  const { completed, failed, total } = manifest
  if (!json)
    report.note([`done: ${completed} of ${total} shapes`, ...(failed > 0 ? [`${failed} failed`] : [])].join(', '))
  if (failed > 0) throw batchFailure(manifest)
}
