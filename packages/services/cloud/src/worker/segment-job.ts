import { join } from 'node:path'
import { checkPlan, type RenderPlan } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { RenderRow } from '../queue/render-row.ts'
import { finishRender } from './finish-render.ts'
import type { JobRun } from './held-job.ts'
import type { WorkerParts } from './parts.ts'
import { followProgress, type JobTools, withShapedProject } from './render-job.ts'
import { renderSettingsOf } from './render-settings.ts'
import { segmentStores } from './segment-store.ts'
import { workPrefix } from './storage-keys.ts'

/** Fetches the plan of a distributed render. */
export const fetchPlan = async (
  { render }: Pick<JobRun, 'render'>,
  { storage }: Pick<WorkerParts, 'storage'>,
): Promise<RenderPlan> => {
  const key = render.plan_key ?? ''
  const text = await storage.read(key)
  if (text === undefined) throw fail('VID_CLOUD_PART_LOST', { key })
  return checkPlan(JSON.parse(text))
}

/** Prefix of a segment's files, one per output. */
const segmentKey = (renderId: string, attempt: number, number: number): string =>
  `${workPrefix(renderId)}${attempt}/segment-${number}`

/** Renders one segment; the last one queues the join. */
export const runSegmentJob = (run: JobRun, { parts, settings, clientText }: JobTools): Promise<void> => {
  const { storage, renderer, queue } = parts
  const { render, signal, workDir, job } = run
  const { data } = job
  if (data.kind !== 'segment') throw new TypeError('not a segment')
  const { attempt, number } = data
  return withShapedProject(run, parts, async (project) => {
    const plan = await fetchPlan(run, parts)
    const renderSettings = renderSettingsOf(render.request, project, settings.render, workDir)
    const path = join(workDir, 'segment')
    const store = segmentStores(storage)({ account: render.account_id })
    const rendered = await renderer.renderSegment(
      renderSettings,
      { plan, index: number, paths: [path] },
      { signal, renderId: render.id, onEvent: followProgress(run), store },
    )
    const key = segmentKey(render.id, attempt, number)
    await storage.put(key, path, { signal })
    const warnings = JSON.stringify(clientText.warnings(render.id, rendered.warnings))
    await run.finish(async (sql) => {
      await sql.run(
        `UPDATE vid.render_segments SET storage_keys = $4, worker_id = $5, done_at = now(), frames_rendered = frames
         WHERE render_id = $1 AND attempt = $2 AND number = $3`,
        [render.id, attempt, number, JSON.stringify([key]), run.workerId],
      )
      // Locks the render's row, so that of two segments that end at once, the second sees the first.
      const [now] = await sql.rows<RenderRow>('SELECT * FROM vid.renders WHERE id = $1 FOR UPDATE', [render.id])
      if (now?.attempt !== attempt) return
      await sql.run('UPDATE vid.renders SET warnings = warnings || $2::jsonb WHERE id = $1', [render.id, warnings])
      const [openSegments] = await sql.rows<{ count: number }>(
        'SELECT count(*) FROM vid.render_segments WHERE render_id = $1 AND attempt = $2 AND done_at IS NULL',
        [render.id, attempt],
      )
      if (openSegments?.count === 0) await queue.enqueueParts(sql, [{ kind: 'join', renderId: render.id, attempt }])
    })
    queue.wake()
  })
}

/** Joins the segments of a render and ends it. */
export const runJoinJob = (run: JobRun, { parts, settings, clientText }: JobTools): Promise<void> => {
  const { database, storage, renderer } = parts
  const { render, signal, workDir } = run
  return withShapedProject(run, parts, async (project) => {
    const plan = await fetchPlan(run, parts)
    const rows = await database.rows<{ number: number; storage_keys: readonly string[] }>(
      'SELECT number, storage_keys FROM vid.render_segments WHERE render_id = $1 AND attempt = $2 ORDER BY number',
      [render.id, render.attempt],
    )
    const segments: [string][] = []
    for (const { number, storage_keys: keys } of rows) {
      const [key = ''] = keys ?? []
      const path = join(workDir, `segment-${number}`)
      if (!(await storage.get(key, path, { signal }))) throw fail('VID_CLOUD_PART_LOST', { key })
      segments.push([path])
    }
    const renderSettings = renderSettingsOf(render.request, project, settings.render, workDir)
    const { results, files, warnings } = await renderer.joinSegments(renderSettings, [{ plan, segments }], {
      signal,
      renderId: render.id,
    })
    await finishRender(
      {
        path: files[0]?.path ?? renderSettings.output,
        frames: results[0]?.frames ?? 0,
        durationMs: results[0]?.durationMs ?? 0,
        picture: project.picture,
        warnings: [...render.warnings, ...clientText.warnings(render.id, warnings)],
      },
      run,
      parts,
    )
  })
}
