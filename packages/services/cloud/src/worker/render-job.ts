import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RenderEvent, type RenderPlan, secondsOf, type Warning } from '@vid/protocol'
import { randomText } from '../ids.ts'
import { estimatedCost } from '../queue/fairness.ts'
import type { JobData } from '../queue/jobs.ts'
import { addStream } from '../streams/stream-records.ts'
import type { Ability } from './ability.ts'
import type { ClientText } from './client-text.ts'
import { finishRender } from './finish-render.ts'
import type { JobRun } from './held-job.ts'
import type { WorkerParts, WorkerSettings } from './parts.ts'
import { renderSettingsOf } from './render-settings.ts'
import { segmentStores } from './segment-store.ts'
import { type ShapedProject, shapeProject } from './shaped-project.ts'
import { workPrefix } from './storage-keys.ts'

/** Dependencies of every kind of job. */
export interface JobTools {
  readonly parts: WorkerParts
  readonly settings: WorkerSettings
  readonly clientText: ClientText
  readonly ability: Ability
}

/** Runs work with the project of a render, in the requested shape. */
export const withShapedProject = async <T>(
  { render, signal, workDir }: Pick<JobRun, 'render' | 'signal' | 'workDir'>,
  { projects, reader }: Pick<WorkerParts, 'projects' | 'reader'>,
  work: (project: ShapedProject) => Promise<T>,
): Promise<T> => {
  const source = await projects.hold(render.project_key, render.project_digest, signal)
  try {
    return await work(await shapeProject(source.folder, render.request, { workDir, signal, reading: reader.reading }))
  } finally {
    source.release()
  }
}

/** Reports the number of rendered frames. */
export const followProgress =
  (run: JobRun) =>
  (event: RenderEvent): void => {
    if (event.type === 'render-progress' && event.totalFrames > 0) run.progress(event.framesRendered, event.totalFrames)
  }

/** Queues a job for each segment of a plan. */
const spread = async (
  plan: RenderPlan,
  warnings: readonly Warning[],
  run: JobRun,
  { parts: { storage, queue }, clientText }: JobTools,
): Promise<void> => {
  const { render, signal, workDir } = run
  const attempt = render.attempt + 1
  const file = join(workDir, 'plan.json')
  await writeFile(file, JSON.stringify(plan), { flag: 'wx' })
  // Another worker may make the same plan with another build, so each has its own key.
  const planKey = `${workPrefix(render.id)}plan-${randomText(12)}.json`
  await storage.put(planKey, file, { type: 'application/json', signal })
  await run.finish(async (sql) => {
    const { rowCount } = await sql.run(
      `UPDATE vid.renders SET attempt = $2, segments = $3, plan_key = $4, total_frames = $5, frames_rendered = 0,
         warnings = $6
       WHERE id = $1 AND attempt = $2 - 1 AND status = 'rendering' AND deleted_at IS NULL`,
      [
        render.id,
        attempt,
        plan.segments.length,
        planKey,
        plan.frames,
        JSON.stringify(clientText.warnings(render.id, warnings)),
      ],
    )
    if (rowCount === 0) return
    await sql.run(
      `INSERT INTO vid.render_segments (render_id, attempt, number, frames)
       SELECT $1, $2, (part ->> 'index')::int, (part ->> 'frames')::int FROM jsonb_array_elements($3::jsonb) AS part`,
      [render.id, attempt, JSON.stringify(plan.segments)],
    )
    if (plan.format === 'hls') await addStream(sql, { renderId: render.id, attempt })
    const jobs = plan.segments.map(
      ({ index, frames }): JobData => ({
        kind: 'segment',
        renderId: render.id,
        attempt,
        number: index,
        cost: estimatedCost(secondsOf(frames, plan.fps), plan.width * plan.height),
      }),
    )
    await queue.enqueueParts(sql, jobs)
  })
  queue.wake()
}

/** Renders a short render whole; plans a long one, or one that is played meanwhile, and queues a job for each segment. */
export const runRenderJob = (run: JobRun, tools: JobTools): Promise<void> => {
  const { parts, settings, clientText } = tools
  const { renderer } = parts
  const { render, signal, workDir } = run
  const { request } = render
  return withShapedProject(run, parts, async (project) => {
    const renderSettings = renderSettingsOf(request, project, settings.render, workDir)
    let isSpread = false
    const { results, files, warnings } = await renderer.render(renderSettings, {
      signal,
      renderId: render.id,
      store: segmentStores(parts.storage)({ account: render.account_id }),
      onEvent: followProgress(run),
      async takePlan(plan, planWarnings) {
        // What is finished of a video that is played must outlive its worker.
        isSpread = plan.format === 'hls' || plan.segments.length > settings.spreadSegments
        if (isSpread) await spread(plan, planWarnings, run, tools)
        return isSpread
      },
    })
    if (isSpread) return
    await finishRender(
      {
        path: files[0]?.path ?? renderSettings.output,
        frames: results[0]?.frames ?? 0,
        durationMs: results[0]?.durationMs ?? 0,
        picture: project.picture,
        warnings: clientText.warnings(render.id, warnings),
      },
      run,
      parts,
    )
  })
}
